//! Several PDF and images to one PDF: the document itself, and those that follow it, with the outlines, named places,
//! forms, tags and layers of all. Images become pages as `image_to_pdf` makes them: JPEG data are embedded as they are.

use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Merge(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(pdf::merge::run),
    verify: verify::documents,
    fingerprint: |_, _| format!("{} {}", linked::QPDF, linked::LOPDF),
};
