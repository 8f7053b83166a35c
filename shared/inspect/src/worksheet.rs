//! Used cell range of a worksheet, which determines its number of pages.
//!
//! Only cells with a value count, regardless of the range that the file declares: a single cell in the last corner of a sheet
//! means billions of cells to lay out. Repeated empty cells, with which `OpenDocument` pads sheets, do not count. An OOXML row
//! or cell without a reference follows the previous one [ECMA-376-1, 18.3.1.4 and 18.3.1.73].

use domain::limits::SHEET_CELLS;
use quick_xml::events::BytesStart;
use task::{TaskError, TaskResult};

use super::xml::attribute;

/// The range of used cells, from the first row and column.
#[derive(Default)]
pub(super) struct Range {
    rows: u64,
    columns: u64,
}

impl Range {
    /// Adds a cell with a value; `row` and `column` are counted from 1.
    ///
    /// # Errors
    /// [`TaskError::Document`] if the range becomes too large.
    pub(super) fn note(&mut self, row: u64, column: u64) -> TaskResult<()> {
        self.rows = self.rows.max(row);
        self.columns = self.columns.max(column);
        match self.rows.saturating_mul(self.columns) {
            0..=SHEET_CELLS => Ok(()),
            _ => Err(TaskError::too_large(
                "A worksheet has more than 2,000,000 cells.",
            )),
        }
    }
}

/// The state of parsing a worksheet.
pub(super) struct Worksheet {
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

impl Worksheet {
    /// An OOXML worksheet.
    pub(super) fn open_xml() -> Self {
        Self::new(Dialect::OpenXml)
    }

    /// All worksheets of an `OpenDocument` file, one after the other.
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

    /// Processes an element.
    pub(super) fn take(&mut self, element: &BytesStart<'_>) -> TaskResult<()> {
        match self.dialect {
            Dialect::OpenXml => self.take_open_xml(element),
            Dialect::OpenDocument => self.take_open_document(element),
        }
    }

    fn take_open_xml(&mut self, element: &BytesStart<'_>) -> TaskResult<()> {
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

    fn take_open_document(&mut self, element: &BytesStart<'_>) -> TaskResult<()> {
        match element.local_name().as_ref() {
            "table" => *self = Self::open_document(),
            "table-row" => {
                self.row = self.row.saturating_add(self.repeat);
                self.repeat = repeat_count(element, "number-rows-repeated");
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" => {
                let columns = repeat_count(element, "number-columns-repeated");
                self.column = self.column.saturating_add(columns);
                let holds = |name| attribute(element, name).is_some();
                if holds("value-type") || holds("formula") {
                    self.note(self.row.saturating_add(self.repeat))?;
                }
            }
            // Text is a value, even in a cell without a type.
            "p" if self.column > 0 => self.note(self.row.saturating_add(self.repeat))?,
            _ => {}
        }
        Ok(())
    }

    /// Adds the current column in `row`, the last row that the current row element represents.
    fn note(&mut self, row: u64) -> TaskResult<()> {
        self.range.note(row, self.column)
    }
}

fn repeat_count(element: &BytesStart<'_>, name: &str) -> u64 {
    let count = attribute(element, name).and_then(|count| count.parse().ok());
    count.unwrap_or(1).min(1 << 32)
}

/// Parses a reference such as `AB12` to column and row, from 1.
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

    fn fits(text: &str, mut sheet: Worksheet) -> bool {
        let taken = xml::read(&mut text.as_bytes(), |event| match event {
            xml::XmlEvent::Element(element) => sheet.take(element),
            xml::XmlEvent::Text(_) => Ok(()),
        });
        taken.is_ok()
    }

    #[test]
    fn references_start_at_one() {
        assert_eq!(position("A1"), Some((1, 1)));
        assert_eq!(position("XFD1048576"), Some((16_384, 1_048_576)));
        assert_eq!(position("12"), Some((0, 12)));
        assert_eq!(position("A"), None);
    }

    #[test]
    fn only_cells_with_values_count() {
        let xlsx = |cell: &str| {
            format!("<sheetData><row><c r=\"A1\"/><c r=\"{cell}\"/></row></sheetData>")
        };
        assert!(fits(&xlsx("B1000000"), Worksheet::open_xml()));
        assert!(!fits(&xlsx("C1000000"), Worksheet::open_xml()));
        let implicit = |row: u64| format!("<row r=\"{row}\"><c/><c/><c/></row>");
        assert!(fits(&implicit(600_000), Worksheet::open_xml()));
        assert!(!fits(&implicit(700_000), Worksheet::open_xml()));
        let row = |rows: u64, columns: u64, value: &str| {
            format!(
                "<table><table-row number-rows-repeated=\"{rows}\"><table-cell number-columns-repeated=\"{columns}\" {value}/></table-row></table>"
            )
        };
        let ods = |text: String| fits(&text, Worksheet::open_document());
        assert!(ods(row(1_048_576, 16_384, "")));
        assert!(ods(row(1_000, 1_999, "value-type=\"float\"")));
        assert!(!ods(row(1_048_576, 16_384, "value-type=\"float\"")));
        assert!(!ods(row(1_048_576, 16_384, "formula=\"of:=1\"")));
        assert!(!ods(
            row(1_048_576, 16_384, "").replace("/></table-row>", "><p/></table-cell></table-row>")
        ));
    }
}
