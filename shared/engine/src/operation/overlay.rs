//! Watermarks and page numbers as operations, done by [`pdf::overlay`].

use domain::format::Format;
use domain::operation::Operation;
use pdf::lettering;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let known = matches!(
            operation,
            Operation::Watermark(_) | Operation::PageNumbers(_)
        );
        known && from == Format::Pdf
    },
    inspect: inspect::pages,
    run: Run::Child(pdf::overlay::run),
    verify: verify::overlaid,
    fingerprint: |_, _| {
        let letters = lettering::fingerprint();
        format!("{} {} {letters}", linked::QPDF, linked::LOPDF)
    },
};
