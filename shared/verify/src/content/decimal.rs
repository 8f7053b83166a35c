//! The values of numbers in cells, compared as decimal digits: with other typed cells, and with figures in a text.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A number rounded to 15 significant digits, as spreadsheets store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    is_negative: bool,
    /// Its significant digits, without zeros at the end; 0 for zero.
    digits: u64,
    /// Power of ten of the first digit.
    exponent: i32,
}

/// Number of digits after the first one.
const PRECISION: usize = 14;
/// Digits that are left out of a key: a date and time as text is less exact than as a number.
const INEXACT: u64 = 100_000;

impl Decimal {
    /// `None` if the number is not finite.
    pub(super) fn new(number: f64) -> Option<Self> {
        let text = format!("{:.PRECISION$e}", number.abs());
        let (digits, exponent) = text.split_once('e')?;
        let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
        Some(Self {
            is_negative: number < 0.0,
            digits: without_zeros(digits.parse().ok()?),
            exponent: exponent.parse().ok()?,
        })
    }

    /// The keys of a value: its own and those of values that differ in the tenth digit by one.
    pub(super) fn keys(self) -> [u64; 3] {
        let mut digits = self.digits;
        while digits > 0 && digits < 10_u64.pow(14) {
            digits *= 10;
        }
        let rounded = (digits + INEXACT / 2) / INEXACT;
        [rounded, rounded + 1, rounded.saturating_sub(1)].map(|digits| {
            let mut hasher = DefaultHasher::new();
            let exponent = if digits == 0 { 0 } else { self.exponent };
            (self.is_negative && digits > 0, digits, exponent).hash(&mut hasher);
            hasher.finish()
        })
    }

    /// The digits of figures that display the number, the most exact first: with fewer decimals, or as a percentage.
    pub(super) fn displayed(self) -> impl Iterator<Item = u64> {
        let count = self.digits.checked_ilog10().map_or(1, |log| log + 1);
        let whole = u32::try_from(self.exponent + 1).unwrap_or(0);
        (0..=count - whole.min(count)).flat_map(move |left_out| {
            let unit = 10_u64.pow(left_out);
            let rounded = (self.digits + unit / 2) / unit;
            // A number in the middle may be rounded down as well.
            let is_middle = left_out > 0 && self.digits % unit == unit / 2;
            let other = is_middle.then(|| without_zeros(rounded - 1));
            [without_zeros(rounded)].into_iter().chain(other)
        })
    }
}

/// The digits of a figure in a text, without zeros at both ends; `None` if it has none or too many.
pub(super) fn figure(word: &str) -> Option<u64> {
    word.trim_end_matches('0')
        .parse()
        .ok()
        .or_else(|| (!word.is_empty() && word.bytes().all(|byte| byte == b'0')).then_some(0))
}

fn without_zeros(mut digits: u64) -> u64 {
    while digits > 0 && digits.is_multiple_of(10) {
        digits /= 10;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn displays(number: f64, figures: &[&str]) -> Vec<bool> {
        let number = Decimal::new(number).unwrap();
        let is_displayed = |word: &&str| number.displayed().any(|one| Some(one) == figure(word));
        figures.iter().map(is_displayed).collect()
    }

    #[test]
    fn figures_display_rounded_numbers() {
        assert_eq!(
            displays(1204.5, &["120450", "12045", "1205", "1204", "12", "12055"]),
            [true, true, true, true, false, false]
        );
        assert_eq!(displays(0.125, &["125", "13", "0125", "1250"]), [true; 4]);
        assert_eq!(displays(-98.6, &["986", "99", "98"]), [true, true, false]);
        assert_eq!(displays(0.004, &["000", "004", "1"]), [true, true, false]);
        assert_eq!(displays(0.0, &["0", "000", "1"]), [true, true, false]);
        assert_eq!(displays(1e6, &["1000000", "1", "2"]), [true, true, false]);
        assert_eq!(displays(0.1 + 0.2, &["3", "30", "31"]), [true, true, false]);
    }

    #[test]
    fn keys_of_values_that_hardly_differ_have_one_in_common() {
        let keys = |number| Decimal::new(number).unwrap().keys();
        let is_equal = |one, other| keys(one).contains(&keys(other)[0]);
        assert!(is_equal(0.3, 0.1 + 0.2) && is_equal(-0.0, 0.0));
        assert!(is_equal(45_000.123_455, 45_000.123_454_999));
        assert!(!is_equal(12.25, 12.35) && !is_equal(1.0, -1.0) && !is_equal(1.0, 10.0));
    }
}
