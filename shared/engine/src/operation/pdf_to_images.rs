//! Conversion of PDF to pictures of its pages, done by [`pdf::pdf_to_images`].

use domain::format::{Category, Format};
use task::linked;

use super::{Module, Run, converts};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        converts(
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
            Format::Jpeg => format!("{pdfium} {}", linked::MOZJPEG),
            Format::Webp => format!("{pdfium} {}", linked::WEBP),
            _ => format!("{pdfium} {}", linked::PNG),
        }
    },
};
