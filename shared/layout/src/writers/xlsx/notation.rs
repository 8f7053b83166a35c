//! Detects the number notation of a table from its unambiguous numbers.

use super::amount::Amount;
use super::number::Number;
use crate::Table;
use crate::writers::plain;

/// The number notation of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Notation {
    /// No number is conclusive.
    #[default]
    Unknown,
    /// As `1,234.5`.
    Point,
    /// As `1.234,5` or `1 234,5`.
    Comma,
    /// Both notations occur.
    Mixed,
}

impl Notation {
    /// Detects the notation from the body cells of a table.
    pub(super) fn of(table: &Table) -> Self {
        let cells = table.cells.iter();
        cells
            .filter(|cell| cell.row >= table.header_rows)
            .map(|cell| Self::of_text(&plain::of_blocks(&cell.blocks)))
            .fold(Self::Unknown, Self::and)
    }

    /// Combines the notations of two cells.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, one) | (one, Self::Unknown) => one,
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }

    fn of_text(text: &str) -> Self {
        let body = Amount::of(text).number;
        match (Number::with_point(body), Number::with_comma(body)) {
            (Some(_), None) => Self::Point,
            // A space alone may separate two numbers.
            (None, Some(_)) if body.contains(['.', ',']) => Self::Comma,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Notation;

    #[test]
    fn notation_is_detected_and_may_be_mixed() {
        let notation_of = |texts: &[&str]| {
            let notation = texts.iter().map(|text| Notation::of_text(text));
            notation.fold(Notation::Unknown, Notation::and)
        };
        assert_eq!(
            notation_of(&["1,234", "12", "7 000", "1.2.3"]),
            Notation::Unknown
        );
        assert_eq!(notation_of(&["1,234", "1,234.50"]), Notation::Point);
        assert_eq!(notation_of(&["1.234", "0,5 %"]), Notation::Comma);
        assert_eq!(notation_of(&["1,5", "1.5"]), Notation::Mixed);
    }
}
