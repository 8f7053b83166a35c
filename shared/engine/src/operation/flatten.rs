//! Flattening forms and comments as an operation, done by [`pdf::flatten`].

use domain::format::Format;
use domain::operation::Operation;
use pdf::lettering;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Flatten(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(pdf::flatten::run),
    verify: verify::documents,
    fingerprint: |_, _| {
        let lettering = lettering::fingerprint();
        format!("{} {} {lettering}", linked::QPDF, linked::LOPDF)
    },
};
