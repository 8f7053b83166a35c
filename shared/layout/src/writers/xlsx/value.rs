//! Recognizes texts that are unambiguous numbers, amounts, percentages or dates.

use super::amount::Amount;
use super::column::Column;
use super::date;
use super::notation::Notation;
use super::number::Number;

/// A recognized value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Number in the notation of the file format.
    pub(super) number: String,
    /// Format code that displays it like the text.
    pub(super) code: String,
}

impl Value {
    /// Recognizes the value of a text in a table with this notation and in this column; `None` if it is not a value or
    /// ambiguous. Leading zeros indicate an identifier.
    pub(super) fn read(text: &str, notation: Notation, column: Column) -> Option<Self> {
        if let Some((serial, code)) = date::parse(text, column.order()) {
            return Some(Self {
                number: serial.to_string(),
                code: code.to_owned(),
            });
        }
        let amount = Amount::of(text);
        let mut number = number(amount.number, notation, column)?;
        let is_plain = number.is_bare() && amount.currency.is_none() && !amount.is_percentage;
        if (is_plain && column.has_identifiers) || (number.is_grouped && column.has_lists) {
            return None;
        }
        if amount.is_in_parentheses || amount.has_outer_minus {
            let is_twice =
                number.is_negative || (amount.is_in_parentheses && amount.has_outer_minus);
            if is_twice || (is_plain && !column.has_negative_amounts) {
                return None;
            }
            number.is_negative = true;
        }
        let value = match amount.is_percentage {
            true if number.is_grouped => return None,
            true => {
                let value: f64 = format!("{}e-2", number.text()).parse().ok()?;
                value.to_string()
            }
            false => number.text(),
        };
        Some(Self {
            number: value,
            code: code(&number, amount),
        })
    }
}

/// Returns the format code of a number.
fn code(number: &Number, amount: Amount<'_>) -> String {
    let mut code = if number.is_grouped { "#,##0" } else { "0" }.to_owned();
    if !number.decimals.is_empty() {
        code = format!("{code}.{}", "0".repeat(number.decimals.len()));
    }
    if amount.is_percentage {
        code.push('%');
    }
    if let Some(currency) = amount.currency {
        let (symbol, space) = (currency.symbol, if currency.has_space { " " } else { "" });
        code = match currency.is_first {
            true => format!("\"{symbol}{space}\"{code}"),
            false => format!("{code}\"{space}{symbol}\""),
        };
    }
    match amount.is_in_parentheses {
        true => format!("{code}_);({code})"),
        false => code,
    }
}

/// Parses a number in a table with this notation.
fn number(text: &str, notation: Notation, column: Column) -> Option<Number> {
    if text.contains(' ') && !text.contains([',', '.']) {
        // A space may separate two numbers, unless the table or the column shows that it separates thousands.
        let is_separator = notation == Notation::Comma || column.has_numbers_only();
        return Number::with_comma(text).filter(|_| is_separator);
    }
    match notation {
        Notation::Point => Number::with_point(text),
        Notation::Comma => Number::with_comma(text),
        Notation::Unknown => match (Number::with_point(text), Number::with_comma(text)) {
            (Some(one), Some(other)) => (one == other).then_some(one),
            (one, other) => one.or(other),
        },
        Notation::Mixed => Number::with_point(text).filter(Number::is_bare),
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Notation, Value};

    fn read(text: &str, notation: Notation) -> Option<(String, String)> {
        let value = Value::read(text, notation, Column::default());
        value.map(|value| (value.number, value.code))
    }

    #[test]
    fn numbers_are_read_as_their_table_writes_them() {
        let cases = [
            ("1,234.50", Notation::Unknown, "1234.50", "#,##0.00"),
            ("1.234,5", Notation::Unknown, "1234.5", "#,##0.0"),
            ("1,234", Notation::Comma, "1.234", "0.000"),
            ("1,234", Notation::Point, "1234", "#,##0"),
            ("\u{2212}1\u{a0}234", Notation::Unknown, "-1234", "#,##0"),
            ("1 234", Notation::Comma, "1234", "#,##0"),
            ("1 234,5", Notation::Unknown, "1234.5", "#,##0.0"),
            ("12.5%", Notation::Unknown, "0.125", "0.0%"),
            ("12,5 %", Notation::Unknown, "0.125", "0.0%"),
            ("0.07%", Notation::Unknown, "0.0007", "0.00%"),
            ("7", Notation::Mixed, "7", "0"),
        ];
        for (text, notation, number, code) in cases {
            let expected = Some((number.to_owned(), code.to_owned()));
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
    fn amounts_keep_their_sign_and_currency() {
        for (text, number, code) in [
            ("(1,234.50)", "-1234.50", "#,##0.00_);(#,##0.00)"),
            ("1,234.50-", "-1234.50", "#,##0.00"),
            ("1'234.50", "1234.50", "#,##0.00"),
            ("$1,234.50", "1234.50", "\"$\"#,##0.00"),
            ("-$5.00", "-5.00", "\"$\"0.00"),
            ("($5)", "-5", "\"$\"0_);(\"$\"0)"),
            ("1.234,50 \u{20ac}", "1234.50", "#,##0.00\" \u{20ac}\""),
        ] {
            let expected = Some((number.to_owned(), code.to_owned()));
            assert_eq!(read(text, Notation::Unknown), expected, "{text}");
        }
        assert_eq!(read("(-5.00)", Notation::Unknown), None);
    }
}
