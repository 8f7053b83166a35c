//! What stands at the upper or the lower edge of a section's pages: one header or footer for all, or the first page has its own.

use super::edge::{Edge, EdgeKind};
use crate::Block;

/// What the pages of a section have at one edge: that of the first page may be its own.
pub(super) struct Margin {
    kind: EdgeKind,
    first: Option<Edge>,
    /// What the others have; none if that is what the first has.
    others: Option<Edge>,
}

impl Margin {
    pub(super) fn new(kind: EdgeKind) -> Self {
        Self {
            kind,
            first: None,
            others: None,
        }
    }

    /// Takes what a page has, which is the section's first, second and so on. The second page is asked what the others have
    /// where the first has something else; later ones only where none had anything.
    pub(super) fn see(&mut self, blocks: &[Block], number: u32, place: u32) {
        if place == 1 {
            self.first = Edge::of(self.kind, blocks, number);
        } else if let Some(others) = self.others.take() {
            self.others = Some(others.beside(blocks, number));
        } else if self.first.is_none() || (place == 2 && self.lacks(blocks)) {
            self.others = Edge::of(self.kind, blocks, number);
        } else {
            self.first = self.first.take().map(|first| first.beside(blocks, number));
        }
    }

    /// Whether blocks say something that it does not, but for numbers.
    pub(super) fn lacks(&self, blocks: &[Block]) -> bool {
        let mut known = self.first.iter().chain(&self.others);
        !blocks.is_empty() && !known.any(|known| known.is_like(blocks))
    }

    /// Whether the first page has something else than others, or nothing where they have something.
    pub(super) fn first_differs(&self) -> bool {
        self.others.is_some()
    }

    pub(super) fn of_first(&self) -> Option<&Edge> {
        self.first.as_ref()
    }

    pub(super) fn of_most(&self) -> Option<&Edge> {
        self.others.as_ref().or(self.first.as_ref())
    }
}
