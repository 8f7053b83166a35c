//! Which cells of a worksheet are displayed.

use std::collections::{BTreeMap, HashSet};

use super::numbers::NumberFormat;

/// A range of cells; rows and columns from 0, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) rows: (u32, u32),
    pub(super) columns: (u32, u32),
}

/// Hidden rows and columns, and merged cells of a sheet.
#[derive(Default)]
pub(super) struct Grid {
    pub(super) hidden_rows: HashSet<u32>,
    /// Whether rows without properties are hidden.
    pub(super) hides_other_rows: bool,
    pub(super) shown_rows: HashSet<u32>,
    hidden_columns: Vec<bool>,
    pub(super) hides_zeros: bool,
    /// Merged ranges. The last ones are those of the first rows.
    merged: Vec<Range>,
    /// Merged ranges of the current row, by their first column.
    merged_here: BTreeMap<u32, Range>,
}

/// Number of columns of the largest sheet.
const MAX_COLUMNS: usize = 1 << 14;

impl Range {
    pub(super) fn contains(&self, row: u32, column: u32) -> bool {
        (self.rows.0..=self.rows.1).contains(&row)
            && (self.columns.0..=self.columns.1).contains(&column)
    }
}

impl Grid {
    /// Hides columns, from the first to the last one. Ranges have to come in the order of columns.
    pub(super) fn hide_columns(&mut self, first: usize, last: usize) {
        if first >= self.hidden_columns.len() && last < MAX_COLUMNS {
            self.hidden_columns.resize(first, false);
            self.hidden_columns.resize(last + 1, true);
        }
    }

    /// Sets the merged ranges.
    pub(super) fn merge(&mut self, mut ranges: Vec<Range>) {
        ranges.sort_unstable_by_key(|range| std::cmp::Reverse(range.rows.0));
        self.merged = ranges;
    }

    /// Whether a cell is displayed. Cells have to come in the order of rows.
    pub(super) fn is_shown(&mut self, row: u32, column: u32) -> bool {
        let index = usize::try_from(column).unwrap_or(usize::MAX);
        let is_row_hidden = self.hidden_rows.contains(&row)
            || (self.hides_other_rows && !self.shown_rows.contains(&row));
        !is_row_hidden
            && !self.hidden_columns.get(index).is_some_and(|hidden| *hidden)
            && !self.is_covered(row, column)
    }

    /// Whether a number is displayed in a cell of this format.
    pub(super) fn shows(&self, number: f64, format: NumberFormat) -> bool {
        format.shows(number) && !(self.hides_zeros && number == 0.0)
    }

    /// Whether a cell is in a merged range, but not its first one: only that is displayed.
    fn is_covered(&mut self, row: u32, column: u32) -> bool {
        while let Some(range) = self.merged.pop_if(|range| range.rows.0 <= row) {
            self.merged_here.insert(range.columns.0, range);
        }
        while let Some((first, range)) = self.merged_here.range(..=column).next_back() {
            let (first, range) = (*first, *range);
            if range.rows.1 >= row {
                return range.contains(row, column) && (row, column) != (range.rows.0, first);
            }
            self.merged_here.remove(&first);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_and_hidden_cells_are_not_shown() {
        let mut grid = Grid::default();
        let range = |rows, columns| Range { rows, columns };
        grid.merge(vec![range((1, 2), (3, 3)), range((4, 5), (1, 5))]);
        grid.hide_columns(7, 8);
        grid.hidden_rows.insert(6);
        let mut shown = |row, columns: [u32; 4]| columns.map(|column| grid.is_shown(row, column));
        assert_eq!(shown(1, [2, 3, 4, 6]), [true; 4]);
        assert_eq!(shown(2, [2, 3, 7, 9]), [true, false, false, true]);
        assert_eq!(shown(4, [1, 4, 5, 6]), [true, false, false, true]);
        assert_eq!(shown(6, [0, 1, 2, 3]), [false; 4]);
    }
}
