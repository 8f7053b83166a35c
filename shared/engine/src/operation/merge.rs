//! Merging as an operation, done by [`pdf::merge`].

use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Merge(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(pdf::merge::run),
    verify: verify::documents,
    fingerprint: |_, _| format!("{} {}", linked::QPDF, linked::LOPDF),
};
