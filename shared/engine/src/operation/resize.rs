//! Scales an image to sides that are asked for.

use domain::operation::Operation;

use super::{Module, Run, redraw};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Resize(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(redraw::run),
    verify: verify::redrawn,
    fingerprint: |_, to| redraw::fingerprint(to),
};
