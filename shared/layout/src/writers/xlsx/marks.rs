//! What the signs in a table's numbers mean, told from those that can be read in one way.

use super::number::{Number, without_percent};
use crate::Table;
use crate::writers::plain;

/// How the numbers of a table are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Marks {
    /// No number tells.
    #[default]
    Unknown,
    /// As `1,234.5`.
    Point,
    /// As `1.234,5` or `1 234,5`.
    Comma,
    /// Numbers tell both.
    Mixed,
}

impl Marks {
    /// What the cells below a table's header tell.
    pub(super) fn of(table: &Table) -> Self {
        let cells = table.cells.iter();
        cells
            .filter(|cell| cell.row >= table.header_rows)
            .map(|cell| Self::told(&plain::of_blocks(&cell.blocks)))
            .fold(Self::Unknown, Self::and)
    }

    /// What two together tell.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, one) | (one, Self::Unknown) => one,
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }

    fn told(text: &str) -> Self {
        let (body, _) = without_percent(text);
        match (Number::with_point(body), Number::with_comma(body)) {
            (Some(_), None) => Self::Point,
            // Spaces alone may stand between two numbers.
            (None, Some(_)) if body.contains(['.', ',']) => Self::Comma,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn one_number_tells_what_signs_mean_and_two_may_differ() {
        let told = |texts: &[&str]| {
            let marks = texts.iter().map(|text| Marks::told(text));
            marks.fold(Marks::Unknown, Marks::and)
        };
        assert_eq!(told(&["1,234", "12", "7 000", "1.2.3"]), Marks::Unknown);
        assert_eq!(told(&["1,234", "1,234.50"]), Marks::Point);
        assert_eq!(told(&["1.234", "0,5 %"]), Marks::Comma);
        assert_eq!(told(&["1,5", "1.5"]), Marks::Mixed);
    }
}
