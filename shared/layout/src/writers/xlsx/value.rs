//! Recognizes texts that are unambiguous numbers, percentages or dates.

use time::Date;
use time::format_description::parse_borrowed;

use super::notation::Notation;
use super::number::{Number, without_percent};
use super::styles;

/// A recognized value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Number in the notation of the file format.
    pub(super) number: String,
    /// Style that displays it like the text.
    pub(super) style: usize,
}

impl Value {
    /// Recognizes the value of a text in a table with this notation; `None` if it is not a value or ambiguous. Leading zeros
    /// indicate an identifier.
    pub(super) fn read(text: &str, notation: Notation) -> Option<Self> {
        if !text.ends_with(|last: char| last.is_ascii_digit() || last == '%') {
            return None;
        }
        if let Some(value) = date(text) {
            return Some(value);
        }
        let (body, is_percentage) = without_percent(text);
        let number = number(body, notation)?;
        match is_percentage {
            true => Self::percentage(&number),
            false => Some(Self {
                number: number.text(),
                style: styles::number(number.decimals.len(), number.is_grouped),
            }),
        }
    }

    fn percentage(number: &Number) -> Option<Self> {
        let value: f64 = format!("{}e-2", number.text()).parse().ok()?;
        (!number.is_grouped).then(|| Self {
            number: value.to_string(),
            style: styles::percentage(number.decimals.len()),
        })
    }
}

/// Parses a number in a table with this notation.
fn number(text: &str, notation: Notation) -> Option<Number> {
    match notation {
        Notation::Point => Number::with_point(text),
        Notation::Comma => Number::with_comma(text),
        // A space may separate two numbers.
        Notation::Unknown if text.contains(' ') && !text.contains(',') => None,
        Notation::Unknown => match (Number::with_point(text), Number::with_comma(text)) {
            (Some(one), Some(other)) => (one == other).then_some(one),
            (one, other) => one.or(other),
        },
        Notation::Mixed => Number::with_point(text).filter(Number::is_bare),
    }
}

/// Parses `2024-03-05` or `05.03.2024` to a serial date. The serial dates of spreadsheets include a nonexistent 29 February
/// 1900, so earlier dates are not converted.
fn date(text: &str) -> Option<Value> {
    const FORMATS: [(&str, usize); 2] = [
        ("[year]-[month]-[day]", styles::DATE),
        ("[day].[month].[year]", styles::DATE_WITH_POINTS),
    ];
    let mut formats = FORMATS.iter().filter(|_| text.len() == 10);
    formats.find_map(|(format, style)| {
        let format = parse_borrowed::<2>(format).ok()?;
        let serial = Date::parse(text, &format).ok()?.to_julian_day() - BEFORE_FIRST;
        (serial > NONEXISTENT_DAY).then(|| Value {
            number: serial.to_string(),
            style: *style,
        })
    })
}

/// Julian day of 1899-12-31.
const BEFORE_FIRST: i32 = 2_415_019;

/// Serial date of 1900-02-29.
const NONEXISTENT_DAY: i32 = 60;

#[cfg(test)]
mod tests {
    use super::{Notation, Value, styles};

    fn read(text: &str, notation: Notation) -> Option<(String, usize)> {
        Value::read(text, notation).map(|value| (value.number, value.style))
    }

    #[test]
    fn numbers_are_read_as_their_table_writes_them() {
        let cases = [
            (
                "1,234.50",
                Notation::Unknown,
                "1234.50",
                styles::number(2, true),
            ),
            (
                "1.234,5",
                Notation::Unknown,
                "1234.5",
                styles::number(1, true),
            ),
            ("1,234", Notation::Comma, "1.234", styles::number(3, false)),
            ("1,234", Notation::Point, "1234", styles::number(0, true)),
            (
                "\u{2212}1\u{a0}234",
                Notation::Unknown,
                "-1234",
                styles::number(0, true),
            ),
            ("1 234", Notation::Comma, "1234", styles::number(0, true)),
            (
                "1 234,5",
                Notation::Unknown,
                "1234.5",
                styles::number(1, true),
            ),
            ("12.5%", Notation::Unknown, "0.125", styles::percentage(1)),
            ("12,5 %", Notation::Unknown, "0.125", styles::percentage(1)),
            ("0.07%", Notation::Unknown, "0.0007", styles::percentage(2)),
            ("7", Notation::Mixed, "7", styles::number(0, false)),
        ];
        for (text, notation, number, style) in cases {
            let expected = Some((number.to_owned(), style));
            assert_eq!(read(text, notation), expected, "{text}");
        }
    }

    #[test]
    fn ambiguous_values_stay_text() {
        for text in [
            "1,234",
            "1.234",
            "1 234",
            "0042",
            "007",
            "+49 30",
            "1.2.3",
            "192.168.100.200",
            "1e5",
            "+1",
            "12-34",
            "1,23,456",
            "1 234 567 8",
            "",
            "-",
            "%",
            "1234567890123456",
            "(5)",
            ".5",
            "5.",
        ] {
            assert_eq!(read(text, Notation::Unknown), None, "{text}");
        }
        for (text, number) in [
            ("1,234,567", "1234567"),
            ("1.5", "1.5"),
            ("1,5", "1.5"),
            ("0.125", "0.125"),
            ("0", "0"),
        ] {
            assert_eq!(
                read(text, Notation::Unknown)
                    .map(|(number, _)| number)
                    .as_deref(),
                Some(number),
                "{text}"
            );
        }
        assert_eq!(read("1.5", Notation::Mixed), None);
    }

    #[test]
    fn only_existing_dates_are_recognized() {
        let found = |number: &str, style| Some((number.to_owned(), style));
        let read = |text| read(text, Notation::Unknown);
        assert_eq!(read("2024-03-05"), found("45356", styles::DATE));
        assert_eq!(read("29.02.2024"), found("45351", styles::DATE_WITH_POINTS));
        assert_eq!(read("1900-03-01"), found("61", styles::DATE));
        for text in [
            "2023-02-29",
            "1900-02-28",
            "2024-13-01",
            "1.2.2024",
            "2024-3-5",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
