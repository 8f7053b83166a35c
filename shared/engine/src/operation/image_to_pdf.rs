//! Conversion of images to PDF, done by [`pdf::image_to_pdf`].

use domain::format::{Category, Format};
use task::linked;

use super::{Module, Run, converts};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        from != Format::Heic && converts(operation, from, &[Category::Image], &[Format::Pdf])
    },
    inspect: inspect::image,
    run: Run::Child(pdf::image_to_pdf::run),
    verify: verify::pdf,
    fingerprint: |_, _| linked::LOPDF.to_owned(),
};
