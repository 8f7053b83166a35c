//! A sheet of a workbook, row by row.

use std::fmt::Write as _;

use super::marks::Marks;
use super::value::Value;
use super::{MAIN, shortened, styles};
use crate::Table;
use crate::writers::grid::{Grid, GridCell, Slot};
use crate::writers::plain;
use crate::writers::xml::Escaped;

/// A sheet that is being written.
#[derive(Default)]
pub(super) struct Worksheet {
    /// The width of each column, points.
    widths: Vec<f32>,
    /// How many rows stay in view.
    frozen: usize,
    is_leftward: bool,
    /// How many rows it has.
    rows: usize,
    /// The areas of cells that are one.
    merged: String,
    /// How many texts were cut.
    pub(super) cut: u32,
}

/// Most characters of a cell.
const LONGEST: usize = 32_767;

/// Most columns of a sheet.
const COLUMNS: usize = 16_384;

/// Most rows of a sheet.
const ROWS: usize = 1_048_576;

/// The width of the only column of a page's text, points.
const TEXT_WIDTH: f32 = 480.0;

impl Worksheet {
    pub(super) fn of_text() -> Self {
        Self {
            widths: vec![TEXT_WIDTH],
            ..Self::default()
        }
    }

    pub(super) fn of_table(table: &Table, is_leftward: bool) -> Self {
        let frozen = table.header_rows.min(table.rows.saturating_sub(1)).min(16);
        Self {
            widths: table.widths.clone(),
            frozen,
            is_leftward,
            ..Self::default()
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows >= ROWS
    }

    /// What stands before the first row.
    pub(super) fn head(&self) -> String {
        let mut xml =
            format!("<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\"");
        xml.push_str(if self.is_leftward {
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
                // A unit is a digit of the usual font, 7 pixels of 96 an inch.
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

    /// What stands behind the last row.
    pub(super) fn tail(&self) -> String {
        let merged = match self.merged.as_str() {
            "" => String::new(),
            areas => format!("<mergeCells>{areas}</mergeCells>"),
        };
        format!("</sheetData>{merged}</worksheet>")
    }

    /// A row with a text.
    pub(super) fn line(&mut self, text: &str) -> String {
        self.rows += 1;
        let cell = self.text(&address(self.rows, 0), text, styles::WRAPPED);
        format!("<row r=\"{}\">{cell}</row>", self.rows)
    }

    /// A row of a table.
    pub(super) fn row(&mut self, table: &Table, grid: &Grid, row: usize, marks: Marks) -> String {
        self.rows += 1;
        let mut xml = format!("<row r=\"{}\">", self.rows);
        for (column, slot) in grid.row(row).into_iter().enumerate() {
            let Slot::Begins(placed) = slot else { continue };
            let text = table
                .cells
                .get(placed.cell)
                .map(|cell| plain::of_blocks(&cell.blocks));
            let text = text.unwrap_or_default();
            if column >= COLUMNS {
                self.cut += u32::from(!text.is_empty());
                continue;
            }
            self.merge(placed);
            let is_header = row < grid.header_rows;
            let place = address(self.rows, column);
            xml.push_str(&self.cell(&place, &text, is_header, marks));
        }
        xml + "</row>"
    }

    /// Makes the places of a cell of the last row one, as far as the sheet goes.
    fn merge(&mut self, placed: GridCell) {
        let last = (self.rows + placed.row_span - 1).min(ROWS);
        let right = (placed.column + placed.column_span - 1).min(COLUMNS - 1);
        if last > self.rows || right > placed.column {
            let (place, end) = (address(self.rows, placed.column), address(last, right));
            write!(self.merged, "<mergeCell ref=\"{place}:{end}\"/>").ok();
        }
    }

    fn cell(&mut self, place: &str, text: &str, is_header: bool, marks: Marks) -> String {
        if text.is_empty() {
            return String::new();
        }
        let value = if is_header {
            None
        } else {
            Value::read(text, marks)
        };
        match value {
            Some(Value { number, style }) => {
                format!("<c r=\"{place}\" s=\"{style}\"><v>{number}</v></c>")
            }
            None if is_header => self.text(place, text, styles::HEADER),
            None if text.contains('\n') => self.text(place, text, styles::WRAPPED),
            None => self.text(place, text, styles::GENERAL),
        }
    }

    fn text(&mut self, place: &str, text: &str, style: usize) -> String {
        let short = shortened(text, LONGEST);
        self.cut += u32::from(short.len() < text.trim_end().len());
        let escaped = escaped(&short);
        let text = Escaped(&escaped);
        format!(
            "<c r=\"{place}\" s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>"
        )
    }
}

/// A text in which nothing looks like the format's own way to write characters, `_x000D_`.
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

/// The name of a cell, by its row from 1 and its column from 0.
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
    fn texts_that_look_like_codes_stay_texts() {
        assert_eq!(escaped("_x000D_ _x00_ a_xyz"), "_x005F_x000D_ _x00_ a_xyz");
    }
}
