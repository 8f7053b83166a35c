//! Texts that are numbers, percentages or dates, where there is one way to read them.

use super::marks::Marks;
use super::styles;

/// A text's value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// As the format writes numbers.
    pub(super) number: String,
    /// The style in which it looks as the text did.
    pub(super) style: usize,
}

/// Most digits of a number that spreadsheets keep.
const DIGITS: usize = 15;

impl Value {
    /// The value of a text in a table of these marks; `None` for one that is none, or more than one. What begins with zeros is
    /// the name of something.
    pub(super) fn read(text: &str, marks: Marks) -> Option<Self> {
        if !text.ends_with(|last: char| last.is_ascii_digit() || last == '%') {
            return None;
        }
        if let Some(value) = date(text) {
            return Some(value);
        }
        let (body, is_percentage) = without_percent(text);
        let number = Number::read(body, marks)?;
        Some(if is_percentage {
            number.hundredth()?
        } else {
            number.value()
        })
    }
}

/// A number as it is written.
#[derive(PartialEq)]
pub(super) struct Number {
    is_negative: bool,
    whole: String,
    decimals: String,
    is_grouped: bool,
}

impl Number {
    fn read(text: &str, marks: Marks) -> Option<Self> {
        match marks {
            Marks::Point => Self::with_point(text),
            Marks::Comma => Self::with_comma(text),
            // Words apart may be more than one number.
            Marks::Unknown if text.contains(' ') && !text.contains(',') => None,
            Marks::Unknown => match (Self::with_point(text), Self::with_comma(text)) {
                (Some(one), Some(other)) => (one == other).then_some(one),
                (one, other) => one.or(other),
            },
            Marks::Mixed => Self::with_point(text).filter(Number::is_bare),
        }
    }

    /// As `1,234.5`.
    pub(super) fn with_point(text: &str) -> Option<Self> {
        Self::written(text, '.', &[','])
    }

    /// As `1.234,5` or `1 234,5`.
    pub(super) fn with_comma(text: &str) -> Option<Self> {
        Self::written(text, ',', &['.', ' ', '\u{a0}', '\u{202f}'])
    }

    /// Whether nothing but digits and a sign are written.
    pub(super) fn is_bare(&self) -> bool {
        self.decimals.is_empty() && !self.is_grouped
    }

    fn written(text: &str, point: char, separators: &[char]) -> Option<Self> {
        let body = text.strip_prefix(['-', '\u{2212}']);
        let (is_negative, body) = (body.is_some(), body.unwrap_or(text));
        let (whole, decimals) = match body.split_once(point) {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (body, ""),
        };
        let groups = groups(whole, separators);
        let number = Self {
            is_negative,
            whole: groups.concat(),
            decimals: decimals.to_owned(),
            is_grouped: groups.len() > 1,
        };
        let is_sure = are_groups(&groups) && !is_address(body);
        (is_sure && number.is_one()).then_some(number)
    }

    fn is_one(&self) -> bool {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_named = self.whole.len() > 1 && self.whole.starts_with('0');
        let length = self.whole.len() + self.decimals.len();
        digits(&self.whole)
            && digits(&self.decimals)
            && !self.whole.is_empty()
            && !is_named
            && length <= DIGITS
            && self.decimals.len() <= styles::DECIMALS
    }

    fn text(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let point = if self.decimals.is_empty() { "" } else { "." };
        format!("{sign}{}{point}{}", self.whole, self.decimals)
    }

    fn value(&self) -> Value {
        Value {
            number: self.text(),
            style: styles::number(self.decimals.len(), self.is_grouped),
        }
    }

    fn hundredth(&self) -> Option<Value> {
        let number: f64 = format!("{}e-2", self.text()).parse().ok()?;
        (!self.is_grouped).then(|| Value {
            number: number.to_string(),
            style: styles::percentage(self.decimals.len()),
        })
    }
}

/// A text without the sign of a percentage, and whether it had one.
pub(super) fn without_percent(text: &str) -> (&str, bool) {
    match text.strip_suffix('%') {
        Some(body) => (body.trim_end(), true),
        None => (text, false),
    }
}

fn groups<'a>(whole: &'a str, separators: &[char]) -> Vec<&'a str> {
    match separators.iter().find(|sign| whole.contains(**sign)) {
        Some(separator) => whole.split(*separator).collect(),
        None => vec![whole],
    }
}

