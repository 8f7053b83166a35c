//! Scored candidates: what a part of a page may be, and the features that decide it.

use std::cell::RefCell;

use serde::Serialize;

use crate::analysis::candidates::weights::{Feature, Weights};
use crate::model::geometry::Rect;

/// What a part of a page may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A heading.
    Heading,
    /// A table.
    Table,
    /// A chart or another vector drawing.
    Figure,
    /// Columns of text, read one after another.
    Columns,
    /// Entries of contents, each with a page number at its end.
    Contents,
}

/// A part of a page with the score of one interpretation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The interpretation.
    pub kind: Kind,
    /// Its generator, such as `ruled` for tables.
    pub source: &'static str,
    /// Bounding box on the page, points.
    pub bounds: Rect,
    /// The features by name.
    pub features: Vec<Feature>,
    /// Log-odds that the interpretation is right: the bias plus the weighted sum of the features.
    pub score: f32,
    /// Whether the interpretation was chosen.
    pub is_chosen: bool,
}

impl Candidate {
    /// Creates a candidate with its score. It is chosen if the score is positive; an arbiter may revise that.
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

    pub(in crate::analysis) fn into_candidates(self) -> Vec<Candidate> {
        self.0.map(RefCell::into_inner).unwrap_or_default()
    }
}
