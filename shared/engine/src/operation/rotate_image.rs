//! Turns an image by quarters; no pixel changes.

use std::time::Duration;

use domain::format::Category;
use domain::operation::Operation;

use super::{Module, Run, limits, redraw};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Rotate(_))
            && from.facts().category == Category::Image
            && operation.resolve(from).is_some()
    },
    limits: limits(110, 1024),
    a_page: Duration::ZERO,
    run: Run::Child(redraw::run),
    verify: verify::redrawn,
    fingerprint: |_, to| redraw::fingerprint(to),
};
