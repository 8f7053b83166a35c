//! Builds a table from its cells, with row and column spans, and detects whether its cells have borders.

use layout::{Block, Cell, Table};

use crate::error::Result;
use crate::limits::Budget;

/// Width of a column if no column has one, points.
const WIDTH: f32 = 72.0;

/// Cells by row and column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    cells: Vec<Cell>,
    rows: usize,
    columns: usize,
    /// Index of the cell in each column that a vertical merge may extend.
    open: Vec<Option<usize>>,
}

/// Properties of a table besides its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableProperties {
    /// Column widths, points; a missing width becomes the mean of the others.
    pub(crate) widths: Vec<f32>,
    pub(crate) header_rows: usize,
    pub(crate) ruled: bool,
}

impl Grid {
    /// Begins a row.
    pub(crate) fn row(&mut self, budget: &Budget) -> Result {
        self.rows += 1;
        budget.spend(1)?;
        budget.check_table(self.rows, self.columns)
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a cell to the last row.
    pub(crate) fn cell(
        &mut self,
        column: usize,
        spans: (usize, usize),
        blocks: Vec<Block>,
        budget: &Budget,
    ) -> Result {
        let (row_span, column_span) = (spans.0.max(1), spans.1.clamp(1, budget.limits.columns));
        let columns = self.columns.max(column.saturating_add(column_span));
        budget.check_table(self.rows, columns)?;
        budget.spend(1 + columns - self.columns)?;
        self.columns = columns;
        self.close(column, column_span);
        self.cells.push(Cell {
            row: self.rows.saturating_sub(1),
            column,
            row_span,
            column_span,
            blocks,
            ..Cell::default()
        });
        Ok(())
    }

    /// Allows the last added cell to be extended by a vertical merge.
    pub(crate) fn start_vertical_merge(&mut self) {
        let last = self.cells.len().checked_sub(1);
        if let (Some(index), Some(column)) = (last, self.cells.last().map(|cell| cell.column)) {
            self.open.resize(self.open.len().max(column + 1), None);
            if let Some(open) = self.open.get_mut(column) {
                *open = Some(index);
            }
        }
    }

    /// Extends the mergeable cell above into the last row; returns `false` if there is none.
    pub(crate) fn extend_vertical_merge(&mut self, column: usize) -> bool {
        let row = self.rows.saturating_sub(1);
        let index = self.open.get(column).copied().flatten();
        let Some(cell) = index.and_then(|index| self.cells.get_mut(index)) else {
            return false;
        };
        let reaches = cell.row + cell.row_span;
        if reaches == row {
            cell.row_span += 1;
        }
        reaches >= row
    }

    /// Returns the table; `None` if it has no cells.
    pub(crate) fn finish(mut self, frame: TableProperties) -> Option<Table> {
        let (rows, columns) = (self.rows, self.columns);
        for cell in &mut self.cells {
            cell.row_span = cell.row_span.min(rows - cell.row).max(1);
            cell.column_span = cell.column_span.min(columns - cell.column).max(1);
        }
        self.cells
            .retain(|cell| !cell.blocks.is_empty() || cell.row_span * cell.column_span > 1);
        (!self.cells.is_empty()).then(|| Table {
            widths: widths(frame.widths, columns),
            rows,
            header_rows: frame.header_rows.min(rows),
            cells: self.cells,
            ruled: frame.ruled,
            confidence: 1.0,
            continues: false,
        })
    }

    fn close(&mut self, column: usize, span: usize) {
        for open in self.open.iter_mut().skip(column).take(span) {
            *open = None;
        }
    }
}

/// Completes the widths to one per column.
fn widths(mut widths: Vec<f32>, columns: usize) -> Vec<f32> {
    let known = widths.iter().copied().filter(|width| *width > 0.0);
    let (sum, count) = known.fold((0.0, 0_u16), |(sum, count), width| {
        (sum + width, count.saturating_add(1))
    });
    let usual = if count == 0 {
        WIDTH
    } else {
        sum / f32::from(count)
    };
    for width in widths.iter_mut().filter(|width| **width <= 0.0) {
        *width = usual;
    }
    widths.resize(columns, usual);
    widths
}

/// Counts the borders of the cells of a table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    cells: usize,
    framed: usize,
}

/// Number of sides with a border by which a bordered cell is recognized; neighbors draw the other sides.
const SIDES: usize = 2;

impl Lines {
    /// Counts a cell with this number of sides with a border.
    pub(crate) fn cell(&mut self, sides: usize) {
        self.cells += 1;
        self.framed += usize::from(sides >= SIDES);
    }

    /// Whether most cells have borders.
    pub(crate) fn divide(self) -> bool {
        self.framed > 0 && self.framed * 2 >= self.cells
    }

    /// Whether there is only one cell, whose borders may be those of a text frame.
    pub(crate) fn of_one(self) -> bool {
        self.cells == 1
    }
}
