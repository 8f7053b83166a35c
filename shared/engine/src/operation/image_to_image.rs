//! Images to images: PNG, JPEG, WebP, AVIF, TIFF, GIF and BMP into one another, and SVG into each of them.

use domain::format::{Category, Format};

use super::{Module, Run, converts, redraw};

/// What is written.
const WRITTEN: [Format; 7] = [
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        from != Format::Heic && converts(operation, from, &[Category::Image], &WRITTEN)
    },
    inspect: inspect::image,
    run: Run::Child(redraw::run),
    verify: verify::redrawn,
    fingerprint: |_, to| redraw::fingerprint(to),
};
