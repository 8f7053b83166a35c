//! Encryption and decryption of PDF as operations, done by [`pdf::protection`].

use domain::format::Format;
use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let known = matches!(operation, Operation::Encrypt(_) | Operation::Decrypt(_));
        known && from == Format::Pdf
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::protection::run),
    verify: verify::documents,
    fingerprint: |_, _| linked::QPDF.to_owned(),
};
