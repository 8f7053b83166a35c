//! Adds the header line above the frame of a grid, and drops outer rows that are too thin for text, and the title above a table.

use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::{Area, Grid};
use crate::analysis::tables::segment::{Segment, WIDE};
use crate::model::geometry::Rect;

/// Maximum distance of a header line above the frame, as a fraction of the font size.
const ABOVE: f32 = 2.4;
/// Maximum height of a row without text, points.
const THIN: f32 = 7.0;
/// Minimum size of a title above a borderless table, as a multiple of that of its text.
const TITLE: f32 = 1.25;

/// Adds the header line above the frame whose segments fit the columns.
pub(super) fn with_head(grid: Grid, content: &Content<'_>) -> Grid {
    let columns = grid.xs.len() - 1;
    let joints = grid.xs.get(1..columns).unwrap_or_default();
    let inside = content.texts_in(grid.bounds, joints, WIDE);
    let size = inside.iter().map(|text| text.size).fold(0.0, f32::max);
    let area = Rect {
        top: grid.bounds.top - size * ABOVE,
        bottom: grid.bounds.top + 1.0,
        left: grid.bounds.left - 3.0,
        right: grid.bounds.right + 3.0,
    };
    let texts = content.texts_in(area, joints, WIDE);
    let Some(text) = texts.last().filter(|_| columns > 1) else {
        return grid;
    };
    let column = |segment: &Segment| {
        let first = grid.xs.partition_point(|x| *x < segment.left + 1.0);
        let last = grid.xs.partition_point(|x| *x < segment.right - 1.0);
        (first == last).then_some(first)
    };
    let places: Option<Vec<usize>> = text.segments.iter().map(column).collect();
    let is_head = places.is_some_and(|places| {
        places.len() > 1
            && places.len() + 1 >= columns
            && places.is_sorted_by(|one, next| one < next)
    });
    let is_near = grid.bounds.top - text.baseline < size * ABOVE * 0.8;
    let neighbors = content.texts_in(
        Rect {
            left: area.left - 100.0,
            right: area.right + 100.0,
            top: text.baseline - size * 0.8,
            bottom: text.baseline + size * 0.1,
        },
        joints,
        WIDE,
    );
    let is_alone = neighbors
        .iter()
        .all(|neighbors| neighbors.segments.len() <= text.segments.len());
    // Rules between its segments are those of another table.
    let middle = text.baseline - text.size * 0.3;
    let is_ruled = content.strokes.iter().any(|stroke| {
        let bounds = stroke.bounds;
        !stroke.is_horizontal()
            && (bounds.top..bounds.bottom).contains(&middle)
            && (area.left..area.right).contains(&bounds.center().0)
    });
    match is_head && is_near && is_alone && !is_ruled {
        true => grid
            .with_row_above(text.baseline - text.size)
            .unwrap_or(grid),
        false => grid,
    }
}

/// Drops outer rows that are too thin for text: the space between double rules.
pub(super) fn without_thin(grid: Grid, content: &Content<'_>) -> Grid {
    let mut grid = grid;
    for is_top in [true, false] {
        let edges = match (is_top, grid.ys.as_slice()) {
            (true, [first, second, _, ..]) => Some((*first, *second)),
            (false, [_, .., second, last]) => Some((*second, *last)),
            _ => None,
        };
        let Some((top, bottom)) = edges else { continue };
        let area = Rect {
            top,
            bottom,
            ..grid.bounds
        };
        if bottom - top < THIN && content.glyphs_in(area).next().is_none() {
            grid = grid.without_row(is_top).unwrap_or(grid);
        }
    }
    grid
}

/// Drops the first rows of a borderless grid if each of their lines has one segment, larger than the text below.
pub(super) fn without_title(grid: Grid, content: &Content<'_>) -> Grid {
    let mut grid = grid;
    while let ([top, bottom, _, ..], true) = (grid.ys.as_slice(), grid.head.is_some()) {
        let joints = grid.xs.get(1..grid.xs.len() - 1).unwrap_or_default();
        let texts = |top: f32, bottom: f32| {
            let area = Rect {
                top,
                bottom,
                ..grid.bounds
            };
            content.texts_in(area, joints, WIDE)
        };
        let below = texts(*bottom, grid.bounds.bottom);
        let largest = below.iter().map(|text| text.size).fold(0.0, f32::max);
        let first = texts(*top, *bottom);
        let is_title = first
            .iter()
            .all(|text| text.segments.len() == 1 && text.size > largest * TITLE);
        match grid
            .without_row(true)
            .filter(|_| is_title && !first.is_empty())
        {
            Some(rest) => grid = rest,
            None => break,
        }
    }
    grid
}

impl Grid {
    /// Adds a row above.
    fn with_row_above(&self, y: f32) -> Option<Self> {
        let mut ys = self.ys.clone();
        ys.insert(0, y);
        let bottom = self.bounds.top;
        let pairs = self.xs.iter().zip(self.xs.iter().skip(1)).enumerate();
        let above = pairs.map(|(column, (left, right))| Area {
            row: 0,
            column,
            row_span: 1,
            column_span: 1,
            bounds: Rect {
                left: *left,
                right: *right,
                top: y,
                bottom,
            },
        });
        let below = self.cells.iter().map(|cell| Area {
            row: cell.row + 1,
            ..*cell
        });
        let head = self.head.map(|head| head + 1);
        Self::of_areas(self.xs.clone(), ys, above.chain(below).collect(), head)
    }

    /// Removes the first or last row.
    fn without_row(&self, is_first: bool) -> Option<Self> {
        let mut ys = self.ys.clone();
        let row = if is_first { 0 } else { ys.len() - 2 };
        ys.remove(if is_first { 0 } else { ys.len() - 1 });
        let (top, bottom) = (*ys.first()?, *ys.last()?);
        let is_kept = |cell: &&Area| cell.row != row || cell.row_span > 1;
        let cells = self.cells.iter().filter(is_kept).map(|cell| {
            let has_row = cell.row <= row && row < cell.row + cell.row_span;
            Area {
                row: cell.row - usize::from(is_first && cell.row > 0),
                row_span: cell.row_span - usize::from(has_row),
                bounds: Rect {
                    top: cell.bounds.top.max(top),
                    bottom: cell.bounds.bottom.min(bottom),
                    ..cell.bounds
                },
                ..*cell
            }
        });
        let head = self
            .head
            .map(|head| head.saturating_sub(usize::from(is_first)));
        Self::of_areas(self.xs.clone(), ys, cells.collect(), head)
    }
}
