//! Adds columns of text next to the frame of a grid, on the baselines of its rows.

use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::{Area, Grid};
use crate::analysis::tables::segment::{Segment, Text, WIDE};
use crate::model::geometry::Rect;

/// Maximum distance of a column next to the frame, as a fraction of the font size.
const ASIDE: f32 = 6.0;
/// Tolerance for the height of a drawn rule or edge, points.
const DRAWN: f32 = 2.0;

/// Adds a column of the segments on the baselines of the rows at a side of the frame.
pub(super) fn with_sides(grid: Grid, content: &Content<'_>) -> Grid {
    let joints = grid.xs.get(1..grid.xs.len() - 1).unwrap_or_default();
    let inside = content.texts_in(grid.bounds, joints, WIDE);
    let size = inside.iter().map(|text| text.size).fold(0.0, f32::max);
    let mut grid = grid;
    for is_left in [true, false] {
        let area = match is_left {
            true => Rect {
                left: content.page.left,
                right: grid.bounds.left,
                ..grid.bounds
            },
            false => Rect {
                left: grid.bounds.right,
                right: content.page.right,
                ..grid.bounds
            },
        };
        let neighbors = content.texts_in(area, &[], WIDE);
        let nearest = |text: &Text| {
            let nearest = if is_left {
                text.segments.last()
            } else {
                text.segments.first()
            };
            nearest.copied().filter(|segment| {
                let gap = if is_left {
                    grid.bounds.left - segment.right
                } else {
                    segment.left - grid.bounds.right
                };
                gap < size * ASIDE && gap > -1.0 && segment.words < 8
            })
        };
        let own: Vec<Segment> = neighbors
            .iter()
            .filter(|text| {
                inside
                    .iter()
                    .any(|row| (row.baseline - text.baseline).abs() < size * 0.3)
            })
            .filter_map(nearest)
            .collect();
        let others = neighbors
            .iter()
            .filter(|text| text.segments.len() > 1)
            .count();
        let rows = grid.ys.len() - 1;
        if own.len() * 5 >= rows * 3
            && own.len() > 2
            && own.len() * 4 >= neighbors.len() * 3
            && others * 4 <= own.len()
        {
            let x = match is_left {
                true => {
                    own.iter()
                        .map(|segment| segment.left)
                        .fold(f32::INFINITY, f32::min)
                        - 1.0
                }
                false => own.iter().map(|segment| segment.right).fold(0.0, f32::max) + 1.0,
            };
            if let Some(wider) = grid.with_side(x, is_left, content) {
                grid = wider;
            }
        }
    }
    grid
}

impl Grid {
    /// Adds a column at a side. Its cells span rows that rules part only inside the frame.
    fn with_side(&self, x: f32, is_left: bool, content: &Content<'_>) -> Option<Self> {
        let mut xs = self.xs.clone();
        let (place, edge) = if is_left {
            (0, self.bounds.left)
        } else {
            (self.xs.len() - 1, self.bounds.right)
        };
        xs.insert(if is_left { 0 } else { xs.len() }, x);
        let is_drawn = |y: f32, at: f32| {
            let strokes = content
                .strokes
                .iter()
                .map(|stroke| stroke.bounds)
                .filter(|bounds| bounds.width() > bounds.height());
            let is_at = |bounds: &Rect| bounds.left <= at && at <= bounds.right;
            strokes
                .filter(|bounds| (bounds.center().1 - y).abs() < DRAWN)
                .any(|bounds| is_at(&bounds))
                || content.fills.iter().any(|fill| {
                    is_at(fill) && (fill.top - y).abs().min((fill.bottom - y).abs()) < DRAWN
                })
        };
        let inside = if is_left { edge + 3.0 } else { edge - 3.0 };
        let mut side: Vec<Area> = Vec::new();
        for (row, (top, bottom)) in self.ys.iter().zip(self.ys.iter().skip(1)).enumerate() {
            let is_open = is_drawn(*top, inside) && !is_drawn(*top, f32::midpoint(x, edge));
            match side.last_mut().filter(|_| is_open) {
                Some(above) => {
                    above.row_span += 1;
                    above.bounds.bottom = *bottom;
                }
                None => side.push(Area {
                    row,
                    column: place,
                    row_span: 1,
                    column_span: 1,
                    bounds: Rect::between((x, *top), (edge, *bottom)),
                }),
            }
        }
        let moved = self.cells.iter().map(|cell| Area {
            column: cell.column + usize::from(is_left),
            ..*cell
        });
        let mut cells: Vec<Area> = side.into_iter().chain(moved).collect();
        cells.sort_by_key(|cell| (cell.row, cell.column));
        Self::of_areas(xs, self.ys.clone(), cells, self.head)
    }
}
