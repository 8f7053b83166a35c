//! Operation `metadata`: sets a PDF's metadata with [`pdf::metadata`].

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Metadata(_)) && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::metadata::run),
    verify: verify::metadata,
    fingerprint: |_, _| format!("{} {}", engine_versions::QPDF, engine_versions::LOPDF),
};
