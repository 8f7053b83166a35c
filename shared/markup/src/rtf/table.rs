//! Tables: rows whose cells define their right edges.

use layout::{Block, Table};

use crate::error::Result;
use crate::grid::{Grid, TableProperties};
use crate::limits::Budget;

/// A table that is being read.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// Cells of the current row.
    cells: Vec<Vec<Block>>,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<Vec<Block>>,
    definition: RowDefinition,
}

/// A row definition (`\trowd`).
#[derive(Clone, Debug, Default)]
pub(super) struct RowDefinition {
    cells: Vec<CellDefinition>,
    /// Definition of the next cell.
    next: CellDefinition,
    is_header: bool,
    ruled: bool,
    left: i32,
}

/// A cell definition.
#[derive(Clone, Copy, Debug, Default)]
struct CellDefinition {
    /// Right edge, twips.
    right: i32,
    starts_vertical_merge: bool,
    continues_vertical_merge: bool,
    continues_horizontal_merge: bool,
}

/// Edges that differ by at most this many twips are equal.
const TOLERANCE: i32 = 30;
/// Maximum number of cells of a row.
const CELLS: usize = 4_096;

impl RowDefinition {
    /// Handles a control word.
    pub(super) fn word(&mut self, word: &str, number: i32) {
        match word {
            "trowd" => *self = Self::default(),
            "trhdr" => self.is_header = true,
            "trleft" => self.left = number,
            "clvmgf" => self.next.starts_vertical_merge = true,
            "clvmrg" => self.next.continues_vertical_merge = true,
            "clmrg" => self.next.continues_horizontal_merge = true,
            "brdrs" | "brdrth" | "brdrdb" | "brdrhair" => self.ruled = true,
            "cellx" if self.cells.len() < CELLS => {
                let next = std::mem::take(&mut self.next);
                self.cells.push(CellDefinition {
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
    pub(super) fn row(&mut self, definition: &RowDefinition, budget: &Budget) -> Result {
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

    /// Returns the table; `None` if it is empty.
    pub(super) fn finish(mut self, budget: &Budget) -> Result<Option<Table>> {
        if !self.cells.is_empty() {
            self.row(&RowDefinition::default(), budget)?;
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
        let frame = TableProperties {
            widths: widths.collect(),
            header_rows,
            ruled,
        };
        Ok(grid.finish(frame))
    }
}

impl Row {
    fn place(self, edges: &[i32], grid: &mut Grid, budget: &Budget) -> Result {
        let mut column = column(edges, self.definition.left);
        let definitions = self.definition.cells;
        let mut cells: Vec<(usize, Vec<Block>)> = Vec::new();
        for (index, blocks) in self.cells.into_iter().enumerate() {
            let continues = definitions
                .get(index)
                .is_some_and(|edge| edge.continues_horizontal_merge);
            match cells.last_mut() {
                Some((_, before)) if continues => before.extend(blocks),
                _ => cells.push((index, blocks)),
            }
        }
        for (index, blocks) in cells {
            let edge = definitions.get(index);
            let merged = definitions.iter().skip(index + 1);
            let merged = merged.take_while(|edge| edge.continues_horizontal_merge);
            let right = merged.last().or(edge).map_or(column + 1, |edge| {
                self::column(edges, edge.right).max(column + 1)
            });
            let edge = edge.copied().unwrap_or_default();
            let is_merged = edge.continues_vertical_merge && grid.extend_vertical_merge(column);
            if !is_merged {
                grid.cell(column, (1, right - column), blocks, budget)?;
                if edge.starts_vertical_merge || edge.continues_vertical_merge {
                    grid.start_vertical_merge();
                }
            }
            column = right;
        }
        Ok(())
    }
}

/// Returns the edges of columns from left to right.
fn edges(rows: &[Row]) -> Vec<i32> {
    let of_row = |row: &Row| {
        let left = row.definition.cells.first().map(|_| row.definition.left);
        left.into_iter()
            .chain(row.definition.cells.iter().map(|edge| edge.right))
            .collect::<Vec<i32>>()
    };
    let mut edges: Vec<i32> = rows.iter().flat_map(of_row).collect();
    edges.sort_unstable();
    edges.dedup_by(|next, kept| next.saturating_sub(*kept) <= TOLERANCE);
    edges
}

/// Returns the column that begins at an edge.
fn column(edges: &[i32], at: i32) -> usize {
    edges.partition_point(|edge| edge.saturating_add(TOLERANCE) < at)
}
