//! PDF to PNG, JPEG or WebP: a picture of each page, 150 pixels an inch or as many as asked for, on white, with annotations
//! and filled-in forms.
//!
//! One page becomes the picture itself, several become a ZIP archive that stores them in order.

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
