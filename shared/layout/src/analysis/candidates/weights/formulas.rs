//! Weights of formulas.

use super::Weights;

/// Whether a group of signs is a displayed formula that a line of text cannot show. Not fitted: set by hand on real documents,
/// because no benchmark has formulas marked.
pub(in crate::analysis) const FORMULA: Weights = Weights {
    base: 1.0,
    weights: &[
        ("math", 3.0, 0.35),
        ("signs", 4.0, 0.80),
        ("bars", 2.5, 0.50),
        ("tall", 2.0, 0.50),
        ("limits", 1.5, 0.30),
        ("words", -8.0, 0.20),
        ("prose", -7.0, 0.15),
        ("fixed", -5.0, 0.10),
        ("beside", -3.0, 0.20),
        ("apart", 3.0, 0.50),
        ("inset", 1.0, 0.50),
        ("number", 1.5, 0.30),
        ("cell", -12.0, 0.00),
        ("rules", -4.0, 0.10),
        ("drawn", -4.0, 0.10),
    ],
};
