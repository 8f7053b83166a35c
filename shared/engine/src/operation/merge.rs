//! Operation `merge`, implemented by [`pdf::merge`].

use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Merge(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(pdf::merge::run),
    verify: verify::documents,
    fingerprint: |_, _| format!("{} {}", engine_versions::QPDF, engine_versions::LOPDF),
};
