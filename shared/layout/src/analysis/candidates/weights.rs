//! The weights of candidates: what each feature contributes to the log-odds of an interpretation.
//!
//! Values are fitted with L2-regularized logistic regression by the scripts in `tests/bench/structure/fit`, unless a comment says
//! otherwise.

pub(in crate::analysis) mod figures;
pub(in crate::analysis) mod headings;
pub(in crate::analysis) mod regions;
pub(in crate::analysis) mod table;

pub(in crate::analysis) use crate::model::candidate::Feature;

/// Returns a share as a feature.
#[expect(clippy::cast_precision_loss, reason = "there are not so many lines")]
pub(in crate::analysis) fn ratio(part: usize, all: usize) -> f32 {
    part as f32 / all.max(1) as f32
}

/// The weights of one kind of candidate.
pub(in crate::analysis) struct Weights {
    pub(in crate::analysis) bias: f32,
    pub(in crate::analysis) weights: &'static [(&'static str, f32)],
}

impl Weights {
    /// Returns the log-odds of a candidate with these features; features without a weight count nothing.
    pub(in crate::analysis) fn score(&self, features: &[Feature]) -> f32 {
        self.bias + self.weighted(features)
    }

    /// Returns the weighted sum of features, without the bias.
    pub(in crate::analysis) fn weighted(&self, features: &[Feature]) -> f32 {
        let weight = |name: &str| self.weights.iter().find(|(known, _)| *known == name);
        let weighted = features.iter().filter_map(|(name, value)| {
            let (_, weight) = weight(name)?;
            Some(weight * value)
        });
        weighted.sum::<f32>()
    }
}
