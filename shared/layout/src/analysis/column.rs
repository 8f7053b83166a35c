//! Margins of a column: where its lines begin and end.

use super::line::Line;

/// Margins of a region, in reading direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margins {
    pub(super) start: f32,
    pub(super) end: f32,
    /// Whether text is right-to-left; positions are then measured from the right.
    pub(super) from_right: bool,
}

impl Margins {
    /// Creates margins from two positions on the page.
    pub(super) fn new((left, right): (f32, f32), from_right: bool) -> Self {
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
    pub(super) fn start_of(&self, line: &Line) -> f32 {
        if self.from_right {
            -line.bounds.right
        } else {
            line.bounds.left
        }
    }

    /// Returns the end of a line.
    pub(super) fn end_of(&self, line: &Line) -> f32 {
        if self.from_right {
            -line.bounds.left
        } else {
            line.bounds.right
        }
    }

    /// Whether a line has about the same space before and after it.
    pub(super) fn is_centered(&self, line: &Line) -> bool {
        let (before, after) = (
            self.start_of(line) - self.start,
            self.end - self.end_of(line),
        );
        before > line.size * 1.5 && (before - after).abs() <= (line.size * 0.7).max(before * 0.04)
    }
}
