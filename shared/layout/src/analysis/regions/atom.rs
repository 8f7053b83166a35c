//! The units of reading order: lines, and blocks that are already detected.

use crate::analysis::lines::line::Line;
use crate::model::block::Block;
use crate::model::geometry::Rect;

/// A line or a detected block.
#[derive(Clone, Debug)]
pub(in crate::analysis) enum Atom {
    Line(Line),
    /// A table or picture with its bounds.
    Block(Block, Rect),
}

impl Atom {
    pub(in crate::analysis) fn bounds(&self) -> Rect {
        match self {
            Self::Line(line) => line.bounds,
            Self::Block(_, bounds) => *bounds,
        }
    }

    /// Returns the upper edge; of a line, without the leading of the font.
    pub(in crate::analysis) fn top(&self) -> f32 {
        match self {
            Self::Line(line) => line.core().start,
            Self::Block(_, bounds) => bounds.top,
        }
    }

    pub(in crate::analysis) fn bottom(&self) -> f32 {
        match self {
            Self::Line(line) => line.core().end,
            Self::Block(_, bounds) => bounds.bottom,
        }
    }

    pub(in crate::analysis) fn line(&self) -> Option<&Line> {
        match self {
            Self::Line(line) => Some(line),
            Self::Block(..) => None,
        }
    }
}
