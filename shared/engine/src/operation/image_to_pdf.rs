//! Images to PDF: one page an image, as large as its resolution says (96 pixels an inch where the file says nothing).
//!
//! The coded pixels of a JPEG go in as they are, without what the file says beside them; everything else is compressed without loss, 16-bit samples kept, black and white in one bit, transparency as a soft mask.
//! A TIFF becomes a page a page, an animation its first frame; an SVG is drawn at 300 pixels an inch. Orientation is applied by the page, not to the pixels.

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
