//! The values of numbers in cells, compared as decimal digits.

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

/// Ten to the number of digits of a key.
const HIGHEST: u64 = 10_000_000_000;

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
            let (digits, exponent) = match digits {
                0 => (0, 0),
                HIGHEST.. => (HIGHEST / 10, self.exponent + 1),
                // The value below a power of ten has one digit more.
                digits if digits < HIGHEST / 10 => (HIGHEST - 1, self.exponent - 1),
                digits => (digits, self.exponent),
            };
            let mut hasher = DefaultHasher::new();
            (self.is_negative && digits > 0, digits, exponent).hash(&mut hasher);
            hasher.finish()
        })
    }
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

    #[test]
    fn keys_of_values_that_hardly_differ_have_one_in_common() {
        let keys = |number| Decimal::new(number).unwrap().keys();
        let is_equal = |one, other| keys(one).contains(&keys(other)[0]);
        assert!(is_equal(0.3, 0.1 + 0.2) && is_equal(-0.0, 0.0));
        assert!(is_equal(45_000.123_455, 45_000.123_454_999));
        assert!(is_equal(0.099_999_999_999_999_9, 0.1) && is_equal(0.1, 0.099_999_999_999_999_9));
        assert!(is_equal(9.999_999_999_4, 10.0) && is_equal(10.0, 9.999_999_999_4));
        assert!(!is_equal(12.25, 12.35) && !is_equal(1.0, -1.0) && !is_equal(1.0, 10.0));
    }
}
