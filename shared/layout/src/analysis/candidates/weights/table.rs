//! Weights of table candidates, fitted by `tests/bench/structure/fit/tables.py`.

use crate::analysis::candidates::weights::Weights;

/// Log-odds that a candidate is a table.
pub(in crate::analysis) const TABLE: Weights = Weights {
    bias: -9.13,
    weights: &[
        ("rows", 0.67),
        ("columns", 3.00),
        ("lone", -2.59),
        ("filled", 1.84),
        ("gap", 2.70),
        ("head", 1.15),
        ("rules", 1.57),
        ("prose", -0.39),
        ("flow", -4.83),
        ("aligned", 3.61),
        ("rising", -5.03),
        ("ruled", 2.45),
        ("caption", 1.15),
        ("open", -4.05),
        // Not fitted: columns of amounts, and rows that end early, which tables without rules and header have in common.
        ("amounts", 1.5),
        ("entries", 1.5),
    ],
};
