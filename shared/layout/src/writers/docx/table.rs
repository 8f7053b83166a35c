//! Tables, row by row.

use std::fmt::Write as _;

use super::paragraph::Properties;
use super::run::shading;
use super::story::Story;
use crate::writers::direction::is_rtl_table;
use crate::writers::grid::{Grid, GridCell, Slot};
use crate::writers::{Result, plain};
use crate::{Block, Borders, Cell, Run, Style, Table};

/// A table that is being written.
pub(super) struct Open {
    /// Column widths, twips; empty if it is written as lines with tabs.
    widths: Vec<u32>,
}

/// Maximum number of columns in Word, which rejects documents with more.
const COLUMNS: usize = 63;

/// Default column width, twips.
const WIDTH: u32 = 1_440;

/// Maximum table width, twips: 22 inches, as of a page.
const WIDEST: u32 = 31_680;

impl Story<'_> {
    /// Writes rows; the first one begins the table.
    pub(super) fn rows(
        &mut self,
        open: &mut Option<Open>,
        table: &Table,
        grid: &Grid,
        first: usize,
    ) -> Result {
        for row in first..grid.rows {
            if grid.columns > COLUMNS || grid.columns == 0 {
                self.line(table, grid, row);
                continue;
            }
            let open = open.get_or_insert_with(|| self.begin_table(table, grid));
            self.row(open, table, grid, row)?;
        }
        Ok(())
    }

    /// Ends a table with a paragraph, because adjacent tables are merged.
    pub(super) fn end_table(&mut self, _: &Open) {
        self.xml.push_str(
            "</w:tbl><w:p><w:pPr><w:spacing w:line=\"120\" w:lineRule=\"exact\"/></w:pPr></w:p>",
        );
    }

    fn begin_table(&mut self, table: &Table, grid: &Grid) -> Open {
        let widths = widths(table, grid.columns);
        let total: u32 = widths.iter().sum();
        let direction = if is_rtl_table(table) {
            "<w:bidiVisual/>"
        } else {
            ""
        };
        let borders = if table.has_grid() { BORDERS } else { "" };
        let indent = match std::mem::take(&mut self.table_indent) {
            0 => String::new(),
            indent => format!("<w:tblInd w:w=\"{indent}\" w:type=\"dxa\"/>"),
        };
        write!(
            self.xml,
            "<w:tbl><w:tblPr>{direction}<w:tblW w:w=\"{total}\" w:type=\"dxa\"/>{indent}{borders}<w:tblLayout w:type=\"fixed\"/>\
{MARGINS}<w:tblLook w:val=\"0020\" w:firstRow=\"{}\" w:lastRow=\"0\" w:firstColumn=\"0\" w:lastColumn=\"0\" w:noHBand=\"1\" w:noVBand=\"1\"/></w:tblPr><w:tblGrid>",
            u8::from(grid.header_rows > 0)
        )
        .ok();
        for width in &widths {
            write!(self.xml, "<w:gridCol w:w=\"{width}\"/>").ok();
        }
        self.xml.push_str("</w:tblGrid>");
        Open { widths }
    }

    fn row(&mut self, open: &Open, table: &Table, grid: &Grid, row: usize) -> Result {
        self.xml.push_str("<w:tr>");
        if row < grid.header_rows {
            self.xml
                .push_str("<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>");
        }
        for (slot, width) in grid.row(row).into_iter().zip(&open.widths) {
            let of = |placed: GridCell| table.cells.get(placed.cell);
            match slot {
                Slot::FromLeft => {}
                Slot::Empty => self.cell(*width, None, "", None, &[])?,
                Slot::Begins(placed) => {
                    let merge = if placed.row_span > 1 {
                        "<w:vMerge w:val=\"restart\"/>"
                    } else {
                        ""
                    };
                    let blocks = of(placed).map_or(&[][..], |cell| &cell.blocks);
                    self.cell(reach(open, placed), Some(placed), merge, of(placed), blocks)?;
                }
                Slot::FromAbove(placed) => {
                    let width = reach(open, placed);
                    self.cell(width, Some(placed), "<w:vMerge/>", of(placed), &[])?;
                }
            }
        }
        self.xml.push_str("</w:tr>");
        Ok(())
    }

    fn cell(
        &mut self,
        width: u32,
        placed: Option<GridCell>,
        merge: &str,
        look: Option<&Cell>,
        blocks: &[Block],
    ) -> Result {
        let span = placed.map_or(1, |placed| placed.column_span);
        let span = if span > 1 {
            format!("<w:gridSpan w:val=\"{span}\"/>")
        } else {
            String::new()
        };
        let borders = look.and_then(|cell| cell.borders).map(borders);
        let borders = borders.unwrap_or_default();
        let fill = look.and_then(|cell| cell.fill);
        let shading = shading(fill);
        write!(
            self.xml,
            "<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/>{span}{merge}{borders}{shading}</w:tcPr>"
        )
        .ok();
        let has_fill = self.has_fill;
        self.has_fill |= fill.is_some();
        for block in blocks {
            self.block(block, Properties::default())?;
        }
        self.has_fill = has_fill;
        self.close_container(blocks);
        self.xml.push_str("</w:tc>");
        Ok(())
    }

    /// Writes a row as a line with tabs.
    fn line(&mut self, table: &Table, grid: &Grid, row: usize) {
        let text = plain::of_row(table, grid, row).join("\t");
        let run = Run {
            text,
            style: Style::default(),
            link: None,
        };
        self.paragraph(&[run], Properties::default());
    }
}

