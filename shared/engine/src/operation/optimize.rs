//! Operation `optimize`: makes a PDF smaller with the crate `pdf_optimize`.

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Optimize(_)) && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf_optimize::run),
    verify: verify::optimized,
    fingerprint: |_, _| {
        format!(
            "{} {} {} {} {}",
            engine_versions::QPDF,
            engine_versions::LOPDF,
            engine_versions::MOZJPEG,
            engine_versions::LIBDEFLATE,
            engine_versions::SKERA
        )
    },
};
