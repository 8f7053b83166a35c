//! The range of cells that a sheet uses, which decides how many pages it becomes.
//!
//! Cells that hold something count, whatever range the file declares: a single cell in the last corner of a sheet makes
//! billions of cells to lay out. Empty cells that are only repeated, as `OpenDocument` pads sheets, do not count.

use quick_xml::events::BytesStart;

use super::xml::attribute;
use crate::fault::{Fault, Outcome};

/// Most cells of the range.
const CELLS: u64 = 2_000_000;

/// The range of a sheet, as far as it was read.
pub(super) struct Sheet {
    dialect: Dialect,
    row: u64,
    rows: u64,
    column: u64,
    columns: u64,
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
            row: 0,
            rows: 0,
            column: 0,
            columns: 0,
            repeat: 0,
        }
    }

    /// Takes an element of the sheet.
    pub(super) fn take(&mut self, element: &BytesStart<'_>) -> Outcome<()> {
        match (&self.dialect, element.local_name().as_ref()) {
            (Dialect::OpenXml, "c") => {
                if let Some((column, row)) = attribute(element, "r").as_deref().and_then(position) {
                    self.rows = self.rows.max(row);
                    self.columns = self.columns.max(column);
                }
            }
            (Dialect::OpenDocument, "table") => *self = Self::open_document(),
            (Dialect::OpenDocument, "table-row") => {
                self.row += self.repeat;
                self.repeat = repeated(element, "number-rows-repeated");
                self.column = 0;
            }
            (Dialect::OpenDocument, "table-cell") => {
                self.column += repeated(element, "number-columns-repeated");
                if attribute(element, "value-type").is_some() {
                    self.rows = self.rows.max(self.row + self.repeat);
                    self.columns = self.columns.max(self.column);
                }
            }
            _ => {}
        }
        if self.rows.saturating_mul(self.columns) > CELLS {
            return Err(Fault::too_large("A sheet has more than 2,000,000 cells."));
        }
        Ok(())
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
        xml::read(&mut text.as_bytes(), |element| sheet.take(element)).is_ok()
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
        let row = |rows: u64, columns: u64, value: &str| {
            format!(
                "<table><table-row number-rows-repeated=\"{rows}\"><table-cell number-columns-repeated=\"{columns}\" {value}/></table-row></table>"
            )
        };
        let ods = |text: String| fits(&text, Sheet::open_document());
        assert!(ods(row(1_048_576, 16_384, "")));
        assert!(ods(row(1_000, 1_999, "value-type=\"float\"")));
        assert!(!ods(row(1_048_576, 16_384, "value-type=\"float\"")));
    }
}
