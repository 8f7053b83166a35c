//! Converts images to PDF with [`pdf::image_to_pdf`].

use domain::format::{Category, Format};
use task::engine_versions;

use super::{Module, Run, is_conversion};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        from != Format::Heic && is_conversion(operation, from, &[Category::Image], &[Format::Pdf])
    },
    inspect: inspect::image,
    run: Run::Child(pdf::image_to_pdf::run),
    verify: verify::pdf,
    fingerprint: |_, _| engine_versions::LOPDF.to_owned(),
};
