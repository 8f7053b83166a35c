//! Displays the dates and numbers of a workbook that the service wrote, as their number formats do.

use std::fmt::Write as _;

use time::Date;

/// Julian day of the serial date 0, for dates after 1900-02-29, which does not exist.
const BEFORE_FIRST: i32 = 2_415_019;

/// Whether a number format displays a date with day, month and year.
fn is_date(code: &str) -> bool {
    let is_plain = !code.contains(['0', '#', '"', '[', 'h', 's']);
    is_plain && ["y", "m", "d"].iter().all(|letter| code.contains(letter))
}

/// Returns a number with the decimals of its format, as a percentage if it is one, and without currency and grouping.
pub(super) fn number(value: &str, code: &str) -> String {
    let unquoted: String = code.split('"').step_by(2).collect();
    let section = unquoted.split(';').next().unwrap_or_default();
    let decimals = section.split_once('.').map_or(0, |(_, after)| {
        after.chars().take_while(|digit| *digit == '0').count()
    });
    if section.contains('%')
        && let Ok(number) = value.parse::<f64>()
    {
        return format!("{:.decimals$}", number * 100.0);
    }
    let written = value.split_once('.').map_or(0, |(_, after)| after.len());
    let point = if written == 0 && decimals > 0 {
        "."
    } else {
        ""
    };
    format!(
        "{value}{point}{}",
        "0".repeat(decimals.saturating_sub(written))
    )
}

/// Returns a date as its format displays it, and the words that the same date may have otherwise: without leading zeros, and
/// with another abbreviation of the month.
pub(super) fn date(serial: &str, code: &str) -> Option<(String, String)> {
    if !is_date(code) {
        return None;
    }
    let serial: i32 = serial.parse().ok()?;
    let date = Date::from_julian_day(serial.checked_add(BEFORE_FIRST)?).ok()?;
    let (shown, other) = (text(date, code, (2, 3)), text(date, code, (1, 4)));
    let others = other.split(' ').filter(|word| !shown.contains(word));
    let others: Vec<&str> = others.collect();
    Some((shown, others.join(" ")))
}

/// Returns a date with numbers of at least `digits` digits and abbreviated names of months of at most `letters` letters.
fn text(date: Date, code: &str, (digits, letters): (usize, usize)) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let after = rest.trim_start_matches(first);
        let length = rest.len() - after.len();
        let number = match first {
            'd' => date.day().into(),
            'm' => u8::from(date.month()).into(),
            _ => date.year(),
        };
        match first {
            'm' if length > 3 => text += &date.month().to_string(),
            'm' if length == 3 => text.extend(date.month().to_string().chars().take(letters)),
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
    fn numbers_have_the_decimals_of_their_format() {
        assert_eq!(number("1234.5", "#,##0.00_);(#,##0.00)"), "1234.50");
        assert_eq!(number("-5", "\"Fr. \"0.00"), "-5.00");
        assert_eq!(number("1200", "#,##0"), "1200");
        assert_eq!(number("0.0007", "0.00%"), "0.07");
        assert_eq!(number("0.5", "0%"), "50");
    }

    #[test]
    fn dates_are_displayed_as_their_format_does() {
        let texts = |code| date("45540", code).unwrap();
        let both = |shown: &str, other: &str| (shown.to_owned(), other.to_owned());
        assert_eq!(texts("dd\\.mm\\.yyyy"), both("05.09.2024", "5.9.2024"));
        assert_eq!(texts("d mmmm yyyy"), both("05 September 2024", ""));
        assert_eq!(texts("mmm d, yyyy"), both("Sep 05, 2024", "Sept"));
        let dates = ["yyyy\\-mm\\-dd", "d mmmm yyyy", "#,##0.00", "0%", "mm:ss"].map(is_date);
        assert_eq!(dates, [true, true, false, false, false]);
    }
}
