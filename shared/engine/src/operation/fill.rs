//! Operation `fill`: fills the fields of a form with [`pdf::fill`].

use domain::format::Format;
use domain::operation::Operation;
use pdf::text_drawing;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| matches!(operation, Operation::Fill(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(pdf::fill::run),
    verify: verify::filled,
    fingerprint: |_, _| {
        let text_drawing = text_drawing::fingerprint();
        format!(
            "{} {} {text_drawing}",
            engine_versions::QPDF,
            engine_versions::LOPDF
        )
    },
};
