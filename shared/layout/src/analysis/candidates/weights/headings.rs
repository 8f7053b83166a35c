//! Weights of headings, fitted by `tests/bench/structure/fit/headings.py`.

use crate::analysis::candidates::weights::Weights;

/// Log-odds that a block of at most five lines is a heading.
pub(in crate::analysis) const HEADINGS: Weights = Weights {
    bias: -2.17,
    weights: &[
        ("outlined", 3.0),
        ("size", 3.75),
        ("bold", 1.74),
        ("largest", 0.98),
        ("style_frequency", -2.62),
        ("unlike_above", 1.72),
        ("unlike_below", 0.91),
        ("gap_difference", 0.61),
        ("numbered", 1.87),
        ("dotted", 1.94),
        ("known", 2.62),
        ("caption", -3.60),
        ("words", -1.61),
        ("width", -2.20),
        ("digits", -1.13),
        ("no_words", -1.68),
        ("lower", -0.49),
        ("sentence", -0.86),
        ("foot", -1.90),
    ],
};
