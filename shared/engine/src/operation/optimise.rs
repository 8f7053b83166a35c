//! Making a PDF smaller as an operation, done by the crate `pdf_optimize`.

use domain::format::Format;
use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Optimise(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(pdf_optimize::run),
    verify: verify::optimised,
    fingerprint: |_, _| {
        format!(
            "{} {} {} {} {}",
            linked::QPDF,
            linked::LOPDF,
            linked::MOZJPEG,
            linked::LIBDEFLATE,
            linked::SKERA
        )
    },
};
