//! Operation `flatten`: flattens forms and annotations with [`pdf::flatten`].

use domain::format::Format;
use domain::operation::Operation;
use pdf::text_drawing;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| matches!(operation, Operation::Flatten(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(pdf::flatten::run),
    verify: verify::documents,
    fingerprint: |_, _| {
        let text_drawing = text_drawing::fingerprint();
        format!(
            "{} {} {text_drawing}",
            engine_versions::QPDF,
            engine_versions::LOPDF
        )
    },
};
