//! Columns of a table in text whose numbers would not stay as they are written: they are text.

use std::collections::BTreeSet;

/// Digits that a number in a sheet surely keeps [IEEE 754, binary64].
const DIGITS: usize = 15;
/// Characters of a field that are looked at: no number is as long.
const LONGEST: usize = 64;

/// Reads fields one after the other.
pub(super) struct Columns {
    separator: char,
    /// This field, as far as it may be a number.
    field: String,
    /// The number of its column, from 1.
    column: u64,
    quoted: bool,
    inside_field: bool,
    texts: BTreeSet<u64>,
}

impl Columns {
    /// For a table with this between its fields.
    pub(super) fn divided_by(separator: char) -> Self {
        Self {
            separator,
            field: String::new(),
            column: 1,
            quoted: false,
            inside_field: false,
            texts: BTreeSet::new(),
        }
    }

    /// Reads a piece. A quotation mark begins a quotation at the beginning of a field only.
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

    /// The columns that are text.
    pub(super) fn texts(mut self) -> Vec<u64> {
        self.end_field();
        self.texts.into_iter().collect()
    }

    fn push(&mut self, character: char) {
        if self.field.len() <= LONGEST {
            self.field.push(character);
        }
    }

    fn end_field(&mut self) {
        self.inside_field = false;
        if is_like_a_number(&self.field) && !stays(&self.field) {
            self.texts.insert(self.column);
        }
        self.field.clear();
    }
}

fn is_like_a_number(field: &str) -> bool {
    let numeric = |character: char| {
        character.is_ascii_digit() || "+-.,eE% \u{a0}\u{202f}".contains(character)
    };
    field.chars().all(numeric) && field.contains(|character: char| character.is_ascii_digit())
}

/// Whether a number is written as a sheet writes it that knows nothing but its value.
fn stays(field: &str) -> bool {
    let unsigned = field.strip_prefix('-').unwrap_or(field);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "1"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let padded = whole.len() > 1 && whole.starts_with('0') || fraction.ends_with('0');
    let is_zero = field.starts_with('-') && unsigned == "0";
    digits(whole) && digits(fraction) && !padded && !is_zero && unsigned.len() <= DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_change_make_their_column_text() {
        let texts = |field: &str| {
            let mut columns = Columns::divided_by(';');
            columns.add(&format!("a;{field};c\r\n"));
            columns.texts()
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
            assert_eq!(texts(kept), [0; 0], "{kept}");
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
            assert_eq!(texts(changed), [2], "{changed}");
        }
    }

    #[test]
    fn quotation_marks_and_ends_of_lines_divide_as_they_do_in_sheets() {
        let mut columns = Columns::divided_by(',');
        columns.add("\"x,\n007\",1\n2,\"0");
        columns.add("08\"\n,,5,09");
        assert_eq!(columns.texts(), [2, 4]);
    }
}
