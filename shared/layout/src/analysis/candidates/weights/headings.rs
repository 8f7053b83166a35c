//! Weights of headings, fitted by `tests/bench/structure/fit/headings.py`.

use crate::analysis::candidates::weights::Weights;

/// Log-odds that a block of at most five lines is a heading.
pub(in crate::analysis) const HEADINGS: Weights = Weights {
    bias: -2.64,
    weights: &[
        ("outlined", 3.0),
        ("size", 3.34),
        ("bold", 1.73),
        ("largest", 0.67),
        ("style_frequency", -2.02),
        ("unlike_above", 1.42),
        ("unlike_below", 0.89),
        ("gap_difference", 0.91),
        ("numbered", 1.68),
        ("dotted", 1.94),
        ("known", 2.65),
        ("caption", -3.43),
        ("words", -1.54),
        ("width", -2.32),
        ("digits", -2.29),
        ("no_words", -1.68),
        ("capitalized", 1.57),
        ("lower", -0.23),
        ("sentence", -0.49),
        ("foot", -2.21),
    ],
};
