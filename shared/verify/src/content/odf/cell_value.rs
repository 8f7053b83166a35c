//! What the cells of a spreadsheet have instead of text.

use time::format_description::well_known::Iso8601;
use time::{Date, PrimitiveDateTime};

use crate::content::decimal::Decimal;
use crate::content::xml::Element;

/// What a cell has instead of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellValue {
    /// A number or date: its value, if it is a constant.
    Number(Option<Decimal>),
    /// A logical value or an error, which formats write differently.
    Name,
}

impl CellValue {
    /// `None` if the cell has a text. Errors are typed twice, as an error and as a text.
    pub(super) fn of(cell: &Element<'_>) -> Option<Self> {
        let mut found = None;
        let (mut is_text, mut is_formula, mut number) = (false, false, None);
        cell.each_attribute(|name, value| match (name, value) {
            ("value-type", "error" | "boolean") => found = Some(Self::Name),
            ("value-type", "string") => is_text = true,
            ("value-type", _) => found = found.or(Some(Self::Number(None))),
            ("formula", _) => is_formula = true,
            ("value", number_text) => number = number_text.parse().ok(),
            ("date-value", date) => number = serial(date),
            ("time-value", time) => number = days(time),
            _ => {}
        });
        match found {
            Some(Self::Name) => found,
            _ if is_text => None,
            Some(Self::Number(_)) if !is_formula => {
                Some(Self::Number(number.and_then(Decimal::new)))
            }
            found => found,
        }
    }
}

/// Julian day of the serial date 0.
const FIRST_DAY: i32 = 2_415_019;
const SECONDS_PER_DAY: f64 = 86_400.0;

/// The number of days since 1899-12-30, as other workbooks have it.
fn serial(date: &str) -> Option<f64> {
    let (day, seconds) = match PrimitiveDateTime::parse(date, &Iso8601::DEFAULT) {
        Ok(time) => {
            let (hour, minute, second, nanosecond) = time.as_hms_nano();
            let whole = (u32::from(hour) * 60 + u32::from(minute)) * 60 + u32::from(second);
            (time.date(), f64::from(whole) + f64::from(nanosecond) / 1e9)
        }
        Err(_) => (Date::parse(date, &Iso8601::DATE).ok()?, 0.0),
    };
    Some(f64::from(day.to_julian_day() - FIRST_DAY) + seconds / SECONDS_PER_DAY)
}

/// The number of days of a duration such as `PT36H30M10.5S`.
fn days(duration: &str) -> Option<f64> {
    let is_negative = duration.starts_with('-');
    let mut rest = duration.trim_start_matches('-').strip_prefix("PT")?;
    let mut seconds = 0.0;
    for (unit, factor) in [('H', 3_600.0), ('M', 60.0), ('S', 1.0)] {
        if let Some((count, after)) = rest.split_once(unit) {
            seconds += count.parse::<f64>().ok()? * factor;
            rest = after;
        }
    }
    let days = seconds / SECONDS_PER_DAY;
    rest.is_empty()
        .then_some(if is_negative { -days } else { days })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_durations_have_the_numbers_of_other_workbooks() {
        assert_eq!(serial("2024-09-05"), Some(45_540.0));
        assert_eq!(serial("1899-12-30"), Some(0.0));
        assert_eq!(serial("2024-09-05T18:00:00"), Some(45_540.75));
        assert_eq!(
            serial("2024-09-05T12:00:00.500000000"),
            Some(45_540.5 + 0.5 / 86_400.0)
        );
        assert_eq!(days("PT36H00M00S"), Some(1.5));
        assert_eq!(days("-PT12H00M00S"), Some(-0.5));
        assert_eq!([serial("soon"), days("P1D")], [None, None]);
    }
}
