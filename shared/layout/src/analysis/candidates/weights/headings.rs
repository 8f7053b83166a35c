//! Weights of headings, fitted by `tests/bench/structure/fit/headings.py`.

use crate::analysis::candidates::weights::Weights;

/// Log-odds that a block of at most five lines is a heading.
pub(in crate::analysis) const HEADINGS: Weights = Weights {
    base: -1.33,
    weights: &[
        ("outlined", 3.00, 0.00),
        ("size", 3.34, 0.21),
        ("bold", 1.73, 0.41),
        ("largest", 0.67, 0.48),
        ("style_frequency", -2.02, 0.48),
        ("unlike_above", 1.42, 0.56),
        ("unlike_below", 0.89, 0.61),
        ("gap_difference", 0.91, 0.13),
        ("numbered", 1.68, 0.15),
        ("dotted", 1.94, 0.07),
        ("known", 2.65, 0.02),
        ("caption", -3.43, 0.04),
        ("words", -1.54, 0.41),
        ("width", -2.32, 0.39),
        ("digits", -2.29, 0.05),
        ("no_words", -1.68, 0.03),
        ("capitalized", 1.57, 0.42),
        ("lower", -0.23, 0.05),
        ("sentence", -0.49, 0.23),
        ("foot", -2.21, 0.02),
        ("entry", -3.00, 0.00),
        ("monospaced", -1.50, 0.00),
    ],
};
