//! Cuts a rectangle out of an image.

use domain::operation::Operation;

use super::{Module, Run, redraw};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Crop(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(redraw::run),
    verify: verify::redrawn,
    fingerprint: |_, to| redraw::fingerprint(to),
};