/// Margins of cells, narrow because the widths of columns are those of a page whose fonts may be narrower.
const MARGINS: &str = "<w:tblCellMar><w:left w:w=\"60\" w:type=\"dxa\"/><w:right w:w=\"60\" w:type=\"dxa\"/></w:tblCellMar>";

/// Returns the borders of a cell; sides in schema order.
fn borders(borders: Borders) -> String {
    let sides = [
        ("top", borders.top),
        ("left", borders.left),
        ("bottom", borders.bottom),
        ("right", borders.right),
    ];
    let side = |(side, color): (&str, Option<[u8; 3]>)| {
        let [red, green, blue] = color?;
        Some(format!(
            "<w:{side} w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"{red:02X}{green:02X}{blue:02X}\"/>"
        ))
    };
    let sides: String = sides.into_iter().filter_map(side).collect();
    match sides.is_empty() {
        true => sides,
        false => format!("<w:tcBorders>{sides}</w:tcBorders>"),
    }
}

const BORDERS: &str = "<w:tblBorders><w:top w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/>\
<w:left w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/><w:bottom w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/>\
<w:right w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/><w:insideH w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/>\
<w:insideV w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/></w:tblBorders>";

fn reach(open: &Open, placed: GridCell) -> u32 {
    open.widths
        .iter()
        .skip(placed.column)
        .take(placed.column_span)
        .sum()
}

fn widths(table: &Table, columns: usize) -> Vec<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float out of range becomes the nearest number"
    )]
    let known = |column: usize| {
        table
            .widths
            .get(column)
            .map_or(0, |width| (width * 20.0).round() as u32)
    };
    let widths: Vec<u32> = (0..columns)
        .map(|column| match known(column) {
            0 => WIDTH,
            width => width.clamp(120, WIDEST),
        })
        .collect();
    let total: u64 = widths.iter().map(|width| u64::from(*width)).sum();
    let narrowed = |width: u32| {
        u32::try_from(u64::from(width) * u64::from(WIDEST) / total)
            .unwrap_or(WIDTH)
            .max(1)
    };
    if total > u64::from(WIDEST) {
        widths.into_iter().map(narrowed).collect()
    } else {
        widths
    }
}
