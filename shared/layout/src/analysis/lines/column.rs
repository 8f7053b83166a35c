//! Margins of a column: where its lines begin and end.

use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;

/// Margins of a region, in reading direction.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Margins {
    pub(in crate::analysis) start: f32,
    pub(in crate::analysis) end: f32,
    /// Whether text is right-to-left; positions are then measured from the right.
    pub(in crate::analysis) from_right: bool,
}

impl Margins {
    /// Creates margins from two positions on the page.
    pub(in crate::analysis) fn new((left, right): (f32, f32), from_right: bool) -> Self {
        let (start, end) = if from_right {
            (-right, -left)
        } else {
            (left, right)
        };
        Self {
            start,
            end,
            from_right,
        }
    }

    /// Returns the start of a line.
    pub(in crate::analysis) fn start_of(&self, line: &Line) -> f32 {
        self.start(&line.bounds)
    }

    /// Returns the start of an area.
    pub(in crate::analysis) fn start(&self, bounds: &Rect) -> f32 {
        if self.from_right {
            -bounds.right
        } else {
            bounds.left
        }
    }

    /// Returns the end of a line.
    pub(in crate::analysis) fn end_of(&self, line: &Line) -> f32 {
        if self.from_right {
            -line.bounds.left
        } else {
            line.bounds.right
        }
    }

    /// Whether a line has about the same space before and after it.
    pub(in crate::analysis) fn is_centered(&self, line: &Line) -> bool {
        let (before, after) = (
            self.start_of(line) - self.start,
            self.end - self.end_of(line),
        );
        before > line.size * 1.5 && (before - after).abs() <= (line.size * 0.7).max(before * 0.04)
    }

    /// Whether two lines are centered and not just flush with each other.
    pub(in crate::analysis) fn are_centered(&self, one: &Line, other: &Line) -> bool {
        let start = self.start_of(other) - self.start_of(one);
        let end = self.end_of(other) - self.end_of(one);
        self.is_centered(one)
            && self.is_centered(other)
            && (start.abs() > 1.0 || end.abs() <= one.size * 0.7)
    }
}
