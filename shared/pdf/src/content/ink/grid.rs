//! A grid over a page that records which cells rectangles cover, in constant time per rectangle.

use layout::{Rect, Size};

use super::components::visit_components;

/// Maximum number of cells along a side.
const MAX_CELLS: usize = 512;

/// Cells of a page.
pub(super) struct Grid {
    cell: f32,
    columns: usize,
    rows: usize,
    is_covered: Vec<bool>,
}

impl Grid {
    /// Marks the cells of rectangles. Cells of large pages are larger than `cell`, in points.
    pub(super) fn of(size: Size, cell: f32, areas: impl Iterator<Item = Rect>) -> Self {
        let longer = size.width.max(size.height).max(1.0);
        let mut grid = Self {
            cell: cell.max(longer / to_f32(MAX_CELLS)),
            columns: 0,
            rows: 0,
            is_covered: Vec::new(),
        };
        (grid.columns, grid.rows) = (grid.index(size.width) + 1, grid.index(size.height) + 1);
        grid.is_covered = grid.covered(areas);
        grid
    }

    /// Two-dimensional prefix sums of +1 and -1 at the corners of the rectangles.
    fn covered(&self, areas: impl Iterator<Item = Rect>) -> Vec<bool> {
        let width = self.columns + 1;
        let mut sums = vec![0_i32; width * (self.rows + 1)];
        let mut add = |column: usize, row: usize, by: i32| {
            if let Some(sum) = sums.get_mut(row * width + column) {
                *sum += by;
            }
        };
        for area in areas {
            let (left, right) = (self.column(area.left), self.column(area.right) + 1);
            let (top, bottom) = (self.row(area.top), self.row(area.bottom) + 1);
            add(left, top, 1);
            add(right, top, -1);
            add(left, bottom, -1);
            add(right, bottom, 1);
        }
        let mut above = vec![0_i32; width];
        let mut covered = Vec::with_capacity(self.columns * self.rows);
        for row in sums.chunks_exact(width).take(self.rows) {
            let mut along = 0;
            for (sum, above) in row.iter().zip(&mut above).take(self.columns) {
                along += sum;
                *above += along;
                covered.push(*above > 0);
            }
        }
        covered
    }

    /// Whether the cell of a point is covered.
    pub(super) fn is_covered(&self, point: (f32, f32)) -> bool {
        self.is_covered.get(self.cell_of(point)) == Some(&true)
    }

    fn cell_of(&self, (x, y): (f32, f32)) -> usize {
        self.row(y) * self.columns + self.column(x)
    }

    /// Returns the share of the cells of an area that are covered.
    pub(super) fn coverage(&self, area: &Rect) -> f32 {
        let (left, right) = (self.column(area.left), self.column(area.right) + 1);
        let (top, bottom) = (self.row(area.top), self.row(area.bottom) + 1);
        let rows = self
            .is_covered
            .chunks_exact(self.columns)
            .take(bottom)
            .skip(top);
        let covered = rows.flat_map(|row| row.get(left..right).unwrap_or_default());
        let count = covered.filter(|covered| **covered).count();
        to_f32(count) / to_f32(((right - left) * (bottom - top)).max(1))
    }

    /// Numbers the connected groups of covered cells, and returns the group of each point.
    pub(super) fn into_groups(mut self) -> impl Fn((f32, f32)) -> Option<usize> {
        let mut groups = vec![0; self.is_covered.len()];
        let mut cells = std::mem::take(&mut self.is_covered);
        visit_components(&mut cells, self.columns, |group, cell| {
            if let Some(place) = groups.get_mut(cell) {
                *place = group + 1;
            }
        });
        move |point| {
            let group = groups.get(self.cell_of(point)).copied();
            group.filter(|group| *group > 0)
        }
    }

    fn column(&self, x: f32) -> usize {
        self.index(x).min(self.columns.saturating_sub(1))
    }

    fn row(&self, y: f32) -> usize {
        self.index(y).min(self.rows.saturating_sub(1))
    }

    fn index(&self, position: f32) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped below, and limited by the callers"
        )]
        let index = (position.max(0.0) / self.cell) as usize;
        index.min(MAX_CELLS)
    }
}

/// Converts a count.
pub(super) fn to_f32(count: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "shares and sizes")]
    let count = count as f32;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_touch_form_groups() {
        let size = Size {
            width: 100.0,
            height: 100.0,
        };
        let areas = [
            Rect::between((10.0, 10.0), (20.0, 20.0)),
            Rect::between((21.0, 21.0), (30.0, 30.0)),
            Rect::between((60.0, 60.0), (200.0, 70.0)),
        ];
        let grid = Grid::of(size, 2.0, areas.into_iter());
        assert!(grid.is_covered((15.0, 15.0)) && !grid.is_covered((40.0, 40.0)));
        assert!(grid.coverage(&areas[0]) > 0.99 && grid.coverage(&areas[0].grown(10.0)) < 0.5);
        let groups = grid.into_groups();
        assert_eq!(groups((15.0, 15.0)), groups((29.0, 29.0)));
        assert_ne!(groups((15.0, 15.0)), groups((65.0, 65.0)));
        assert_eq!(groups((40.0, 40.0)), None);
    }
}
