//! Parses list markers.

use crate::model::roman;

/// Largest Roman numeral that is recognized.
const LARGEST_ROMAN: u32 = 100;

/// A numbered marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counter {
    /// Number, from 0.
    pub(super) value: u32,
    /// Number format.
    pub(super) numerals: Numerals,
    /// Text before the number, such as `(`.
    pub(super) before: String,
    /// Text after the number, such as `.` or `)`.
    pub(super) behind: String,
}

/// Number format of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numerals {
    /// 1, 2, 3.
    Decimal,
    /// a, b, c.
    LowerLetter,
    /// A, B, C.
    UpperLetter,
    /// i, ii, iii.
    LowerRoman,
    /// I, II, III.
    UpperRoman,
}

impl Counter {
    /// Parses a marker; the previous marker decides whether letters are Roman numerals. `None` without a number or with several
    /// ones.
    pub(super) fn read(marker: &str, last: Option<&Self>) -> Option<Self> {
        let body = |c: char| c.is_ascii_alphanumeric();
        let (before, rest) = marker.trim().split_at_checked(marker.trim().find(body)?)?;
        let (number, behind) =
            rest.split_at_checked(rest.find(|c| !body(c)).unwrap_or(rest.len()))?;
        let is_plain = |sign: &str| {
            sign.chars()
                .all(|c| matches!(c, '(' | ')' | '[' | ']' | '.' | ':' | '-' | ' '))
        };
        if !is_plain(before) || !is_plain(behind) {
            return None;
        }
        let counter = |(numerals, value)| Self {
            value,
            numerals,
            before: before.to_owned(),
            behind: behind.to_owned(),
        };
        let readings: Vec<Self> = readings(number).into_iter().map(counter).collect();
        let follows = |reading: &&Self| last.is_some_and(|last| reading.follows(last));
        readings.iter().find(follows).or(readings.first()).cloned()
    }

    /// Whether it is the successor of another marker.
    pub(super) fn follows(&self, last: &Self) -> bool {
        self.is_like(last) && last.value.checked_add(1) == Some(self.value)
    }

    /// Whether both have the same format.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.numerals == other.numerals
            && self.before == other.before
            && self.behind == other.behind
    }
}

/// Whether a marker without number is a bullet or empty; other markers carry meaning and must be kept.
pub(super) fn is_bullet(marker: &str) -> bool {
    let is_variant = |c: &char| matches!(c, '\u{fe00}'..='\u{fe0f}');
    let signs = marker.trim().chars().filter(|c| !is_variant(c));
    signs.count() <= 1
}

/// Returns whether a task marker is completed; `None` for other markers.
pub(super) fn task(marker: &str) -> Option<bool> {
    match marker.trim() {
        "☐" => Some(false),
        "☑" | "☒" => Some(true),
        _ => None,
    }
}

/// Returns the possible readings, the likeliest first.
fn readings(number: &str) -> Vec<(Numerals, u32)> {
    if number.bytes().all(|byte| byte.is_ascii_digit()) {
        let value = number.parse().ok().filter(|value: &u32| *value <= 32_767);
        return value
            .map(|value| (Numerals::Decimal, value))
            .into_iter()
            .collect();
    }
    let is_lower = number.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_upper = number.bytes().all(|byte| byte.is_ascii_uppercase());
    let (roman_kind, letter_kind) = match (is_lower, is_upper) {
        (true, _) => (Numerals::LowerRoman, Numerals::LowerLetter),
        (_, true) => (Numerals::UpperRoman, Numerals::UpperLetter),
        _ => return Vec::new(),
    };
    let roman = roman::value(&number.to_ascii_lowercase()).filter(|value| *value <= LARGEST_ROMAN);
    let roman = roman.map(|value| (roman_kind, value));
    let letter = letter(&number.to_ascii_lowercase()).map(|value| (letter_kind, value));
    // A single letter is read as a letter, except `i`, which starts Roman numbering.
    match number.eq_ignore_ascii_case("i") {
        true => [roman, letter],
        false => [letter, roman],
    }
    .into_iter()
    .flatten()
    .collect()
}

fn letter(number: &str) -> Option<u32> {
    match number.as_bytes() {
        [byte] => Some(u32::from(byte - b'a') + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Numerals};

    fn read(markers: &[&str]) -> Vec<Option<(Numerals, u32)>> {
        let (mut last, mut found) = (None, Vec::new());
        for marker in markers {
            last = Counter::read(marker, last.as_ref());
            found.push(
                last.as_ref()
                    .map(|counter| (counter.numerals, counter.value)),
            );
        }
        found
    }

    #[test]
    fn letters_and_roman_numerals_are_distinguished_by_the_previous_marker() {
        let letters = [7, 8, 9].map(|value| Some((Numerals::LowerLetter, value)));
        assert_eq!(read(&["g)", "h)", "i)"]), letters);
        let romans = [1, 2, 3, 4, 5].map(|value| Some((Numerals::UpperRoman, value)));
        assert_eq!(read(&["I.", "II.", "III.", "IV.", "V."]), romans);
    }

    #[test]
    fn text_around_numbers_is_kept_and_other_markers_are_recognized() {
        let counter = Counter {
            value: 12,
            numerals: Numerals::Decimal,
            before: "(".to_owned(),
            behind: "):".to_owned(),
        };
        assert_eq!(Counter::read("(12):", None), Some(counter));
        for marker in ["•", "1.2", "", "–", "Art. 1", "xyz)", "99999."] {
            assert_eq!(Counter::read(marker, None), None, "{marker}");
        }
    }
}
