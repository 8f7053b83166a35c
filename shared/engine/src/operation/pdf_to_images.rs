//! Converts PDF to images of its pages with [`pdf::pdf_to_images`].

use domain::format::{Category, Format};
use task::engine_versions;

use super::{Module, Run, is_conversion};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        is_conversion(
            operation,
            from,
            &[Category::Pdf],
            &[Format::Png, Format::Jpeg, Format::Webp],
        )
    },
    inspect: inspect::pdf,
    run: Run::Child(pdf::pdf_to_images::run),
    verify: verify::page_images,
    fingerprint: |installed, to| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        match to {
            Format::Jpeg => format!("{pdfium} {}", engine_versions::MOZJPEG),
            Format::Webp => format!("{pdfium} {}", engine_versions::WEBP),
            _ => format!("{pdfium} {}", engine_versions::PNG),
        }
    },
};
