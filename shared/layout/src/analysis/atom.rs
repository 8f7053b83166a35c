//! What is put into reading order: lines, and blocks that are found already.

use super::line::Line;
use crate::model::block::Block;
use crate::model::geometry::Rect;

/// Something that stands on a page as one.
#[derive(Clone, Debug)]
pub(super) enum Atom {
    Line(Line),
    /// A table or a picture, and where it stands.
    Block(Block, Rect),
}

impl Atom {
    pub(super) fn bounds(&self) -> Rect {
        match self {
            Self::Line(line) => line.bounds,
            Self::Block(_, bounds) => *bounds,
        }
    }

    /// From where to where it takes the page's height, without what fonts leave free.
    pub(super) fn top(&self) -> f32 {
        match self {
            Self::Line(line) => line.core().start,
            Self::Block(_, bounds) => bounds.top,
        }
    }

    pub(super) fn bottom(&self) -> f32 {
        match self {
            Self::Line(line) => line.core().end,
            Self::Block(_, bounds) => bounds.bottom,
        }
    }

    pub(super) fn line(&self) -> Option<&Line> {
        match self {
            Self::Line(line) => Some(line),
            Self::Block(..) => None,
        }
    }
}
