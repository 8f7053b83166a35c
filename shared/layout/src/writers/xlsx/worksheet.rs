//! Writes a worksheet row by row.

use std::fmt::Write as _;

use super::column::Column;
use super::links::{self, Links};
use super::notation::Notation;
use super::styles::Styles;
use super::value::Value;
use super::{MAIN, shortened, styles};
use crate::Table;
use crate::writers::grid::{Grid, GridCell, Slot};
use crate::writers::plain;
use crate::writers::xml::Escaped;

/// A worksheet that is being written.
#[derive(Default)]
pub(super) struct Worksheet {
    /// Column widths, points.
    widths: Vec<f32>,
    /// Number of frozen rows.
    frozen: usize,
    is_rtl: bool,
    /// Number of rows.
    rows: usize,
    /// Merged ranges, as XML.
    merged: String,
    pub(super) links: Links,
    /// Number of truncated cells.
    pub(super) truncated_cells: u32,
}

/// What determines the values of cells.
#[derive(Default)]
pub(super) struct Context {
    /// Number formats of all worksheets.
    pub(super) styles: Styles,
    /// Number notation of the open table.
    notation: Notation,
    /// Columns of the open table.
    columns: Vec<Column>,
}

impl Context {
    /// Begins a table.
    pub(super) fn begin(&mut self) {
        (self.notation, self.columns) = (Notation::default(), Vec::new());
    }

    /// Adds rows to the open table.
    pub(super) fn add(&mut self, table: &Table) {
        self.notation = self.notation.and(Notation::of(table));
        Column::extend(&mut self.columns, table);
    }

    /// Returns the value of a cell and its style.
    fn value(&mut self, text: &str, column: usize) -> Option<(String, usize)> {
        let column = self.columns.get(column).copied().unwrap_or_default();
        let value = Value::read(text, self.notation, column)?;
        Some((value.number, self.styles.of(value.code)))
    }
}

/// Maximum length of a cell in characters.
const LONGEST: usize = 32_767;

/// Maximum number of columns.
const COLUMNS: usize = 16_384;

/// Maximum number of rows.
const ROWS: usize = 1_048_576;

/// Width of the single column of a page's text, points.
const TEXT_WIDTH: f32 = 480.0;

impl Worksheet {
    pub(super) fn of_text() -> Self {
        Self {
            widths: vec![TEXT_WIDTH],
            ..Self::default()
        }
    }

