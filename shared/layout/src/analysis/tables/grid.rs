//! Crossing lines → grids with cell spans.

mod stacked;

use crate::analysis::tables::connect::connected;
use crate::analysis::tables::strokes::Lines;
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Maximum distance of lines that are one, points.
const NEAR: f32 = 3.0;
/// Minimum length by which lines must extend beyond the outermost crossing line to form cells there, points.
const OUT: f32 = 8.0;
/// Maximum number of grids of a page.
pub(in crate::analysis) const GRIDS: usize = 200;
/// Maximum number of positions of a grid.
pub(in crate::analysis) const PLACES: usize = 40_000;

/// A grid of rows and columns.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Grid {
    pub(in crate::analysis) bounds: Rect,
    /// Column boundaries from left to right.
    pub(in crate::analysis) xs: Vec<f32>,
    /// Row boundaries from top to bottom.
    pub(in crate::analysis) ys: Vec<f32>,
    /// Cells by row and column.
    pub(in crate::analysis) cells: Vec<Area>,
    /// Number of header rows above a rule, in tables without rules between all cells.
    pub(in crate::analysis) head: Option<usize>,
    /// Index of the cell at each position, row by row.
    places: Vec<usize>,
}

/// A cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::analysis) struct Area {
    pub(in crate::analysis) row: usize,
    pub(in crate::analysis) column: usize,
    pub(in crate::analysis) row_span: usize,
    pub(in crate::analysis) column_span: usize,
    pub(in crate::analysis) bounds: Rect,
}

/// Returns the grids with at least two cells.
pub(in crate::analysis) fn grids(strokes: &[Stroke]) -> Vec<Grid> {
    let lines = Lines::of(strokes);
    let mut tries = stacked::TRIED;
    connected(&lines)
        .into_iter()
        .flat_map(|part| stacked::parted(part, strokes, &mut tries))
        .filter_map(|part| Grid::of(&part))
        .collect()
}

impl Grid {
    fn of(lines: &Lines) -> Option<Self> {
        let mut xs = positions(lines.upright.iter().map(|line| line.center().0));
        let mut ys = positions(lines.level.iter().map(|line| line.center().1));
        reach_out(
            &mut xs,
            lines.level.iter().map(|line| (line.left, line.right)),
        );
        reach_out(
            &mut ys,
            lines.upright.iter().map(|line| (line.top, line.bottom)),
        );
        let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        if columns * rows < 2 || columns * rows > PLACES {
            return None;
        }
        let borders = Borders::of(lines, &xs, &ys);
        let places = borders.joined(columns, rows);
        let cells = areas(&places, &borders.right, &xs, &ys, columns);
        let grid = Self::of_areas(xs, ys, cells, None)?;
        (grid.cells.len() > 1).then_some(grid)
    }

    /// Creates a grid from these cells.
    pub(in crate::analysis) fn of_areas(
        xs: Vec<f32>,
        ys: Vec<f32>,
        cells: Vec<Area>,
        head: Option<usize>,
    ) -> Option<Self> {
        let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        Some(Self {
            bounds: Rect::between((*xs.first()?, *ys.first()?), (*xs.last()?, *ys.last()?)),
            places: numbered(&cells, columns, rows),
            xs,
            ys,
            cells,
            head,
        })
    }

    /// Returns the index of the cell that contains a point.
    pub(in crate::analysis) fn cell_at(&self, (x, y): (f32, f32)) -> Option<usize> {
        if !self.bounds.contains((x, y)) {
            return None;
        }
        let columns = self.xs.len() - 1;
        let column = self
            .xs
            .partition_point(|edge| *edge <= x)
            .saturating_sub(1)
            .min(columns - 1);
        let row = self
            .ys
            .partition_point(|edge| *edge <= y)
            .saturating_sub(1)
            .min(self.ys.len() - 2);
        self.places.get(row * columns + column).copied()
    }
}

/// Returns the positions without near duplicates.
fn positions(all: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut all: Vec<f32> = all.collect();
    all.sort_by(f32::total_cmp);
    all.dedup_by(|next, before| *next - *before < NEAR);
    all
}

