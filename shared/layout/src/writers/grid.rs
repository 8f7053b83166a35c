//! The grid of a table: for each position whether a cell begins there, spans it, or it is empty.

mod placing;

use std::collections::HashMap;

/// The grid of a table. Inconsistent cells are moved, so that none overlaps another.
pub(super) struct Grid {
    /// Number of columns.
    pub(super) columns: usize,
    /// Number of rows.
    pub(super) rows: usize,
    /// Number of header rows; no cell spans from the header into the body.
    pub(super) header_rows: usize,
    /// Cells by row and column.
    placed: Vec<GridCell>,
    /// By band of rows: the cells that span into the band, or several rows in it.
    tall: HashMap<usize, Vec<GridCell>>,
}

/// The position of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GridCell {
    /// Index of the cell in the table.
    pub(super) cell: usize,
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
}

impl GridCell {
    /// Returns the position after removing all but these rows and columns.
    fn moved(&self, rows: &[usize], columns: &[usize]) -> Self {
        let (row, column) = (before(rows, self.row), before(columns, self.column));
        Self {
            cell: self.cell,
            row,
            column,
            row_span: before(rows, self.row + self.row_span) - row,
            column_span: before(columns, self.column + self.column_span) - column,
        }
    }
}

/// Returns how many of the sorted numbers are less than `end`.
fn before(numbers: &[usize], end: usize) -> usize {
    numbers.partition_point(|number| *number < end)
}

/// The content of a position in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// No cell.
    Empty,
    /// A cell begins.
    Begins(GridCell),
    /// Covered by a cell that begins further left.
    FromLeft,
    /// Covered by a cell that begins above; this is its first column.
    FromAbove(GridCell),
}

impl Slot {
    /// Returns the index of the cell that begins here.
    pub(super) fn begins(self) -> Option<usize> {
        match self {
            Self::Begins(placed) => Some(placed.cell),
            _ => None,
        }
    }
}

/// Number of rows of a band.
const BAND: usize = 64;

impl Grid {
    /// Returns the content of each position of a row.
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

    /// Returns the grid without rows and columns in which no cell begins, and the remaining row and column numbers.
    pub(super) fn without_empty_tracks(&self) -> (Self, Vec<usize>, Vec<usize>) {
        let (mut rows, mut columns) = (Vec::new(), vec![false; self.columns]);
        for row in 0..self.rows {
            let slots = self.row(row);
            for (is_kept, slot) in columns.iter_mut().zip(&slots) {
                *is_kept |= *slot != Slot::FromLeft;
            }
            let begins = |slot: &Slot| matches!(slot, Slot::Empty | Slot::Begins(_));
            rows.extend(slots.iter().any(begins).then_some(row));
        }
        let kept = columns.iter().enumerate().filter(|(_, is_kept)| **is_kept);
        let columns: Vec<usize> = kept.map(|(column, _)| column).collect();
        let mut grid = Self {
            columns: columns.len(),
            rows: rows.len(),
            header_rows: before(&rows, self.header_rows),
            placed: Vec::new(),
            tall: HashMap::new(),
        };
        for placed in &self.placed {
            grid.put(placed.moved(&rows, &columns));
        }
        (grid, rows, columns)
    }

    fn reaching(&self, row: usize) -> impl Iterator<Item = &GridCell> {
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

    fn put(&mut self, placed: GridCell) {
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
            ..Cell::default()
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
        signs(&Grid::of(&table(places)))
    }

    fn signs(grid: &Grid) -> Vec<String> {
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
    fn cells_are_placed() {
        let places = [(2, 2, 1, 1), (0, 0, 1, 2), (1, 0, 2, 2), (0, 2, 1, 1)];
        assert_eq!(drawn(&places), ["1<3", "2<.", "^<0"]);
    }

    #[test]
    fn overlapping_and_outlying_cells_are_moved() {
        let places = [
            (0, 0, 9, 2),
            (0, 1, 1, 1),
            (1, 0, 2, 9),
            (2, 0, 1, 1),
            (3, 4, 1, 1),
        ];
        assert_eq!(drawn(&places), ["01...", "2<<..", "^<<3.", "....4"]);
    }

    #[test]
    fn header_includes_rows_spanned_by_its_cells() {
        let places = [
            (0, 0, 2, 1),
            (0, 1, 1, 2),
            (1, 1, 1, 1),
            (1, 2, 1, 1),
            (2, 0, 1, 1),
        ];
        let grid = Grid::of(&table(&places));
        assert_eq!(signs(&grid), ["01<", "^23", "4.."]);
        assert_eq!(grid.header_rows, 2);
    }

    #[test]
    fn rows_and_columns_without_own_cells_are_removed() {
        let without_empty_tracks = |places: &[(usize, usize, usize, usize)]| {
            let table = Table {
                header_rows: 0,
                ..table(places)
            };
            Grid::of(&table).without_empty_tracks()
        };
        let places = [(0, 0, 2, 2), (0, 2, 2, 1), (2, 0, 1, 2), (2, 2, 1, 1)];
        let (grid, rows, columns) = without_empty_tracks(&places);
        assert_eq!(signs(&grid), ["01", "23"]);
        assert_eq!((rows, columns), (vec![0, 2], vec![0, 2]));
        let (grid, ..) = without_empty_tracks(&[(0, 0, 2, 3), (2, 1, 1, 2)]);
        assert_eq!(signs(&grid), ["0<", ".1"]);
    }
}
