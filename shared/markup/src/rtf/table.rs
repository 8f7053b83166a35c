//! Tables: rows of cells that say where their right edges are.

use layout::{Block, Table};

use crate::error::Outcome;
use crate::grid::{Frame, Grid};
use crate::limits::Budget;

/// A table while its rows are read.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// The cells of the row that is open.
    cells: Vec<Vec<Block>>,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<Vec<Block>>,
    definition: Definition,
}

/// What is said of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Definition {
    cells: Vec<Edge>,
    /// What was said of the cell to come.
    next: Edge,
    is_header: bool,
    ruled: bool,
    left: i32,
}

/// What is said of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    /// Twentieths of a point.
    right: i32,
    begins_below: bool,
    goes_on_below: bool,
    goes_on_right: bool,
}

/// Edges as near as this are one, twentieths of a point.
const NEAR: i32 = 30;
/// Most cells of a row.
const CELLS: usize = 4_096;

impl Definition {
    /// Takes a word.
    pub(super) fn word(&mut self, word: &str, number: i32) {
        match word {
            "trowd" => *self = Self::default(),
            "trhdr" => self.is_header = true,
            "trleft" => self.left = number,
            "clvmgf" => self.next.begins_below = true,
            "clvmrg" => self.next.goes_on_below = true,
            "clmrg" => self.next.goes_on_right = true,
            "brdrs" | "brdrth" | "brdrdb" | "brdrhair" => self.ruled = true,
            "cellx" if self.cells.len() < CELLS => {
                let next = std::mem::take(&mut self.next);
                self.cells.push(Edge {
                    right: number,
                    ..next
                });
            }
            _ => {}
        }
    }
}

impl Rows {
    /// Ends a cell.
    pub(super) fn cell(&mut self, blocks: Vec<Block>) {
        self.cells.push(blocks);
    }

    /// Ends a row.
    pub(super) fn row(&mut self, definition: &Definition, budget: &Budget) -> Outcome {
        budget.spend(1 + definition.cells.len())?;
        let cells = std::mem::take(&mut self.cells);
        if !cells.is_empty() {
            self.rows.push(Row {
                cells,
                definition: definition.clone(),
            });
        }
        Ok(())
    }

    /// The table; `None` if nothing is in it.
    pub(super) fn finish(mut self, budget: &Budget) -> Outcome<Option<Table>> {
        if !self.cells.is_empty() {
            self.row(&Definition::default(), budget)?;
        }
        let edges = edges(&self.rows);
        let mut grid = Grid::default();
        let (mut header_rows, mut ruled) = (0, false);
        for (index, row) in self.rows.into_iter().enumerate() {
            header_rows += usize::from(row.definition.is_header && header_rows == index);
            ruled |= row.definition.ruled;
            grid.row(budget)?;
            row.place(&edges, &mut grid, budget)?;
        }
        let start = edges.first().copied().unwrap_or(0);
        let starts = std::iter::once(start).chain(edges.iter().skip(1).copied());
        let widths = starts
            .clone()
            .zip(starts.skip(1))
            .map(|(left, right)| (right - left) as f32 / 20.0);
        let frame = Frame {
            widths: widths.collect(),
            header_rows,
            ruled,
        };
        Ok(grid.finish(frame))
    }
}

impl Row {
    fn place(self, edges: &[i32], grid: &mut Grid, budget: &Budget) -> Outcome {
        let mut column = column(edges, self.definition.left);
        let mut told = self.definition.cells.into_iter();
        for blocks in self.cells {
            let edge = told.next();
            let right = edge.map_or(column + 1, |edge| {
                self::column(edges, edge.right).max(column + 1)
            });
            let edge = edge.unwrap_or_default();
            let goes_on = edge.goes_on_right || (edge.goes_on_below && grid.go_on(column));
            if !goes_on {
                grid.cell(column, (1, right - column), blocks, budget)?;
                if edge.begins_below || edge.goes_on_below {
                    grid.leave_open();
                }
            }
            column = right;
        }
        Ok(())
    }
}

/// Where columns begin and end, from left to right.
fn edges(rows: &[Row]) -> Vec<i32> {
    let of_row = |row: &Row| {
        let left = row.definition.cells.first().map(|_| row.definition.left);
        left.into_iter()
            .chain(row.definition.cells.iter().map(|edge| edge.right))
            .collect::<Vec<i32>>()
    };
    let mut edges: Vec<i32> = rows.iter().flat_map(of_row).collect();
    edges.sort_unstable();
    edges.dedup_by(|next, kept| next.saturating_sub(*kept) <= NEAR);
    edges
}

/// The column that begins at an edge.
fn column(edges: &[i32], at: i32) -> usize {
    edges.partition_point(|edge| edge.saturating_add(NEAR) < at)
}