/// Adds the common ends of at least two lines that extend beyond the outermost crossing lines.
fn reach_out(positions: &mut Vec<f32>, lines: impl Iterator<Item = (f32, f32)>) {
    let (Some(first), Some(last)) = (positions.first().copied(), positions.last().copied()) else {
        return;
    };
    let lines: Vec<(f32, f32)> = lines.collect();
    let before = lines
        .iter()
        .map(|(begin, _)| *begin)
        .filter(|begin| *begin < first - OUT);
    let after = lines
        .iter()
        .map(|(_, end)| *end)
        .filter(|end| *end > last + OUT);
    let (before, after): (Vec<f32>, Vec<f32>) = (before.collect(), after.collect());
    if before.len() > 1 {
        positions.insert(0, before.into_iter().fold(f32::INFINITY, f32::min));
    }
    if after.len() > 1 {
        positions.push(after.into_iter().fold(f32::NEG_INFINITY, f32::max));
    }
}

/// For each position of a grid, whether there is a line at its right and at its lower edge.
struct Borders {
    right: Vec<bool>,
    below: Vec<bool>,
}

impl Borders {
    fn of(lines: &Lines, xs: &[f32], ys: &[f32]) -> Self {
        let columns = xs.len() - 1;
        let mut right = vec![0.0_f32; columns * (ys.len() - 1)];
        let mut below = right.clone();
        for line in &lines.upright {
            for (row, part) in parts(ys, line.top, line.bottom) {
                let column = nearest(xs, line.center().0).checked_sub(1);
                let place = column.and_then(|column| right.get_mut(row * columns + column));
                place.into_iter().for_each(|place| *place += part);
            }
        }
        for line in &lines.level {
            for (column, part) in parts(xs, line.left, line.right) {
                let row = nearest(ys, line.center().1).checked_sub(1);
                let place = row.and_then(|row| below.get_mut(row * columns + column));
                place.into_iter().for_each(|place| *place += part);
            }
        }
        let drawn = |covered: Vec<f32>| covered.into_iter().map(|part| part > 0.5).collect();
        Self {
            right: drawn(right),
            below: drawn(below),
        }
    }

    /// Returns for each position the first position of its cell.
    fn joined(&self, columns: usize, rows: usize) -> Vec<usize> {
        let mut sets = crate::analysis::tables::connect::Sets::new(columns * rows);
        for place in 0..columns * rows {
            let (row, column) = (place / columns, place % columns);
            if column + 1 < columns && self.right.get(place) == Some(&false) {
                sets.join(place, place + 1);
            }
            if row + 1 < rows && self.below.get(place) == Some(&false) {
                sets.join(place, place + columns);
            }
        }
        (0..columns * rows).map(|place| sets.first(place)).collect()
    }
}

/// Returns the index of the nearest position.
fn nearest(positions: &[f32], value: f32) -> usize {
    let apart = positions
        .iter()
        .map(|position| (position - value).abs())
        .enumerate();
    apart
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .map_or(0, |(index, _)| index)
}

/// Returns the intervals between positions that a line runs along, with the covered fraction of each.
fn parts(positions: &[f32], begin: f32, end: f32) -> Vec<(usize, f32)> {
    let pairs = positions.iter().zip(positions.iter().skip(1)).enumerate();
    let parts = pairs.map(|(index, (from, to))| {
        (
            index,
            (end.min(*to) - begin.max(*from)) / (to - from).max(0.01),
        )
    });
    parts.filter(|(_, part)| *part > 0.0).collect()
}

/// Returns the cells: connected positions if they form a rectangle, otherwise the connected parts of each row; `right` marks
/// positions with a line at their right.
fn areas(places: &[usize], right: &[bool], xs: &[f32], ys: &[f32], columns: usize) -> Vec<Area> {
    let is_parted =
        |place: usize| place % columns + 1 == columns || right.get(place) != Some(&false);
    let mut extents: std::collections::BTreeMap<usize, [usize; 5]> =
        std::collections::BTreeMap::new();
    for (place, first) in places.iter().enumerate() {
        let (row, column) = (place / columns, place % columns);
        let extent = extents
            .entry(*first)
            .or_insert([row, column, row, column, 0]);
        let [top, left, bottom, right, count] = *extent;
        *extent = [
            top.min(row),
            left.min(column),
            bottom.max(row),
            right.max(column),
            count + 1,
        ];
    }
    let mut areas = Vec::new();
    for (place, first) in places.iter().enumerate() {
        let (row, column) = (place / columns, place % columns);
        let Some([top, left, bottom, right, count]) = extents.get(first).copied() else {
            continue;
        };
        let is_whole = (bottom - top + 1) * (right - left + 1) == count;
        let extent = match is_whole {
            true if (row, column) != (top, left) => continue,
            true => [top, left, bottom, right],
            false if column > 0 && !is_parted(place - 1) => continue,
            false => {
                let more = (place..places.len()).take_while(|place| !is_parted(*place));
                [row, column, row, column + more.count()]
            }
        };
        areas.extend(area(extent, xs, ys));
    }
    areas
}

