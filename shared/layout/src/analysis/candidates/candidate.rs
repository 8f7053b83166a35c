//! Scores candidates and collects those of a page.

use std::cell::RefCell;

use crate::analysis::candidates::weights::Weights;
use crate::model::candidate::Feature;
pub(in crate::analysis) use crate::model::candidate::{Candidate, Kind};
use crate::model::geometry::Rect;

impl Candidate {
    /// Creates a candidate with its score. It is chosen if the score is positive; detection may revise that.
    pub(in crate::analysis) fn new(
        kind: Kind,
        source: &'static str,
        bounds: Rect,
        features: Vec<Feature>,
        weights: &Weights,
    ) -> Self {
        let score = weights.score(&features);
        Self {
            kind,
            source,
            bounds,
            features,
            score,
            is_chosen: score > 0.0,
        }
    }

    /// Adds a feature, and decides again.
    pub(in crate::analysis) fn add(&mut self, feature: Feature, weights: &Weights) {
        self.features.push(feature);
        self.score = weights.score(&self.features);
        self.is_chosen = self.score > 0.0;
    }
}

/// Collects the candidates of a page, if [`crate::analysis::Options::explain`] is set.
#[derive(Default)]
pub(in crate::analysis) struct Trace(Option<RefCell<Vec<Candidate>>>);

impl Trace {
    pub(in crate::analysis) fn new(is_on: bool) -> Self {
        Self(is_on.then(RefCell::default))
    }

    /// Adds a decided candidate.
    pub(in crate::analysis) fn note(&self, candidate: impl FnOnce() -> Candidate) {
        if let Some(candidates) = &self.0 {
            candidates.borrow_mut().push(candidate());
        }
    }

    /// Moves the candidates so far.
    pub(in crate::analysis) fn place(&self, place: impl Fn(Rect) -> Rect) {
        let candidates = self.0.iter();
        candidates.for_each(|candidates| {
            for candidate in candidates.borrow_mut().iter_mut() {
                candidate.bounds = place(candidate.bounds);
            }
        });
    }

    /// Returns the candidates with their bounds moved by `place`.
    pub(in crate::analysis) fn into_candidates(
        self,
        place: impl Fn(Rect) -> Rect,
    ) -> Vec<Candidate> {
        self.place(place);
        self.0.map(RefCell::into_inner).unwrap_or_default()
    }
}
