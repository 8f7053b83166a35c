//! Setting metadata of a PDF as an operation, done by [`pdf::metadata`].

use domain::format::Format;
use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Metadata(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(pdf::metadata::run),
    verify: verify::metadata,
    fingerprint: |_, _| format!("{} {}", linked::QPDF, linked::LOPDF),
};