/// Whether a text may be the address of a machine, as 192.168.100.200 is.
fn is_address(text: &str) -> bool {
    let is_byte = |part: &str| part.parse::<u8>().is_ok();
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Whether digits stand in threes, save for the first ones.
fn are_groups(groups: &[&str]) -> bool {
    match groups {
        [_] => true,
        [first, rest @ ..] => {
            (1..=3).contains(&first.len())
                && !first.starts_with('0')
                && rest.iter().all(|group| group.len() == 3)
        }
        [] => false,
    }
}

/// `2024-03-05` or `05.03.2024`.
fn date(text: &str) -> Option<Value> {
    let lengths = |separator: char| text.split(separator).map(str::len).collect::<Vec<_>>();
    let parts = |separator: char| {
        text.split(separator)
            .map(|part| {
                part.bytes()
                    .all(|byte| byte.is_ascii_digit())
                    .then(|| part.parse().ok())?
            })
            .collect::<Option<Vec<i64>>>()
    };
    let (parts, style) = if lengths('-') == [4, 2, 2] {
        (parts('-')?, styles::DATE)
    } else if lengths('.') == [2, 2, 4] {
        (
            parts('.')?.into_iter().rev().collect(),
            styles::DATE_WITH_POINTS,
        )
    } else {
        return None;
    };
    let [year, month, day] = parts.as_slice() else {
        return None;
    };
    let number = serial(*year, *month, *day)?;
    Some(Value {
        number: number.to_string(),
        style,
    })
}

/// The day's number, as spreadsheets count from 1900. They count a day in February of that year that never was, so that
/// earlier dates are left alone.
fn serial(year: i64, month: i64, day: i64) -> Option<i64> {
    const LENGTHS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let index = usize::try_from(month - 1).ok()?;
    let length = LENGTHS.get(index)? + i64::from(is_leap && month == 2);
    let before: i64 = LENGTHS.iter().take(index).sum::<i64>() + i64::from(is_leap && month > 2);
    let past = year - 1;
    let days = past * 365 + past / 4 - past / 100 + past / 400 + before + day;
    // The day before 1900-01-01 is 0, and the day that never was is one.
    let serial = days - 693_594;
    ((1..=length).contains(&day) && serial >= 61).then_some(serial)
}

#[cfg(test)]
mod tests {
    use super::{Marks, Value, styles};

    fn read(text: &str, marks: Marks) -> Option<(String, usize)> {
        Value::read(text, marks).map(|value| (value.number, value.style))
    }

    #[test]
    fn numbers_are_read_as_their_table_writes_them() {
        let cases = [
            (
                "1,234.50",
                Marks::Unknown,
                "1234.50",
                styles::number(2, true),
            ),
            ("1.234,5", Marks::Unknown, "1234.5", styles::number(1, true)),
            ("1,234", Marks::Comma, "1.234", styles::number(3, false)),
            ("1,234", Marks::Point, "1234", styles::number(0, true)),
            (
                "\u{2212}1\u{a0}234",
                Marks::Unknown,
                "-1234",
                styles::number(0, true),
            ),
            ("1 234", Marks::Comma, "1234", styles::number(0, true)),
            ("1 234,5", Marks::Unknown, "1234.5", styles::number(1, true)),
            ("12.5%", Marks::Unknown, "0.125", styles::percentage(1)),
            ("12,5 %", Marks::Unknown, "0.125", styles::percentage(1)),
            ("0.07%", Marks::Unknown, "0.0007", styles::percentage(2)),
            ("7", Marks::Mixed, "7", styles::number(0, false)),
        ];
        for (text, marks, number, style) in cases {
            let expected = Some((number.to_owned(), style));
            assert_eq!(read(text, marks), expected, "{text}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_stays_text() {
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
            assert_eq!(read(text, Marks::Unknown), None, "{text}");
        }
        for (text, number) in [
            ("1,234,567", "1234567"),
            ("1.5", "1.5"),
            ("1,5", "1.5"),
            ("0.125", "0.125"),
            ("0", "0"),
        ] {
            assert_eq!(
                read(text, Marks::Unknown)
                    .map(|(number, _)| number)
                    .as_deref(),
                Some(number),
                "{text}"
            );
        }
        assert_eq!(read("1.5", Marks::Mixed), None);
    }

    #[test]
    fn dates_are_days_that_were() {
        let found = |number: &str, style| Some((number.to_owned(), style));
        let read = |text| read(text, Marks::Unknown);
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
