//! Weights of figures.

use super::Weights;

/// Whether a region of drawings is a figure.
pub(in crate::analysis) const FIGURE: Weights = Weights {
    bias: 2.29,
    weights: &[
        ("bends", 2.09),
        ("bars", 1.34),
        ("text", -3.97),
        ("words", -5.84),
        ("lattice", -2.88),
        ("filled", -1.75),
        ("figure", 2.19),
        ("table", -0.97),
        ("captions", -5.67),
        // Not fitted: no document of the benchmarks has linked boxes. It outweighs what their labels look like, not prose.
        ("linked", 6.0),
    ],
};
