//! Operations on the pages of a PDF, done by [`pdf::pdf_pages`].

use domain::format::Format;
use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let known = matches!(
            operation,
            Operation::ExtractPages(_)
                | Operation::DeletePages(_)
                | Operation::Reorder(_)
                | Operation::Rotate(_)
                | Operation::Split(_)
        );
        known && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::pdf_pages::run),
    verify: verify::documents,
    fingerprint: |_, _| format!("{} {}", linked::QPDF, linked::LOPDF),
};
