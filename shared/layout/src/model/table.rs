//! Tables: cells that may span rows and columns.

use serde::{Deserialize, Serialize};

use super::block::Block;

/// Cells in rows and columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The width of each column, points; there are as many columns as widths.
    pub widths: Vec<f32>,
    /// How many rows there are.
    pub rows: usize,
    /// How many rows at the top say what is below them.
    pub header_rows: usize,
    /// By row and column; places that another cell reaches over, and empty places, have none.
    pub cells: Vec<Cell>,
    /// Whether lines are drawn between the cells.
    pub ruled: bool,
    /// How sure it is that this is a table of these rows and columns, from 0 to 1; 1 where the document says so.
    pub confidence: f32,
    /// Whether it goes on with the last table of the page before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// Its uppermost row, from 0.
    pub row: usize,
    /// Its leftmost column, from 0; the rightmost of a table that is read from the right.
    pub column: usize,
    /// How many rows it takes, 1 or more.
    pub row_span: usize,
    /// How many columns it takes, 1 or more.
    pub column_span: usize,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

impl Table {
    /// The same with its columns counted from the other side.
    pub(crate) fn turn_round(&mut self) {
        let columns = self.widths.len();
        self.widths.reverse();
        for cell in &mut self.cells {
            cell.column = columns.saturating_sub(cell.column + cell.column_span);
        }
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
    }
}
