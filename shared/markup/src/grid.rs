//! The cells of a table while it is read, and whether lines divide them.

use layout::{Block, Cell, Table};

use crate::error::Outcome;
use crate::limits::Budget;

/// The width of a column that nothing tells, points.
const WIDTH: f32 = 72.0;

/// Cells by row and column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    cells: Vec<Cell>,
    rows: usize,
    columns: usize,
    /// The cell of each column that goes on below.
    open: Vec<Option<usize>>,
}

/// What is known about a table beside its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Points; what is missing is as wide as the others.
    pub(crate) widths: Vec<f32>,
    pub(crate) header_rows: usize,
    pub(crate) ruled: bool,
}

impl Grid {
    /// Begins a row.
    pub(crate) fn row(&mut self, budget: &Budget) -> Outcome {
        self.rows += 1;
        budget.spend(1)?;
        budget.check_table(self.rows, self.columns)
    }

    /// How many rows there are.
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
    ) -> Outcome {
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
        });
        Ok(())
    }

    /// Lets the cell that was added last go on below.
    pub(crate) fn leave_open(&mut self) {
        let last = self.cells.len().checked_sub(1);
        if let (Some(index), Some(column)) = (last, self.cells.last().map(|cell| cell.column)) {
            self.open.resize(self.open.len().max(column + 1), None);
            if let Some(open) = self.open.get_mut(column) {
                *open = Some(index);
            }
        }
    }

    /// Makes the cell above that was left open go on into the last row; `false` if there is none.
    pub(crate) fn go_on(&mut self, column: usize) -> bool {
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

    /// The table; `None` if it has no cells.
    pub(crate) fn finish(mut self, frame: Frame) -> Option<Table> {
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

/// As many widths as there are columns.
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

/// The sides of the cells of a table that have lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    cells: usize,
    framed: usize,
}

/// Of the sides of a cell, so many have lines where all cells are divided: the others are told by its neighbours.
const SIDES: usize = 2;

impl Lines {
    /// Takes a cell, so many sides of which have lines.
    pub(crate) fn cell(&mut self, sides: usize) {
        self.cells += 1;
        self.framed += usize::from(sides >= SIDES);
    }

    /// Whether they divide most of the cells.
    pub(crate) fn divide(self) -> bool {
        self.framed > 0 && self.framed * 2 >= self.cells
    }

    /// Whether there is but one cell, which any frame is the frame of.
    pub(crate) fn of_one(self) -> bool {
        self.cells == 1
    }
}
