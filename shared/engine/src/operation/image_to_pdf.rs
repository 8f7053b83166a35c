//! Converts images to PDF with [`pdf::image_to_pdf`].

use domain::format::{Category, Format};
use pdf::text_drawing;
use task::engine_versions;

use super::{Module, Run, is_conversion};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        from != Format::Heic && is_conversion(operation, from, &[Category::Image], &[Format::Pdf])
    },
    inspect: inspect::image,
    run: Run::Child(pdf::image_to_pdf::run),
    verify: verify::image_to_pdf,
    // SVG is drawn by krilla, with the system's fonts.
    fingerprint: |_, _| {
        let (images, drawings) = (engine_versions::LOPDF, engine_versions::KRILLA);
        format!("{images} {drawings} {}", text_drawing::fingerprint())
    },
};
