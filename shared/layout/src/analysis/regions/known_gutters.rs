//! Gutters of columns that were read before: the columns of a page and of those after it often have the same places.

use std::cell::RefCell;

use crate::analysis::candidates::weights::ratio;
use crate::analysis::regions::band::Span;
use crate::model::geometry::Rect;

/// Maximum number of gutters.
const MOST: usize = 64;
/// Maximum distances of text that reaches into a gutter, and of text that ends before it, points.
const NEAR: f32 = 3.0;
const FAR: f32 = 20.0;

/// The gutters so far.
#[derive(Debug, Default)]
pub(in crate::analysis) struct KnownGutters(RefCell<Vec<Span>>);

impl KnownGutters {
    /// Adds the gutters of columns.
    pub(in crate::analysis) fn note(&self, gaps: &[Span]) {
        for gap in gaps.iter().filter(|gap| self.share(&[**gap]) == 0.0) {
            let mut known = self.0.borrow_mut();
            if known.len() < MOST {
                known.push(*gap);
            }
        }
    }

    /// Whether an area is on one side of a known gutter, near it.
    pub(in crate::analysis) fn is_beside(&self, area: &Rect) -> bool {
        let known = self.0.borrow();
        let is_near = |apart: f32| (-NEAR..FAR).contains(&apart);
        let mut gutters = known.iter();
        gutters.any(|gutter| is_near(gutter.0 - area.right) || is_near(area.left - gutter.1))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_columns_are_found_at_known_gutters() {
        let known = KnownGutters::default();
        known.note(&[(100.0, 120.0)]);
        assert!((known.share(&[(105.0, 118.0), (300.0, 320.0)]) - 0.5).abs() < 0.01);
        let area = |left, right| Rect::between((left, 0.0), (right, 50.0));
        assert!(known.is_beside(&area(122.0, 300.0)) && known.is_beside(&area(20.0, 99.0)));
        assert!(!known.is_beside(&area(20.0, 300.0)) && !known.is_beside(&area(300.0, 400.0)));
    }
}
