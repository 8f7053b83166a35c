//! Operations `encrypt` and `decrypt`, implemented by [`pdf::protection`].

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        let matches_operation = matches!(operation, Operation::Encrypt(_) | Operation::Decrypt(_));
        matches_operation && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::protection::run),
    verify: verify::documents,
    fingerprint: |_, _| engine_versions::QPDF.to_owned(),
};
