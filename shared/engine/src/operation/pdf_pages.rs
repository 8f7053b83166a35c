//! Operations on the pages of a PDF, implemented by [`pdf::pdf_pages`].

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        let matches_operation = matches!(
            operation,
            Operation::ExtractPages(_)
                | Operation::DeletePages(_)
                | Operation::Reorder(_)
                | Operation::Rotate(_)
                | Operation::Split(_)
        );
        matches_operation && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::pdf_pages::run),
    verify: verify::documents,
    fingerprint: |_, _| format!("{} {}", engine_versions::QPDF, engine_versions::LOPDF),
};
