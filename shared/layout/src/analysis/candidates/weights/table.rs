//! Weights of table candidates, fitted by `tests/bench/structure/fit/tables.py`.

use crate::analysis::candidates::weights::Weights;

/// Log-odds that a candidate is a table.
pub(in crate::analysis) const TABLE: Weights = Weights {
    base: 1.11,
    weights: &[
        ("rows", -0.15, 0.55),
        ("columns", 2.05, 0.43),
        ("lone", -0.99, 0.05),
        ("filled", 2.78, 0.73),
        ("gap", 1.99, 0.74),
        ("head", 0.62, 0.48),
        ("rules", 1.22, 0.53),
        ("prose", -0.16, 0.05),
        ("flow", -3.18, 0.06),
        ("aligned", 1.49, 0.95),
        ("rising", -3.19, 0.00),
        ("ruled", 1.01, 0.14),
        ("caption", 0.67, 0.16),
        ("open", -2.77, 0.08),
        // Not fitted: the documents have no index.
        ("continued", -6.00, 0.00),
        // Not fitted: the documents give columns of amounts no weight, but tables without rules and header have them.
        ("amounts", 1.50, 0.18),
        ("entries", 0.91, 0.38),
        // Not fitted: hardly any document has prose in the cells of a table without rules. It is 0 with rules, which say what is one
        // table, and without a header row, because the paragraphs of text columns may begin on one baseline by chance.
        ("restarts", 2.00, 0.00),
    ],
};
