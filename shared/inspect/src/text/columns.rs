//! Detects CSV columns to import as text, because their values would change as numbers.

use std::collections::BTreeSet;

/// Number of decimal digits that a spreadsheet number preserves [IEEE 754, binary64].
const PRESERVED_DIGITS: usize = 15;
/// Number of characters of a field that are examined; longer ones do not occur in numbers.
const MAX_CHARACTERS: usize = 64;

/// Reads the fields of a table one after the other.
pub(super) struct Columns {
    separator: char,
    /// The current field, truncated after about [`MAX_CHARACTERS`].
    field: String,
    /// The number of its column, from 1.
    column: u64,
    quoted: bool,
    inside_field: bool,
    text_columns: BTreeSet<u64>,
}

impl Columns {
    /// Creates a reader of a table with this separator.
    pub(super) fn separated_by(separator: char) -> Self {
        Self {
            separator,
            field: String::new(),
            column: 1,
            quoted: false,
            inside_field: false,
            text_columns: BTreeSet::new(),
        }
    }

    /// Reads a piece of text. A quotation mark starts a quoted field only at the start of the field.
    pub(super) fn add(&mut self, piece: &str) {
        for character in piece.chars() {
            match character {
                '"' if self.quoted => (self.quoted, self.inside_field) = (false, false),
                '"' if !self.inside_field => self.quoted = true,
                _ if self.quoted => self.push(character),
                '\n' => {
                    self.end_field();
                    self.column = 1;
                }
                '\r' => {}
                other if other == self.separator => {
                    self.end_field();
                    self.column += 1;
                }
                other => {
                    self.inside_field = true;
                    self.push(other);
                }
            }
        }
    }

    /// Returns the columns to import as text.
    pub(super) fn text_columns(mut self) -> Vec<u64> {
        self.end_field();
        self.text_columns.into_iter().collect()
    }

    fn push(&mut self, character: char) {
        if self.field.len() <= MAX_CHARACTERS {
            self.field.push(character);
        }
    }

    fn end_field(&mut self) {
        self.inside_field = false;
        if is_numeric(&self.field) && !is_canonical_number(&self.field) {
            self.text_columns.insert(self.column);
        }
        self.field.clear();
    }
}

fn is_numeric(field: &str) -> bool {
    let numeric = |character: char| {
        character.is_ascii_digit() || "+-.,eE% \u{a0}\u{202f}".contains(character)
    };
    field.chars().all(numeric) && field.contains(|character: char| character.is_ascii_digit())
}

/// Whether a number equals its canonical form in a spreadsheet.
fn is_canonical_number(field: &str) -> bool {
    let unsigned = field.strip_prefix('-').unwrap_or(field);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "1"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let padded = whole.len() > 1 && whole.starts_with('0') || fraction.ends_with('0');
    let is_negative_zero = field.starts_with('-') && unsigned == "0";
    digits(whole)
        && digits(fraction)
        && !padded
        && !is_negative_zero
        && unsigned.len() <= PRESERVED_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_text_if_a_number_in_it_would_change() {
        let text_columns = |field: &str| {
            let mut columns = Columns::separated_by(';');
            columns.add(&format!("a;{field};c\r\n"));
            columns.text_columns()
        };
        for kept in [
            "0",
            "-7",
            "42",
            "3.25",
            "-0.5",
            "123456789012345",
            "",
            "a b",
            "1/2/2020",
            "=1+1",
            "Ä",
        ] {
            assert_eq!(text_columns(kept), [0; 0], "{kept}");
        }
        for changed in [
            "007",
            "-0",
            "+49",
            "0.10",
            "1E3",
            "1,5",
            "1 000",
            "25%",
            "1234567890123456",
            ".5",
            "5.",
            "\"007\"",
            "1.2.3",
        ] {
            assert_eq!(text_columns(changed), [2], "{changed}");
        }
    }

    #[test]
    fn quotes_and_line_ends_separate_as_in_spreadsheets() {
        let mut columns = Columns::separated_by(',');
        columns.add("\"x,\n007\",1\n2,\"0");
        columns.add("08\"\n,,5,09");
        assert_eq!(columns.text_columns(), [2, 4]);
    }
}
