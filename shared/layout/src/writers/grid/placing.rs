//! Places the cells of a table in a grid, however inconsistent their positions are.

use std::collections::HashMap;

use super::{Grid, GridCell};
use crate::Table;

/// Maximum column of a cell.
const COLUMNS: usize = 1 << 16;

/// Maximum row of a cell.
const ROWS: usize = 1 << 21;

/// Maximum number of positions of a sparse table; beyond it, rows and columns without cells are removed.
const PLACES: usize = 1 << 24;

/// The declared position of a cell.
struct DeclaredPosition {
    row: usize,
    column: usize,
    cell: usize,
}

impl Grid {
    /// Creates the grid of a table.
    pub(in crate::writers) fn of(table: &Table) -> Self {
        let mut spots: Vec<DeclaredPosition> = table
            .cells
            .iter()
            .enumerate()
            .map(DeclaredPosition::of)
            .collect();
        spots.sort_by_key(|spot| (spot.row, spot.column));
        let (mut rows, mut columns) = (
            table.rows.min(ROWS).max(extent(&spots, |spot| spot.row)),
            table.widths.len().min(COLUMNS),
        );
        let places = rows * columns.max(extent(&spots, |spot| spot.column));
        if places > PLACES && places / 64 > spots.len() {
            rows = ranked(&mut spots, |spot| &mut spot.row);
            columns = ranked(&mut spots, |spot| &mut spot.column);
        }
        let mut grid = Self {
            columns,
            rows,
            header_rows: header(table, &spots, rows),
            placed: Vec::new(),
            tall: HashMap::new(),
        };
        // By column: the first row that no cell above spans.
        let mut free: Vec<usize> = Vec::new();
        for (index, spot) in spots.iter().enumerate() {
            grid.place(table, spot, spots.get(index + 1), &mut free);
        }
        grid
    }

    fn place(
        &mut self,
        table: &Table,
        spot: &DeclaredPosition,
        next: Option<&DeclaredPosition>,
        free: &mut Vec<usize>,
    ) {
        let Some(cell) = table.cells.get(spot.cell) else {
            return;
        };
        let row = spot.row;
        let is_free =
            |free: &[usize], column: usize| free.get(column).is_none_or(|first| *first <= row);
        // Cells of a row are placed from the left, so that each position is tried once.
        let last = self.placed.last().filter(|last| last.row == row);
        let left = last.map_or(0, |last| last.column + last.column_span);
        let mut column = spot.column.max(left);
        while !is_free(free, column) {
            column += 1;
        }
        let limit = match next {
            Some(next) if next.row == row && next.column > column => next.column - column,
            _ => self.columns.saturating_sub(column).max(1),
        };
        let wanted = cell.column_span.clamp(1, limit);
        let more = (1..wanted).take_while(|step| is_free(free, column + step));
        let column_span = more.count() + 1;
        let in_header = row < self.header_rows;
        let end = if in_header {
            self.header_rows
        } else {
            self.rows
        };
        let row_span = cell.row_span.clamp(1, (end - row).max(1));
        self.take(
            GridCell {
                cell: spot.cell,
                row,
                column,
                row_span,
                column_span,
            },
            free,
        );
    }

    fn take(&mut self, placed: GridCell, free: &mut Vec<usize>) {
        let end = placed.column + placed.column_span;
        if free.len() < end {
            free.resize(end, 0);
        }
        for first in free.iter_mut().skip(placed.column).take(placed.column_span) {
            *first = placed.row + placed.row_span;
        }
        self.columns = self.columns.max(end);
        self.rows = self.rows.max(placed.row + placed.row_span);
        self.put(placed);
    }
}

impl DeclaredPosition {
    fn of((cell, place): (usize, &crate::Cell)) -> Self {
        Self {
            row: place.row.min(ROWS - 1),
            column: place.column.min(COLUMNS - 1),
            cell,
        }
    }
}

/// Maximum number of rows that a spanning header cell adds to the header.
const REACH: usize = 3;

/// Returns the number of header rows: those declared, and the few that their cells span.
fn header(table: &Table, spots: &[DeclaredPosition], rows: usize) -> usize {
    let declared = table.header_rows.min(rows);
    let mut end = declared;
    for spot in spots {
        if spot.row >= end {
            break;
        }
        let span = table.cells.get(spot.cell).map_or(1, |cell| cell.row_span);
        let reached = spot.row.saturating_add(span);
        if reached < rows && reached <= declared + REACH {
            end = end.max(reached);
        }
    }
    end
}

/// Returns one more than the largest number.
fn extent(spots: &[DeclaredPosition], of: impl Fn(&DeclaredPosition) -> usize) -> usize {
    spots.iter().map(|spot| of(spot) + 1).max().unwrap_or(0)
}

/// Replaces the numbers by their ranks and returns how many distinct ones there are.
fn ranked(
    spots: &mut [DeclaredPosition],
    of: impl Fn(&mut DeclaredPosition) -> &mut usize,
) -> usize {
    let mut known: Vec<usize> = spots.iter_mut().map(|spot| *of(spot)).collect();
    known.sort_unstable();
    known.dedup();
    for spot in spots {
        let number = of(spot);
        *number = known.partition_point(|one| *one < *number);
    }
    known.len()
}
