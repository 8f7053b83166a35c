//! Weights of figures.

use super::Weights;

/// Whether a region of drawings is a figure.
pub(in crate::analysis) const FIGURE: Weights = Weights {
    base: -0.15,
    weights: &[
        ("bends", 2.09, 0.57),
        ("bars", 1.34, 0.31),
        ("text", -3.97, 0.26),
        ("words", -5.84, 0.29),
        ("lattice", -2.88, 0.27),
        ("filled", -1.75, 0.46),
        ("figure", 2.19, 0.40),
        ("table", -0.97, 0.05),
        ("captions", -5.67, 0.10),
        // Not fitted: no document of the benchmarks has linked boxes. It outweighs what their labels look like, not prose.
        ("linked", 6.00, 0.00),
    ],
};
