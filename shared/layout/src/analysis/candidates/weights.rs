//! The weights of candidates: what each feature contributes to the log-odds of an interpretation.
//!
//! Values are fitted with L2-regularized logistic regression by the scripts in `tests/bench/structure/fit`, unless a comment says
//! otherwise.

pub(in crate::analysis) mod figures;
pub(in crate::analysis) mod formulas;
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
    /// Log-odds of a candidate whose features are all at their centers.
    pub(in crate::analysis) base: f32,
    /// Feature, weight and center. Centers are halfway between the means of right and wrong candidates, where decisions are
    /// close: there, an error of a weight changes least.
    pub(in crate::analysis) weights: &'static [(&'static str, f32, f32)],
}

impl Weights {
    /// Returns the log-odds of a candidate with these features. Features without a weight count nothing; absent features are
    /// at their centers.
    pub(in crate::analysis) fn score(&self, features: &[Feature]) -> f32 {
        self.base + self.weighted(features)
    }

    /// Returns the weighted sum of the distances of features from their centers, without the base.
    pub(in crate::analysis) fn weighted(&self, features: &[Feature]) -> f32 {
        let known = |name: &str| self.weights.iter().find(|(known, ..)| *known == name);
        let weighted = features.iter().filter_map(|(name, value)| {
            let (_, weight, center) = known(name)?;
            Some(weight * (value - center))
        });
        weighted.sum::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: Weights = Weights {
        base: -1.0,
        weights: &[("long", 2.0, 0.25), ("wide", -4.0, 0.5)],
    };

    #[test]
    fn features_count_by_their_distance_from_the_center() {
        let score = |long, wide| WEIGHTS.score(&[("long", long), ("wide", wide)]);
        assert_eq!(score(0.25, 0.5), -1.0);
        assert_eq!(score(1.25, 0.5), 1.0);
        assert_eq!(score(0.25, 0.0), 1.0);
    }

    #[test]
    fn absent_and_unknown_features_count_nothing() {
        assert_eq!(WEIGHTS.score(&[("high", 9.0)]), -1.0);
        let (long, wide) = (("long", 1.0), ("wide", 1.0));
        assert_eq!(
            WEIGHTS.score(&[long]) + WEIGHTS.weighted(&[wide]),
            WEIGHTS.score(&[long, wide])
        );
    }
}
