//! Converts images: PNG, JPEG, WebP, AVIF, TIFF, GIF and BMP to each other, and SVG to each of them.

use domain::format::{Category, Format};

use super::{Module, Run, is_conversion, reencode};

/// Target formats.
const WRITTEN: [Format; 7] = [
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        from != Format::Heic && is_conversion(operation, from, &[Category::Image], &WRITTEN)
    },
    inspect: inspect::image,
    run: Run::Child(reencode::run),
    verify: verify::image_to_image,
    fingerprint: |_, to| reencode::fingerprint(to),
};
