//! Recognizes dates.

use time::{Date, Month};

/// Julian day of 1899-12-31.
const BEFORE_FIRST: i32 = 2_415_019;
/// Serial date of 1900-02-29, which does not exist; earlier dates are not converted.
const NONEXISTENT_DAY: i32 = 60;
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The order of day and month in dates such as `01/02/2024`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    MonthFirst,
}

/// A serial date, and the format code that displays it like the text.
pub(super) type SerialDate = (i32, &'static str);

/// Parses `2024-03-05`, `05.03.2024`, `5 March 2024`, `Mar 5, 2024`, and, in a column with this order of days and months,
/// `05/03/2024` or `3-5-2024`.
pub(super) fn parse(text: &str, order: Option<Order>) -> Option<SerialDate> {
    let (date, code) = iso(text)
        .or_else(|| with_points(text))
        .or_else(|| with_name(text))
        .or_else(|| in_order(text, order?))?;
    let serial = date.to_julian_day() - BEFORE_FIRST;
    (serial > NONEXISTENT_DAY).then_some((serial, code))
}

/// Returns the order that a date shows by a day after the twelfth.
pub(super) fn order(text: &str) -> Option<Order> {
    match numbers(text, '/').or_else(|| numbers(text, '-'))? {
        ([13..=31, 1..=12], _) => Some(Order::DayFirst),
        ([1..=12, 13..=31], _) => Some(Order::MonthFirst),
        _ => None,
    }
}

fn iso(text: &str) -> Option<(Date, &'static str)> {
    let mut parts = text.split('-');
    let [year, month, day] = [(); 3].map(|()| parts.next());
    let (year, month, day) = (year?, month?, day?);
    let is_padded = (year.len(), month.len(), day.len()) == (4, 2, 2) && parts.next().is_none();
    let date = date(number(year)?, number(month)?, number(day)?)?;
    is_padded.then_some((date, "yyyy\\-mm\\-dd"))
}

fn with_points(text: &str) -> Option<(Date, &'static str)> {
    let ([day, month], year) = numbers(text, '.').filter(|_| text.len() == 10)?;
    Some((date(year, month, day)?, "dd\\.mm\\.yyyy"))
}

fn in_order(text: &str, order: Order) -> Option<(Date, &'static str)> {
    let slash = numbers(text, '/');
    let ([first, second], year) = slash.or_else(|| numbers(text, '-'))?;
    let (month, day, code) = match (order, slash.is_some()) {
        (Order::DayFirst, true) => (second, first, "dd\\/mm\\/yyyy"),
        (Order::DayFirst, false) => (second, first, "dd\\-mm\\-yyyy"),
        (Order::MonthFirst, true) => (first, second, "mm\\/dd\\/yyyy"),
        (Order::MonthFirst, false) => (first, second, "mm\\-dd\\-yyyy"),
    };
    Some((date(year, month, day)?, code))
}

fn with_name(text: &str) -> Option<(Date, &'static str)> {
    let parts: Vec<&str> = text
        .split([' ', '\u{a0}', '-', ','])
        .filter(|part| !part.is_empty())
        .collect();
    let [first, second, year] = parts.as_slice() else {
        return None;
    };
    let year = number(year).filter(|_| year.len() == 4)?;
    if let Some((month, is_short)) = month(second) {
        let code = if is_short {
            "d mmm yyyy"
        } else {
            "d mmmm yyyy"
        };
        return Some((date(year, month, number(first)?)?, code));
    }
    let (month, is_short) = month(first)?;
    let code = if is_short {
        "mmm d, yyyy"
    } else {
        "mmmm d, yyyy"
    };
    Some((date(year, month, number(second)?)?, code))
}

/// Returns the number of an English month, and whether it is abbreviated.
fn month(name: &str) -> Option<(u32, bool)> {
    let name = name.trim_end_matches('.').to_lowercase();
    let found = MONTHS.iter().zip(1..).find(|(month, _)| {
        **month == name || (name.len() >= 3 && name.len() <= 4 && month.starts_with(&name))
    });
    found.map(|(month, number)| (number, name.len() < month.len()))
}

/// Returns the day and month, in the order of the text, and the year of four digits.
fn numbers(text: &str, separator: char) -> Option<([u32; 2], u32)> {
    let mut parts = text.split(separator);
    let [first, second, year] = [(); 3].map(|()| parts.next());
    let (first, second, year) = (first?, second?, year?);
    let fits = |part: &str| (1..=2).contains(&part.len());
    let is_date = fits(first) && fits(second) && year.len() == 4 && parts.next().is_none();
    let numbers = ([number(first)?, number(second)?], number(year)?);
    is_date.then_some(numbers)
}

fn number(text: &str) -> Option<u32> {
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(i32::try_from(year).ok()?, month, u8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_existing_dates_are_recognized() {
        let serial = |text| parse(text, None).map(|(serial, _)| serial);
        assert_eq!(serial("2024-03-05"), Some(45_356));
        assert_eq!(serial("29.02.2024"), Some(45_351));
        assert_eq!(serial("1900-03-01"), Some(61));
        for text in [
            "5 March 2024",
            "5 Mar 2024",
            "Mar 5, 2024",
            "March 5, 2024",
            "5-Mar-2024",
        ] {
            assert_eq!(serial(text), Some(45_356), "{text}");
        }
        for text in [
            "2023-02-29",
            "1900-02-28",
            "2024-13-01",
            "1.2.2024",
            "2024-3-5",
            "5 Martian 2024",
            "5 March 24",
            "March 2024",
        ] {
            assert_eq!(serial(text), None, "{text}");
        }
    }

    #[test]
    fn numeric_dates_need_the_order_of_their_column() {
        assert_eq!(parse("01/02/2024", None), None);
        let day_first = parse("01/02/2024", Some(Order::DayFirst));
        assert_eq!(day_first, Some((45_323, "dd\\/mm\\/yyyy")));
        let month_first = parse("01/02/2024", Some(Order::MonthFirst));
        assert_eq!(month_first, Some((45_293, "mm\\/dd\\/yyyy")));
        assert_eq!(order("13/02/2024"), Some(Order::DayFirst));
        assert_eq!(order("02-13-2024"), Some(Order::MonthFirst));
        assert_eq!(order("12/12/2024"), None);
        assert_eq!(order("555-123-4567"), None);
    }
}
