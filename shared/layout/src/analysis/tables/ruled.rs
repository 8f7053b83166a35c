//! Creates tables from grids.

use crate::analysis::front::Zoned;
use crate::analysis::lines::text_style::TextStyle;
use crate::model::block::{Block, Cell, Table};
use crate::model::geometry::Rect;

/// Confidence of a table with rules between all cells.
const CONFIDENCE: f32 = 0.98;
/// Confidence of a table with rules between rows only.
const BANDED: f32 = 0.9;

/// Returns the table of a grid; `contents` are the blocks and lines of its cells, in order.
pub(in crate::analysis) fn table(
    zoned: &Zoned,
    contents: Vec<(Vec<Block>, Option<TextStyle>)>,
    fills: &[Rect],
) -> Table {
    let grid = &zoned.grid;
    let header_rows = header(
        grid.cells
            .iter()
            .map(|cell| cell.row)
            .zip(contents.iter().map(|(_, look)| look.as_ref())),
        |row| {
            let top = grid
                .cells
                .iter()
                .filter(|cell| cell.row == row && cell.row_span == 1);
            let mut top = top.peekable();
            top.peek().is_some()
                && top.all(|cell| {
                    fills.iter().any(|fill| {
                        fill.grown(1.5).contains(cell.bounds.center())
                            && fill.height() < cell.bounds.height() * 1.6
                    })
                })
        },
    );
    let cells = grid
        .cells
        .iter()
        .zip(contents)
        .filter(|(_, (blocks, _))| !blocks.is_empty());
    Table {
        widths: grid
            .xs
            .iter()
            .zip(grid.xs.iter().skip(1))
            .map(|(from, to)| to - from)
            .collect(),
        rows: grid.ys.len().saturating_sub(1),
        header_rows: match grid.head {
            Some(head) if header_rows == 0 && head < grid.ys.len().saturating_sub(1) => head,
            _ => header_rows,
        },
        cells: cells
            .map(|(area, (blocks, _))| Cell {
                row: area.row,
                column: area.column,
                row_span: area.row_span,
                column_span: area.column_span,
                blocks,
                ..Cell::default()
            })
            .collect(),
        ruled: grid.head.is_none(),
        confidence: if grid.head.is_none() {
            CONFIDENCE
        } else {
            BANDED
        },
        continues: false,
    }
}

/// Returns the number of rows at the top that are bold or filled, if the rows below are not.
fn header<'a>(
    looks: impl Iterator<Item = (usize, Option<&'a TextStyle>)>,
    is_filled: impl Fn(usize) -> bool,
) -> usize {
    let mut rows: Vec<bool> = Vec::new();
    for (row, look) in looks {
        if rows.len() <= row {
            // An empty row contains no headers.
            rows.resize(row, false);
            rows.push(true);
        }
        let is_bold = look.is_none_or(|look| look.is_bold);
        rows.get_mut(row)
            .into_iter()
            .for_each(|bold| *bold &= is_bold);
    }
    let bold = rows.iter().take_while(|bold| **bold).count();
    let filled = (0..rows.len()).take_while(|row| is_filled(*row)).count();
    let most = |count: usize| if count < rows.len() { count } else { 0 };
    most(bold).max(most(filled))
}
