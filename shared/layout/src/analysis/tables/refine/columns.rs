//! Splits the columns of a grid at gaps that run through their lines.

use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::{Area, Grid};
use crate::analysis::tables::row_bands::columns::Columns;
use crate::analysis::tables::segment::{Segment, Text, WIDE};
use crate::model::geometry::Rect;

/// Minimum gap between columns that are not ruled, as a fraction of the font size.
const GAP: f32 = 0.75;
/// Minimum number of lines on both sides of it.
const LINES: usize = 2;

/// Splits columns where a gap runs through their lines.
pub(super) fn with_columns(grid: Grid, content: &Content<'_>) -> Grid {
    let mut grid = grid;
    let mut column = 0;
    while column + 1 < grid.xs.len() {
        match gap(&grid, column, content) {
            Some(x) if grid.xs.len() < 100 => match grid.with_column(column, x, content) {
                Some(parted) => grid = parted,
                None => column += 1,
            },
            _ => column += 1,
        }
    }
    grid
}

/// Returns the middle of the first gap that parts the lines of a column.
fn gap(grid: &Grid, column: usize, content: &Content<'_>) -> Option<f32> {
    let (left, right) = (*grid.xs.get(column)?, *grid.xs.get(column + 1)?);
    let own = grid
        .cells
        .iter()
        .filter(|cell| cell.column == column && cell.column_span == 1);
    let texts: Vec<Text> = own
        .flat_map(|cell| content.texts_in(cell.bounds, &[], GAP))
        .collect();
    let several: Vec<&Text> = texts
        .iter()
        .filter(|text| text.segments.len() > 1)
        .collect();
    let is_enough = several.len() >= LINES && several.len() * 2 >= texts.len();
    let columns = Columns::of(several.iter().copied()).filter(|_| is_enough)?;
    let (from, to) = columns.gaps().iter().copied().find(|(from, to)| {
        let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
        let crossing = texts
            .iter()
            .flat_map(|text| &text.segments)
            .filter(|segment| segment.left < *from && *to < segment.right);
        let has_words = |is_side: &dyn Fn(&Segment) -> bool| {
            let sides = several
                .iter()
                .flat_map(|text| &text.segments)
                .filter(|segment| is_side(segment));
            let (all, words) = sides.fold((0, 0), |(all, words), segment| {
                (
                    all + 1,
                    words
                        + usize::from(
                            segment.has_letters && segment.characters > 1 || segment.digits > 0,
                        ),
                )
            });
            all >= LINES && words * 2 > all
        };
        to - from >= size * GAP
            && crossing.count() * 5 <= texts.len()
            && has_words(&|segment| segment.right <= *from + 0.5)
            && has_words(&|segment| segment.left >= *to - 0.5)
    })?;
    let x = f32::midpoint(from, to);
    (left + 2.0 < x && x < right - 2.0).then_some(x)
}

impl Grid {
    /// Splits a column; its cells become two, or a span if their text crosses the gap.
    fn with_column(&self, column: usize, x: f32, content: &Content<'_>) -> Option<Self> {
        let mut xs = self.xs.clone();
        xs.insert(column + 1, x);
        let mut cells = Vec::new();
        for cell in &self.cells {
            let end = cell.column + cell.column_span;
            if cell.column > column {
                cells.push(Area {
                    column: cell.column + 1,
                    ..*cell
                });
            } else if end <= column {
                cells.push(*cell);
            } else {
                let is_crossed = || {
                    content
                        .texts_in(cell.bounds, &[x], WIDE)
                        .iter()
                        .flat_map(|text| &text.segments)
                        .any(|segment| segment.left < x && x < segment.right)
                };
                if cell.column_span > 1 || is_crossed() {
                    cells.push(Area {
                        column_span: cell.column_span + 1,
                        ..*cell
                    });
                } else {
                    cells.push(Area {
                        bounds: Rect {
                            right: x,
                            ..cell.bounds
                        },
                        ..*cell
                    });
                    cells.push(Area {
                        column: column + 1,
                        bounds: Rect {
                            left: x,
                            ..cell.bounds
                        },
                        ..*cell
                    });
                }
            }
        }
        cells.sort_by_key(|cell| (cell.row, cell.column));
        Self::of_areas(xs, self.ys.clone(), cells, self.head)
    }
}
