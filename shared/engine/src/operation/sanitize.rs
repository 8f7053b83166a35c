//! Operation `sanitize`: removes scripts, actions, embedded files, hidden layers and metadata with [`pdf::sanitize`].

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Sanitize(_)) && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::sanitize::run),
    verify: verify::sanitized,
    fingerprint: |_, _| format!("{} {}", engine_versions::QPDF, engine_versions::LOPDF),
};
