//! The library that reads PDF: loading it, opening documents, and what its errors mean.

use std::path::Path;

use pdfium_render::prelude::{PdfDocument, Pdfium, PdfiumError, PdfiumInternalError};

use crate::fault::{Fault, Outcome};
use crate::task::Task;

/// Points an inch.
const POINTS: f32 = 72.0;

/// Loads the library; once a process.
pub(crate) fn load(task: &Task) -> Outcome<Pdfium> {
    let library = task.pdfium.as_deref().unwrap_or(Path::new(""));
    match Pdfium::bind_to_library(library) {
        Ok(bindings) => Ok(Pdfium::new(bindings)),
        // The bindings are global: whoever asks again in the same process shares them.
        Err(PdfiumError::PdfiumLibraryBindingsAlreadyInitialized) => Ok(Pdfium::default()),
        Err(error) => Err(Fault::Installation(format!(
            "libpdfium.so cannot be loaded: {error}"
        ))),
    }
}

/// Opens the source of a task, or the mended copy of it. Only the parts that are needed are read into memory.
pub(crate) fn open<'a>(library: &'a Pdfium, task: &Task) -> Outcome<PdfDocument<'a>> {
    library
        .load_pdf_from_file(&task.readable(), None)
        .map_err(fault)
}

/// What it means that a document or a page cannot be loaded.
pub(crate) fn fault(error: PdfiumError) -> Fault {
    match error {
        PdfiumError::PdfiumLibraryInternalError(
            PdfiumInternalError::PasswordError | PdfiumInternalError::SecurityError,
        ) => Fault::password_required(),
        PdfiumError::IoError(error) => Fault::reading(error),
        _ => Fault::corrupt(),
    }
}

/// Pixels that a length in points takes in the picture of a page of so many pixels an inch; at least one.
pub(crate) fn pixels(points: f32, resolution: f32) -> u32 {
    let pixels = (points * resolution / POINTS).round().clamp(1.0, 1e9);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped above"
    )]
    let pixels = pixels as u32;
    pixels
}
