//! The range of cells that a sheet uses, which decides how many pages it becomes.
//!
//! Cells that hold something count, whatever range the file declares: a single cell in the last corner of a sheet makes
//! billions of cells to lay out. Empty cells that are only repeated, as `OpenDocument` pads sheets, do not count. A row or
//! cell of OOXML that does not say where it is follows the one before it [ECMA-376-1, 18.3.1.4 and 18.3.1.73].

use domain::limits::SHEET_CELLS;
use quick_xml::events::BytesStart;
use task::{Fault, Outcome};

use super::xml::attribute;

/// The range that the cells of a sheet span, from the first row and column.
#[derive(Default)]
pub(super) struct Range {
    rows: u64,
    columns: u64,
}

impl Range {
    /// A cell, counted from 1, holds something.
    ///
    /// # Errors
    /// [`Fault::Document`] if that makes the range too large.
    pub(super) fn note(&mut self, row: u64, column: u64) -> Outcome<()> {
        self.rows = self.rows.max(row);
        self.columns = self.columns.max(column);
        match self.rows.saturating_mul(self.columns) {
            0..=SHEET_CELLS => Ok(()),
            _ => Err(Fault::too_large("A sheet has more than 2,000,000 cells.")),
        }
    }
}

/// A sheet, as far as it was read.
pub(super) struct Sheet {
    dialect: Dialect,
    range: Range,
    row: u64,
    column: u64,
    repeat: u64,
}

enum Dialect {
    OpenXml,
    OpenDocument,
}

impl Sheet {
    /// A sheet of OOXML.
    pub(super) fn open_xml() -> Self {
        Self::new(Dialect::OpenXml)
    }

    /// All sheets of an `OpenDocument` file, one after the other.
    pub(super) fn open_document() -> Self {
        Self::new(Dialect::OpenDocument)
    }

    fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            range: Range::default(),
            row: 0,
            column: 0,
            repeat: 0,
        }
    }

    /// Takes an element of the sheet.
    pub(super) fn take(&mut self, element: &BytesStart<'_>) -> Outcome<()> {
        match self.dialect {
            Dialect::OpenXml => self.take_open_xml(element),
            Dialect::OpenDocument => self.take_open_document(element),
        }
    }

    fn take_open_xml(&mut self, element: &BytesStart<'_>) -> Outcome<()> {
        let place = || attribute(element, "r");
        match element.local_name().as_ref() {
            "row" => {
                let row = place().and_then(|row| row.trim().parse().ok());
                self.row = row.unwrap_or(self.row + 1);
                self.column = 0;
            }
            "c" => {
                let next = (self.column + 1, self.row);
                (self.column, self.row) = place().as_deref().and_then(position).unwrap_or(next);
                self.note(self.row)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn take_open_document(&mut self, element: &BytesStart<'_>) -> Outcome<()> {
        match element.local_name().as_ref() {
            "table" => *self = Self::open_document(),
            "table-row" => {
                self.row = self.row.saturating_add(self.repeat);
                self.repeat = repeated(element, "number-rows-repeated");
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" => {
                let columns = repeated(element, "number-columns-repeated");
                self.column = self.column.saturating_add(columns);
                let holds = |name| attribute(element, name).is_some();
                if holds("value-type") || holds("formula") {
                    self.note(self.row.saturating_add(self.repeat))?;
                }
            }
            // Text makes a cell hold something, with or without a type.
            "p" if self.column > 0 => self.note(self.row.saturating_add(self.repeat))?,
            _ => {}
        }
        Ok(())
    }

    /// The cell at hand, in this row and before, holds something.
    fn note(&mut self, row: u64) -> Outcome<()> {
        self.range.note(row, self.column)
    }
}

fn repeated(element: &BytesStart<'_>, name: &str) -> u64 {
    let count = attribute(element, name).and_then(|count| count.parse().ok());
    count.unwrap_or(1).min(1 << 32)
}

/// Column and row of a reference such as `AB12`, from 1.
fn position(reference: &str) -> Option<(u64, u64)> {
    let letters = reference
        .bytes()
        .take_while(u8::is_ascii_alphabetic)
        .count();
    let (column, row) = reference.split_at_checked(letters)?;
    let digit = |letter: u8| u64::from(letter.to_ascii_uppercase() - b'A' + 1);
    let column = column.bytes().try_fold(0_u64, |sum, letter| {
        sum.checked_mul(26)?.checked_add(digit(letter))
    })?;
    Some((column, row.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::xml;
    use super::*;

    fn fits(text: &str, mut sheet: Sheet) -> bool {
        let taken = xml::read(&mut text.as_bytes(), |piece| match piece {
            xml::Piece::Element(element) => sheet.take(element),
            xml::Piece::Text(_) => Ok(()),
        });
        taken.is_ok()
    }

    #[test]
    fn references_are_counted_from_one() {
        assert_eq!(position("A1"), Some((1, 1)));
        assert_eq!(position("XFD1048576"), Some((16_384, 1_048_576)));
        assert_eq!(position("12"), Some((0, 12)));
        assert_eq!(position("A"), None);
    }

    #[test]
    fn only_cells_that_hold_something_count() {
        let xlsx = |cell: &str| {
            format!("<sheetData><row><c r=\"A1\"/><c r=\"{cell}\"/></row></sheetData>")
        };
        assert!(fits(&xlsx("B1000000"), Sheet::open_xml()));
        assert!(!fits(&xlsx("C1000000"), Sheet::open_xml()));
        let implicit = |row: u64| format!("<row r=\"{row}\"><c/><c/><c/></row>");
        assert!(fits(&implicit(600_000), Sheet::open_xml()));
        assert!(!fits(&implicit(700_000), Sheet::open_xml()));
        let row = |rows: u64, columns: u64, value: &str| {
            format!(
                "<table><table-row number-rows-repeated=\"{rows}\"><table-cell number-columns-repeated=\"{columns}\" {value}/></table-row></table>"
            )
        };
        let ods = |text: String| fits(&text, Sheet::open_document());
        assert!(ods(row(1_048_576, 16_384, "")));
        assert!(ods(row(1_000, 1_999, "value-type=\"float\"")));
        assert!(!ods(row(1_048_576, 16_384, "value-type=\"float\"")));
        assert!(!ods(row(1_048_576, 16_384, "formula=\"of:=1\"")));
        assert!(!ods(
            row(1_048_576, 16_384, "").replace("/></table-row>", "><p/></table-cell></table-row>")
        ));
    }
}