    pub(super) fn of_table(table: &Table, is_rtl: bool) -> Self {
        let frozen = table.header_rows.min(table.rows.saturating_sub(1)).min(16);
        Self {
            widths: table.widths.clone(),
            frozen,
            is_rtl,
            ..Self::default()
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows >= ROWS
    }

    /// Returns the XML before the first row.
    pub(super) fn head(&self) -> String {
        let mut xml =
            format!("<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\"");
        xml.push_str(if self.is_rtl {
            " rightToLeft=\"1\">"
        } else {
            ">"
        });
        if self.frozen > 0 {
            let (rows, below) = (self.frozen, self.frozen + 1);
            write!(xml, "<pane ySplit=\"{rows}\" topLeftCell=\"A{below}\" activePane=\"bottomLeft\" state=\"frozen\"/>").ok();
        }
        xml.push_str("</sheetView></sheetViews>");
        if !self.widths.is_empty() {
            xml.push_str("<cols>");
            for (width, number) in self.widths.iter().take(COLUMNS).zip(1..) {
                // The unit is the width of a digit in the default font, 7 px at 96 dpi.
                let units = if *width > 0.0 {
                    (width / 5.25).clamp(2.0, 100.0)
                } else {
                    12.0
                };
                write!(xml, "<col min=\"{number}\" max=\"{number}\" width=\"{units:.2}\" customWidth=\"1\"/>").ok();
            }
            xml.push_str("</cols>");
        }
        xml + "<sheetData>"
    }

    /// Returns the XML after the last row.
    pub(super) fn tail(&self) -> String {
        let merged = match self.merged.as_str() {
            "" => String::new(),
            areas => format!("<mergeCells>{areas}</mergeCells>"),
        };
        format!("</sheetData>{merged}{}</worksheet>", self.links.xml())
    }

    /// Returns a row with a text, which has links to these targets.
    pub(super) fn line(&mut self, text: &str, targets: Vec<&str>) -> String {
        self.rows += 1;
        let place = address(self.rows, 0);
        self.links.add(&place, targets);
        let cell = self.text(&place, text, styles::WRAPPED);
        format!("<row r=\"{}\">{cell}</row>", self.rows)
    }

    /// Returns a row of a table.
    pub(super) fn row(
        &mut self,
        table: &Table,
        grid: &Grid,
        row: usize,
        context: &mut Context,
    ) -> String {
        self.rows += 1;
        let mut xml = format!("<row r=\"{}\">", self.rows);
        for (column, slot) in grid.row(row).into_iter().enumerate() {
            let Slot::Begins(placed) = slot else { continue };
            let blocks = table
                .cells
                .get(placed.cell)
                .map_or(&[][..], |cell| &cell.blocks);
            let text = plain::of_blocks(blocks);
            if column >= COLUMNS {
                self.truncated_cells += u32::from(!text.is_empty());
                continue;
            }
            self.merge(placed);
            let is_header = row < grid.header_rows;
            let place = address(self.rows, column);
            let value = match is_header {
                true => None,
                false => context.value(&text, column),
            };
            xml.push_str(&self.cell(&place, &text, is_header, value));
            self.links.add(&place, links::targets(blocks));
        }
        xml + "</row>"
    }

    /// Merges the positions of a cell, within the limits of the sheet.
    fn merge(&mut self, placed: GridCell) {
        let last = (self.rows + placed.row_span - 1).min(ROWS);
        let right = (placed.column + placed.column_span - 1).min(COLUMNS - 1);
        if last > self.rows || right > placed.column {
            let (place, end) = (address(self.rows, placed.column), address(last, right));
            write!(self.merged, "<mergeCell ref=\"{place}:{end}\"/>").ok();
        }
    }

    fn cell(
        &mut self,
        place: &str,
        text: &str,
        is_header: bool,
        value: Option<(String, usize)>,
    ) -> String {
        if text.is_empty() {
            return String::new();
        }
        match value {
            Some((number, style)) => {
                format!("<c r=\"{place}\" s=\"{style}\"><v>{number}</v></c>")
            }
            None if is_header => self.text(place, text, styles::HEADER),
            None if text.contains('\n') => self.text(place, text, styles::WRAPPED),
            None => self.text(place, text, styles::GENERAL),
        }
    }

    fn text(&mut self, place: &str, text: &str, style: usize) -> String {
        let short = shortened(text, LONGEST);
        self.truncated_cells += u32::from(short.len() < text.trim_end().len());
        let escaped = escaped(&short);
        let text = Escaped(&escaped);
        format!(
            "<c r=\"{place}\" s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>"
        )
    }
}

/// Escapes text that has the form of a character escape, such as `_x000D_`.
fn escaped(text: &str) -> String {
    let is_code = |rest: &str| {
        let code = rest.as_bytes();
        code.get(..4)
            .is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
            && code.get(4) == Some(&b'_')
    };
    let mut pieces = text.split("_x");
    let mut escaped = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        escaped.push_str(if is_code(piece) { "_x005F_x" } else { "_x" });
        escaped.push_str(piece);
    }
    escaped
}

/// Returns a cell reference from a row, from 1, and a column, from 0.
fn address(row: usize, column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{row}")
}

#[cfg(test)]
mod tests {
    use super::{address, escaped};

    #[test]
    fn columns_are_named_by_letters() {
        let names = [
            (0, "A7"),
            (25, "Z7"),
            (26, "AA7"),
            (701, "ZZ7"),
            (702, "AAA7"),
            (16_383, "XFD7"),
        ];
        for (column, name) in names {
            assert_eq!(address(7, column), name);
        }
    }

    #[test]
    fn texts_like_escapes_stay_text() {
        assert_eq!(escaped("_x000D_ _x00_ a_xyz"), "_x005F_x000D_ _x00_ a_xyz");
    }
}
