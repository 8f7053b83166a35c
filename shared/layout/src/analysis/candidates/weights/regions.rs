//! The weights of the readings of an area, fitted by `tests/bench/structure/fit/regions.py`.

use crate::analysis::candidates::weights::Weights;

/// Columns of text, read one after another.
pub(in crate::analysis) const COLUMNS: Weights = Weights {
    bias: -3.60,
    weights: &[
        ("long", 2.47),
        ("ran", 3.30),
        ("each", 0.97),
        ("staggered", 2.09),
        ("pictures", 3.11),
        ("numeric", -2.18),
        ("mixed", 6.79),
        // Not fitted: the gutters of columns before.
        ("known", 1.2),
    ],
};

/// Entries with page numbers at their ends.
pub(in crate::analysis) const CONTENTS: Weights = Weights {
    bias: -4.26,
    weights: &[("paged", 5.03), ("rows", 2.35)],
};