fn area([top, left, bottom, right]: [usize; 4], xs: &[f32], ys: &[f32]) -> Option<Area> {
    Some(Area {
        row: top,
        column: left,
        row_span: bottom - top + 1,
        column_span: right - left + 1,
        bounds: Rect::between(
            (*xs.get(left)?, *ys.get(top)?),
            (*xs.get(right + 1)?, *ys.get(bottom + 1)?),
        ),
    })
}

fn numbered(cells: &[Area], columns: usize, rows: usize) -> Vec<usize> {
    let mut places = vec![0; columns * rows];
    for (number, cell) in cells.iter().enumerate() {
        for row in cell.row..cell.row + cell.row_span {
            for column in cell.column..cell.column + cell.column_span {
                places
                    .get_mut(row * columns + column)
                    .into_iter()
                    .for_each(|place| *place = number);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(from: (f32, f32), to: (f32, f32)) -> Stroke {
        Stroke {
            bounds: Rect::between(from, to).grown(0.25),
        }
    }

    #[test]
    fn a_missing_line_joins_two_cells() {
        let mut strokes: Vec<Stroke> = [0.0, 20.0, 40.0]
            .map(|y| stroke((0.0, y), (90.0, y)))
            .into();
        strokes.extend([0.0, 90.0].map(|x| stroke((x, 0.0), (x, 40.0))));
        strokes.push(stroke((30.0, 20.0), (30.0, 40.0)));
        strokes.push(stroke((60.0, 0.0), (60.0, 40.0)));
        let [grid] = <[Grid; 1]>::try_from(grids(&strokes)).unwrap();
        let spans: Vec<_> = grid
            .cells
            .iter()
            .map(|cell| (cell.row, cell.column, cell.row_span, cell.column_span))
            .collect();
        assert_eq!(
            spans,
            [
                (0, 0, 1, 2),
                (0, 2, 1, 1),
                (1, 0, 1, 1),
                (1, 1, 1, 1),
                (1, 2, 1, 1)
            ]
        );
        assert_eq!(grid.cell_at((45.0, 10.0)), Some(0));
        assert_eq!(grid.cell_at((45.0, 30.0)), Some(3));
    }

    #[test]
    fn a_title_above_columns_is_one_cell_though_a_line_below_it_is_missing() {
        let strokes = [
            stroke((0.0, 0.0), (90.0, 0.0)),
            stroke((30.0, 20.0), (90.0, 20.0)),
            stroke((0.0, 40.0), (90.0, 40.0)),
            stroke((0.0, 0.0), (0.0, 40.0)),
            stroke((30.0, 20.0), (30.0, 40.0)),
            stroke((60.0, 20.0), (60.0, 40.0)),
            stroke((90.0, 0.0), (90.0, 40.0)),
        ];
        let grids = grids(&strokes);
        let cells = grids[0].cells.iter();
        let spans: Vec<_> = cells
            .map(|cell| (cell.row, cell.column, cell.row_span, cell.column_span))
            .collect();
        assert_eq!(
            spans,
            [(0, 0, 1, 3), (1, 0, 1, 1), (1, 1, 1, 1), (1, 2, 1, 1)]
        );
    }

    #[test]
    fn a_frame_is_not_a_grid_and_two_tables_are_separate() {
        let frame = |x: f32| {
            vec![
                stroke((x, 0.0), (x + 50.0, 0.0)),
                stroke((x, 30.0), (x + 50.0, 30.0)),
                stroke((x, 0.0), (x, 30.0)),
                stroke((x + 50.0, 0.0), (x + 50.0, 30.0)),
            ]
        };
        assert!(grids(&frame(0.0)).is_empty());
        let mut two = [frame(0.0), frame(100.0)].concat();
        two.extend([0.0, 100.0].map(|x| stroke((x, 15.0), (x + 50.0, 15.0))));
        assert_eq!(grids(&two).len(), 2);
    }
}
