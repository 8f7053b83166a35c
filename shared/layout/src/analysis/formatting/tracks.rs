//! The geometry of a table: where the text of its rows and columns is, and the gaps between them, in which lines may be drawn.

use crate::model::block::{Cell, Table};
use crate::model::geometry::Rect;

/// Distance around the text of a row or column in which its lines may be, points.
const SLACK: f32 = 1.5;
/// Distance from the outermost text up to which a line belongs to the table, points.
const OUTSIDE: f32 = 8.0;

/// A range of coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) from: f32,
    pub(super) to: f32,
}

impl Range {
    pub(super) fn length(self) -> f32 {
        self.to - self.from
    }

    pub(super) fn middle(self) -> f32 {
        f32::midpoint(self.from, self.to)
    }

    /// Returns the length that both have in common.
    pub(super) fn shared(self, other: Self) -> f32 {
        (self.to.min(other.to) - self.from.max(other.from)).max(0.0)
    }

    fn union(self, other: Self) -> Self {
        Self {
            from: self.from.min(other.from),
            to: self.to.max(other.to),
        }
    }
}

/// The rows and columns of a table on the page. Columns count from the left, in tables of either direction.
pub(super) struct Tracks {
    /// Whether the first column of the table is the rightmost.
    pub(super) is_mirrored: bool,
    columns: usize,
    /// By index of the row or column after it: the gap before it.
    row_gaps: Vec<Range>,
    column_gaps: Vec<Range>,
    /// Edges of the columns.
    column_edges: Vec<f32>,
}

impl Tracks {
    /// Returns the tracks of a table; `None` without positions.
    pub(super) fn of(table: &Table, bounds: Rect) -> Option<Self> {
        let columns = table.widths.len();
        let texts: Vec<(&Cell, Rect)> = table
            .cells
            .iter()
            .filter(|cell| cell.column + cell.column_span <= columns)
            .filter_map(|cell| Some((cell, text_of(cell)?)))
            .collect();
        let leftmost = texts.iter().min_by_key(|(cell, _)| cell.column)?;
        let rightmost = texts.iter().max_by_key(|(cell, _)| cell.column)?;
        let is_mirrored = rightmost.1.center().0 < leftmost.1.center().0;
        let mut tracks = Self {
            is_mirrored,
            columns,
            row_gaps: Vec::new(),
            column_gaps: Vec::new(),
            column_edges: edges(&table.widths, is_mirrored, bounds),
        };
        let (mut rows, mut by_column) = (vec![None; table.rows], vec![None; columns]);
        for (cell, text) in &texts {
            if cell.row_span == 1 {
                widen(&mut rows, cell.row, text.top, text.bottom);
            }
            if cell.column_span == 1 {
                widen(&mut by_column, tracks.column(cell), text.left, text.right);
            }
        }
        tracks.row_gaps = gaps(&rows, bounds.top, bounds.bottom);
        tracks.column_gaps = gaps(&by_column, bounds.left, bounds.right);
        Some(tracks)
    }

    /// Returns the first column of a cell, from the left.
    pub(super) fn column(&self, cell: &Cell) -> usize {
        match self.is_mirrored {
            true => self.columns.saturating_sub(cell.column + cell.column_span),
            false => cell.column,
        }
    }

    /// Returns the gaps above and below a cell.
    pub(super) fn rows_around(&self, cell: &Cell) -> Option<(Range, Range)> {
        let above = self.row_gaps.get(cell.row)?;
        let below = self.row_gaps.get(cell.row.checked_add(cell.row_span)?)?;
        Some((*above, *below))
    }

    /// Returns the gaps on the left and right of a cell.
    pub(super) fn columns_around(&self, cell: &Cell) -> Option<(Range, Range)> {
        let column = self.column(cell);
        let left = self.column_gaps.get(column)?;
        let right = self.column_gaps.get(column + cell.column_span)?;
        Some((*left, *right))
    }

    /// Returns the area of a cell; its rows end in the middle of the gaps.
    pub(super) fn area(&self, cell: &Cell) -> Option<Rect> {
        let (above, below) = self.rows_around(cell)?;
        let column = self.column(cell);
        Some(Rect {
            left: *self.column_edges.get(column)?,
            top: above.middle(),
            right: *self.column_edges.get(column + cell.column_span)?,
            bottom: below.middle(),
        })
    }
}

/// Returns the bounds of the content of a cell.
pub(super) fn text_of(cell: &Cell) -> Option<Rect> {
    Rect::around(cell.blocks.iter().filter_map(|block| block.bounds))
}

/// Returns the edges of columns of these widths, from the left.
fn edges(widths: &[f32], is_mirrored: bool, bounds: Rect) -> Vec<f32> {
    let total: f32 = widths.iter().sum();
    let scale = if total > 0.0 {
        bounds.width() / total
    } else {
        0.0
    };
    let mut widths = widths.to_vec();
    if is_mirrored {
        widths.reverse();
    }
    let ends = widths.iter().scan(bounds.left, |end, width| {
        *end += width * scale;
        Some(*end)
    });
    std::iter::once(bounds.left).chain(ends).collect()
}

fn widen(extents: &mut [Option<Range>], index: usize, from: f32, to: f32) {
    if let Some(extent) = extents.get_mut(index) {
        let text = Range { from, to };
        *extent = Some(extent.map_or(text, |extent| extent.union(text)));
    }
}

/// Returns the gaps before, between and after tracks of these extents, within the bounds of the table.
fn gaps(extents: &[Option<Range>], first: f32, last: f32) -> Vec<Range> {
    let mut ends = Vec::with_capacity(extents.len() + 1);
    let mut end = None;
    for extent in extents {
        ends.push(end);
        end = extent.map(|extent| extent.to).or(end);
    }
    ends.push(end);
    let mut begin = None;
    let mut gaps = Vec::with_capacity(ends.len());
    for (index, end) in ends.into_iter().enumerate().rev() {
        let extent = extents.get(index).copied().flatten();
        begin = extent.map(|extent| extent.from).or(begin);
        let (from, to) = match (end, begin) {
            (Some(end), Some(begin)) => (end.min(begin), begin.max(end)),
            (None, Some(begin)) => (first.min(begin - OUTSIDE), begin),
            (Some(end), None) => (end, last.max(end + OUTSIDE)),
            (None, None) => (first, last),
        };
        gaps.push(Range {
            from: from - SLACK,
            to: to + SLACK,
        });
    }
    gaps.reverse();
    gaps
}
