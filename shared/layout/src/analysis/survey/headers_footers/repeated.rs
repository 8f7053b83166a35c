//! The rows at one edge of pages that are headers or footers.

use std::collections::HashSet;

use super::{Edge, Place};

/// Headers or footers of a document.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Repeated {
    /// Their text, ignoring numbers.
    pub(super) shapes: HashSet<u64>,
    /// Their text, except for the page number.
    pub(super) said: HashSet<u64>,
    /// Those of them that are separated from the text.
    pub(super) apart: HashSet<u64>,
    /// Where the text changes, for example with each chapter.
    pub(super) places: Vec<Place>,
    /// Where rows begin or end with the page number, with the offset of that from the page index.
    pub(super) running: Vec<(i64, Place)>,
}

impl Repeated {
    /// Whether a row with this text, ignoring numbers, is a header or footer on some pages.
    pub(in crate::analysis) fn contains(&self, shape: &u64) -> bool {
        self.shapes.contains(shape)
    }

    /// Whether a row is a header or footer by its text or its place.
    pub(in crate::analysis) fn is_said(&self, row: &Edge) -> bool {
        row.keys().any(|key| self.said.contains(&key)) || self.is_placed(row)
    }

    /// Whether a row begins or ends with the page number at a place where rows of other pages do.
    pub(in crate::analysis) fn is_running(&self, row: &Edge) -> bool {
        let mut running = self.running.iter();
        running.any(|(offset, place)| row.pattern.ends.contains(offset) && place.holds(row))
    }

    /// Whether a separated row is at a place of headers or footers.
    fn is_placed(&self, row: &Edge) -> bool {
        self.places.iter().any(|place| place.holds(row)) || self.is_running(row)
    }

    /// Whether it is constant on many pages including its numbers, as table headers are, or at a place where text changes.
    pub(in crate::analysis) fn is_same(&self, row: &Edge) -> bool {
        self.said.contains(&row.pattern.exact) || self.is_placed(row)
    }

    /// Whether such a row is separated from the text.
    pub(in crate::analysis) fn is_apart(&self, row: &Edge) -> bool {
        row.keys().any(|key| self.apart.contains(&key)) || self.is_placed(row)
    }
}
