//! Formats the typed value of a cell in the locale.

use super::body::Body;
use super::styles::Style;
use crate::line::Line;
use crate::number_format::NumberFormat;
use crate::number_format::conventions::Conventions;
use crate::xml::Element;

/// Serial date of 1970-01-01.
const UNIX_EPOCH: i64 = 25_569;
/// The first serial date on which all spreadsheets agree, 1900-03-01.
const FIRST_DATE: f64 = 61.0;
/// Maximum length of a value.
const MAX_VALUE: usize = 64;

/// The value of a number, date or time as its number style shows it, or in the usual format of its type if it has no such style.
/// `None` if the value is text, if the style does not follow the locale, or if the stored text differs by more than the locale: it
/// has other digits or is not plain.
pub(super) fn in_locale(
    body: &Body,
    cell: &Element,
    style: &Style,
    stored: &Line,
) -> Option<String> {
    let is_plain = cell
        .all("text:p")
        .flat_map(Element::elements)
        .all(|inner| inner.is("text:s"));
    if !is_plain || stored.runs().len() > 1 {
        return None;
    }
    let stored: String = stored.runs().iter().map(|run| run.text.as_str()).collect();
    let stored = stored.trim();
    let (value, is_number) = value(cell)?;
    let format = match &style.number_style {
        Some(name) => Some(body.number_formats.get(name)?),
        None => None,
    };
    let is_float = cell.get("office:value-type") == Some("float");
    let shown = match format.filter(|format| is_number || format.is_date()) {
        Some(format) => format.show(value, false),
        // A stored text without a style is kept.
        None if is_float || format.is_some() || stored.is_empty() => {
            usual(cell, value, Conventions::of(body.package.locale))
        }
        None => return None,
    };
    let is_same = !is_number || stored.is_empty() || digits(stored) == digits(&shown);
    (is_same && !shown.is_empty()).then_some(shown)
}

/// The value in the usual format of its type.
fn usual(cell: &Element, value: f64, conventions: &'static Conventions) -> String {
    /// Numbers of built-in formats.
    const DATE: u32 = 14;
    const DATE_AND_TIME: u32 = 22;
    const TIME: u32 = 21;
    const HOURS: u32 = 46;
    const PERCENTAGE: u32 = 10;
    const CURRENCY: u32 = 7;
    const TWO_DECIMALS: u32 = 4;
    let show = |format| NumberFormat::built_in(format, conventions).show(value, false);
    let currency = cell.get("office:currency");
    match cell.get("office:value-type").unwrap_or_default() {
        "date" if value.fract() == 0.0 => show(DATE),
        "date" => show(DATE_AND_TIME),
        "time" if value < 1.0 => show(TIME),
        "time" => show(HOURS),
        "percentage" => show(PERCENTAGE),
        "currency" => match currency {
            Some(currency) => format!("{} {currency}", show(TWO_DECIMALS)),
            None => show(CURRENCY),
        },
        _ => show(0),
    }
}

/// The value, and whether it is a number.
fn value(cell: &Element) -> Option<(f64, bool)> {
    let text = |name| cell.get(name).filter(|text| text.len() <= MAX_VALUE);
    match cell.get("office:value-type")? {
        "float" | "percentage" | "currency" => {
            let value: f64 = text("office:value")?.trim().parse().ok()?;
            value.is_finite().then_some((value, true))
        }
        "date" => Some((date(text("office:date-value")?.trim())?, false)),
        "time" => Some((duration(text("office:time-value")?.trim())?, false)),
        _ => None,
    }
}

/// The serial date of a date such as `2001-02-03` or `2001-02-03T04:05:06.7`.
fn date(text: &str) -> Option<f64> {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let mut parts = date.splitn(3, '-').map(str::parse::<i64>);
    let mut part = |range: std::ops::RangeInclusive<i64>| {
        let number = parts.next()?.ok()?;
        range.contains(&number).then_some(number)
    };
    let (year, month, day) = (part(1..=9_999)?, part(1..=12)?, part(1..=31)?);
    // Months counted from March, so that a leap day is the last day of a year.
    let (year, month) = match month > 2 {
        true => (year, month - 3),
        false => (year - 1, month + 9),
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    // 1970-01-01 is day 719,468 of this count.
    let days = (days - 719_468 + UNIX_EPOCH) as f64;
    let time = match time {
        "" => 0.0,
        time => {
            let mut parts = time
                .trim_end_matches('Z')
                .splitn(3, ':')
                .map(str::parse::<f64>);
            let mut part = || parts.next().unwrap_or(Ok(0.0)).ok();
            (part()? + part()? / 60.0 + part()? / 3_600.0) / 24.0
        }
    };
    (days >= FIRST_DATE && (0.0..1.0).contains(&time)).then_some(days + time)
}

/// The days of a duration such as `PT36H04M05.5S`.
fn duration(text: &str) -> Option<f64> {
    let mut rest = text.strip_prefix("PT")?;
    let mut days = 0.0;
    for (unit, seconds) in [('H', 3_600.0), ('M', 60.0), ('S', 1.0)] {
        if let Some((number, after)) = rest.split_once(unit) {
            days += number.parse::<f64>().ok()? * seconds / 86_400.0;
            rest = after;
        }
    }
    (rest.is_empty() && days.is_finite() && days >= 0.0).then_some(days)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_durations_are_counted_in_days() {
        for (text, days) in [
            ("1900-03-01", Some(61.0)),
            ("2001-02-03", Some(36_925.0)),
            ("2024-02-29T12:00:00", Some(45_351.5)),
            ("9999-12-31", Some(2_958_465.0)),
            ("1900-02-28", None),
            ("2001-13-03", None),
            ("2001-02-03T30:00:00", None),
            ("2001-02", None),
            ("", None),
        ] {
            assert_eq!(date(text), days, "{text}");
        }
        for (text, days) in [
            ("PT36H00M00S", Some(1.5)),
            ("PT00H00M43.2S", Some(0.0005)),
            ("PT6H", Some(0.25)),
            ("P1D", None),
            ("PT1H2", None),
        ] {
            assert_eq!(duration(text), days, "{text}");
        }
    }
}
