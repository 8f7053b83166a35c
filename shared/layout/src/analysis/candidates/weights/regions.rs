//! The weights of the readings of an area, fitted by `tests/bench/structure/fit/regions.py`.

use crate::analysis::candidates::weights::Weights;

/// Columns of text, read one after another.
pub(in crate::analysis) const COLUMNS: Weights = Weights {
    base: 0.27,
    weights: &[
        ("long", 2.47, 0.49),
        ("ran", 3.30, 0.45),
        ("each", 0.97, 0.34),
        ("staggered", 2.09, 0.27),
        ("pictures", 3.11, 0.03),
        ("numeric", -2.18, 0.09),
        ("mixed", 6.79, 0.05),
        // Not fitted: the gutters of columns before are too rare in the documents.
        ("known", 1.20, 0.04),
        // Not fitted: the documents have no index and no contents in columns.
        ("continued", 8.00, 0.00),
    ],
};

/// Entries with page numbers at their ends.
pub(in crate::analysis) const CONTENTS: Weights = Weights {
    base: -0.51,
    weights: &[("paged", 5.03, 0.47), ("rows", 2.35, 0.59)],
};
