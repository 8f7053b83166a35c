//! Gutters of columns that were read before: the columns of a page and of those after it often have the same places.

use std::cell::RefCell;

use crate::analysis::candidates::weights::ratio;
use crate::analysis::regions::band::Span;

/// Maximum number of gutters.
const MOST: usize = 64;

/// The gutters so far.
#[derive(Debug, Default)]
pub(in crate::analysis) struct KnownGutters(RefCell<Vec<Span>>);

impl KnownGutters {
    /// Adds the gutters of columns.
    pub(in crate::analysis) fn note(&self, gaps: &[Span]) {
        let mut known = self.0.borrow_mut();
        let free = MOST.saturating_sub(known.len());
        known.extend(gaps.iter().take(free));
    }

    /// Returns the fraction of gaps that are at a known gutter.
    pub(in crate::analysis) fn share(&self, gaps: &[Span]) -> f32 {
        let known = self.0.borrow();
        let is_known = |gap: &&Span| {
            known.iter().any(|gutter| {
                let shared = gap.1.min(gutter.1) - gap.0.max(gutter.0);
                shared * 2.0 > (gap.1 - gap.0).min(gutter.1 - gutter.0)
            })
        };
        ratio(gaps.iter().filter(is_known).count(), gaps.len())
    }
}
