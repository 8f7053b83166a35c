//! The edges of a column: where its lines begin and end.

use super::line::Line;

/// Where the lines of a region begin and end, in the direction of reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margins {
    pub(super) start: f32,
    pub(super) end: f32,
    /// Whether text is read from the right; places count from there then.
    pub(super) from_right: bool,
}

impl Margins {
    /// Those between two places of the page.
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

    /// Where a line begins.
    pub(super) fn start_of(&self, line: &Line) -> f32 {
        if self.from_right {
            -line.bounds.right
        } else {
            line.bounds.left
        }
    }

    /// Where a line ends.
    pub(super) fn end_of(&self, line: &Line) -> f32 {
        if self.from_right {
            -line.bounds.left
        } else {
            line.bounds.right
        }
    }

    /// Whether a line has about as much room before it as behind it.
    pub(super) fn is_centred(&self, line: &Line) -> bool {
        let (before, after) = (
            self.start_of(line) - self.start,
            self.end - self.end_of(line),
        );
        before > line.size * 1.5 && (before - after).abs() <= (line.size * 0.7).max(before * 0.04)
    }
}
