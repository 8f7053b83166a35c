//! Which rows at one edge of pages are headers or footers.

use std::collections::HashSet;

use super::Edge;

/// The rows at one edge of pages that are headers or footers.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Repeated {
    /// What they say with any numbers.
    pub(super) shapes: HashSet<u64>,
    /// What they say, but for a number that counts with the pages.
    pub(super) said: HashSet<u64>,
    /// Of these, what is set apart from the text.
    pub(super) apart: HashSet<u64>,
}

impl Repeated {
    /// Whether a row that says this, up to its numbers, is one of them on some pages.
    pub(in crate::analysis) fn contains(&self, shape: &u64) -> bool {
        self.shapes.contains(shape)
    }

    /// Whether a row is a header or a footer by what it says.
    pub(in crate::analysis) fn is_said(&self, row: &Edge) -> bool {
        row.keys().any(|key| self.said.contains(&key))
    }

    /// Whether it says the same on many pages, its numbers included, as the heads of tables do.
    pub(in crate::analysis) fn is_same(&self, row: &Edge) -> bool {
        self.said.contains(&row.pattern.exact)
    }

    /// Whether such a row is set apart from the text.
    pub(in crate::analysis) fn is_apart(&self, row: &Edge) -> bool {
        row.keys().any(|key| self.apart.contains(&key))
    }
}
