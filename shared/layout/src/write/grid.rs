//! A table as rows of places, each of which a cell begins in, reaches over, or leaves empty.

use std::collections::HashMap;

use crate::Table;

/// The places of a table. However its cells say they stand, each is in one place, and none reaches over another.
pub(super) struct Grid {
    /// How many columns there are.
    pub(super) columns: usize,
    /// How many rows there are.
    pub(super) rows: usize,
    /// How many rows at the top say what is below them; no cell reaches from them below.
    pub(super) header_rows: usize,
    /// By row and column.
    placed: Vec<Placed>,
    /// By bands of rows: those that reach into the band or within it from above.
    tall: HashMap<usize, Vec<Placed>>,
}

/// Where a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// Which of the table's cells.
    pub(super) cell: usize,
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
}

/// A place in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// No cell is here.
    Empty,
    /// A cell begins here.
    Begins(Placed),
    /// A cell reaches here from the left.
    FromLeft,
    /// A cell reaches here from above; this is its leftmost column.
    FromAbove(Placed),
}

impl Slot {
    /// The cell that begins here.
    pub(super) fn begins(self) -> Option<usize> {
        match self {
            Self::Begins(placed) => Some(placed.cell),
            _ => None,
        }
    }
}

/// Farther right no cell stands of its own will.
const COLUMNS: usize = 1 << 16;

/// Farther down no cell stands.
const ROWS: usize = 1 << 21;

/// How many rows a band has.
const BAND: usize = 64;

impl Grid {
    /// The places of a table.
    pub(super) fn of(table: &Table) -> Self {
        let mut order: Vec<usize> = (0..table.cells.len()).collect();
        let place = |index: &usize| {
            table
                .cells
                .get(*index)
                .map(|cell| (cell.row.min(ROWS - 1), cell.column))
        };
        order.sort_by_key(place);
        let mut grid = Self {
            columns: table.widths.len().min(COLUMNS),
            rows: table.rows.min(ROWS),
            header_rows: table.header_rows,
            placed: Vec::new(),
            tall: HashMap::new(),
        };
        // By column: the first row that no cell from above reaches.
        let mut free: Vec<usize> = Vec::new();
        for (at, index) in order.iter().enumerate() {
            let next = order.get(at + 1).and_then(place);
            grid.place(table, *index, next, &mut free);
        }
        grid.header_rows = grid.header_rows.min(grid.rows);
        grid
    }

    /// What is in the places of a row.
    pub(super) fn row(&self, row: usize) -> Vec<Slot> {
        let mut slots = vec![Slot::Empty; self.columns];
        for placed in self.reaching(row) {
            let first = if placed.row == row {
                Slot::Begins(*placed)
            } else {
                Slot::FromAbove(*placed)
            };
            for (slot, kind) in slots
                .iter_mut()
                .skip(placed.column)
                .take(placed.column_span)
                .zip(std::iter::once(first).chain(std::iter::repeat(Slot::FromLeft)))
            {
                *slot = kind;
            }
        }
        slots
    }

    fn reaching(&self, row: usize) -> impl Iterator<Item = &Placed> {
        let first = self.placed.partition_point(|placed| placed.row < row);
        let begin = self
            .placed
            .iter()
            .skip(first)
            .take_while(move |placed| placed.row == row);
        let tall = self.tall.get(&(row / BAND)).into_iter().flatten();
        let from_above =
            tall.filter(move |placed| placed.row < row && row < placed.row + placed.row_span);
        begin.chain(from_above)
    }

    fn place(
        &mut self,
        table: &Table,
        index: usize,
        next: Option<(usize, usize)>,
        free: &mut Vec<usize>,
    ) {
        let Some(cell) = table.cells.get(index) else {
            return;
        };
        let row = cell.row.min(ROWS - 1);
        let is_free =
            |free: &[usize], column: usize| free.get(column).is_none_or(|first| *first <= row);
        // Cells of a row come from the left, so that no place is tried twice.
        let last = self.placed.last().filter(|last| last.row == row);
        let left = last.map_or(0, |last| last.column + last.column_span);
        let mut column = cell.column.min(COLUMNS - 1).max(left);
        while !is_free(free, column) {
            column += 1;
        }
        let limit = match next {
            Some((next_row, next_column)) if next_row == row && next_column > column => {
                next_column - column
            }
            _ => self.columns.saturating_sub(column).max(1),
        };
        let wanted = cell.column_span.clamp(1, limit.min(COLUMNS));
        let column_span = (1..wanted)
            .take_while(|step| is_free(free, column + step))
            .count()
            + 1;
        let end = if row < self.header_rows {
            self.header_rows
        } else {
            self.rows.max(row + 1)
        };
        let row_span = cell.row_span.clamp(1, (end - row).max(1));
        self.take(
            Placed {
                cell: index,
                row,
                column,
                row_span,
                column_span,
            },
            free,
        );
    }

    fn take(&mut self, placed: Placed, free: &mut Vec<usize>) {
        let end = placed.column + placed.column_span;
        if free.len() < end {
            free.resize(end, 0);
        }
        for first in free.iter_mut().skip(placed.column).take(placed.column_span) {
            *first = placed.row + placed.row_span;
        }
        self.columns = self.columns.max(end);
        self.rows = self.rows.max(placed.row + placed.row_span);
        self.placed.push(placed);
        if placed.row_span > 1 {
            let last = placed.row + placed.row_span - 1;
            for band in placed.row / BAND..=last / BAND {
                self.tall.entry(band).or_default().push(placed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use crate::{Cell, Table};

    fn table(places: &[(usize, usize, usize, usize)]) -> Table {
        let cell = |&(row, column, row_span, column_span): &(usize, usize, usize, usize)| Cell {
            row,
            column,
            row_span,
            column_span,
            blocks: Vec::new(),
        };
        Table {
            widths: vec![10.0; 3],
            rows: 3,
            header_rows: 1,
            cells: places.iter().map(cell).collect(),
            ruled: false,
            confidence: 1.0,
            continues: false,
        }
    }

    fn drawn(places: &[(usize, usize, usize, usize)]) -> Vec<String> {
        let grid = Grid::of(&table(places));
        let sign = |slot| match slot {
            super::Slot::Empty => '.',
            super::Slot::Begins(placed) => char::from(b'0' + placed.cell as u8),
            super::Slot::FromLeft => '<',
            super::Slot::FromAbove(_) => '^',
        };
        let row = |row| grid.row(row).into_iter().map(sign).collect();
        (0..grid.rows).map(row).collect()
    }

    #[test]
    fn cells_take_their_places() {
        let places = [(2, 2, 1, 1), (0, 0, 1, 2), (1, 0, 2, 2), (0, 2, 1, 1)];
        assert_eq!(drawn(&places), ["1<3", "2<.", "^<0"]);
    }

    #[test]
    fn cells_that_stand_on_others_or_outside_find_a_place_of_their_own() {
        let places = [
            (0, 0, 9, 2),
            (0, 1, 1, 1),
            (1, 0, 2, 9),
            (2, 0, 1, 1),
            (3, 4, 1, 1),
        ];
        assert_eq!(drawn(&places), ["01...", "2<<..", "^<<3.", "....4"]);
    }
}
