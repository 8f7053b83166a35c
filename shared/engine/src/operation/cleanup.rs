//! Makes the picture of a page easier to read, as [`imaging::cleanup`] does.

use domain::operation::Operation;

use super::{Module, Run, redraw};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Cleanup(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(redraw::run),
    verify: verify::redrawn,
    fingerprint: |_, to| redraw::fingerprint(to),
};
