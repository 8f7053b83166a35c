//! Makes a PDF smaller: objects packed into compressed streams, streams compressed anew, what is there twice kept once, fonts
//! without what no reader reads and, unless nothing may be lost, pictures scaled down to what is seen of them and fonts
//! reduced to what is drawn of them. Whatever does not become smaller stays as it is, the whole document included.

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
