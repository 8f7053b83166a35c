//! Displays dates of a workbook as their number format does.

use std::fmt::Write as _;

use time::Date;

/// Julian day of the serial date 0, for dates after 1900-02-29, which does not exist.
const BEFORE_FIRST: i32 = 2_415_019;

/// Whether a number format displays a date with day, month and year.
pub(super) fn is_date(code: &str) -> bool {
    let is_plain = !code.contains(['0', '#', '"', '[', 'h', 's']);
    is_plain && ["y", "m", "d"].iter().all(|letter| code.contains(letter))
}

/// Returns a date in all notations that a reader of text takes for this format: with and without leading zeros, and with whole and
/// abbreviated names of months.
pub(super) fn texts(serial: &str, code: &str) -> Option<String> {
    let serial: i32 = serial.parse().ok()?;
    let date = Date::from_julian_day(serial.checked_add(BEFORE_FIRST)?).ok()?;
    let notations = [(1, 9), (2, 9), (1, 3), (1, 4)];
    let texts = notations.map(|notation| text(date, code, notation));
    Some(texts.join(" "))
}

/// Returns a date with numbers of at least `digits` digits and names of months of at most `letters` letters.
fn text(date: Date, code: &str, (digits, letters): (usize, usize)) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let after = rest.trim_start_matches(first);
        let number = match first {
            'd' => date.day().into(),
            'm' => u8::from(date.month()).into(),
            _ => date.year(),
        };
        let is_name = first == 'm' && rest.len() - after.len() > 2;
        match first {
            'm' if is_name => text.extend(date.month().to_string().chars().take(letters)),
            'y' | 'm' | 'd' => {
                write!(text, "{number:0digits$}").ok();
            }
            '\\' => {}
            other => text.push(other),
        }
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_displayed_as_their_format_does() {
        let words = texts("45356", "dd\\.mm\\.yyyy").unwrap();
        assert!(
            words.contains("05.03.2024") && words.contains("5.3.2024"),
            "{words}"
        );
        let words = texts("45356", "mmm d, yyyy").unwrap();
        assert!(
            words.contains("March 5, 2024") && words.contains("Mar 5, 2024"),
            "{words}"
        );
        let dates = ["yyyy\\-mm\\-dd", "d mmmm yyyy", "#,##0.00", "0%", "mm:ss"].map(is_date);
        assert_eq!(dates, [true, true, false, false, false]);
    }
}
