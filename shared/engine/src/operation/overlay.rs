//! Operations `watermark` and `page-numbers`, implemented by [`pdf::overlay`].

use domain::format::Format;
use domain::operation::Operation;
use pdf::text_drawing;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        let matches_operation = matches!(
            operation,
            Operation::Watermark(_) | Operation::PageNumbers(_)
        );
        matches_operation && from == Format::Pdf
    },
    inspect: inspect::pages,
    run: Run::Child(pdf::overlay::run),
    verify: verify::overlaid,
    fingerprint: |_, _| {
        let letters = text_drawing::fingerprint();
        format!(
            "{} {} {letters}",
            engine_versions::QPDF,
            engine_versions::LOPDF
        )
    },
};
