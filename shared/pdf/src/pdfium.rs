//! The library that reads PDF: loading it, opening documents, and what its errors mean.

use std::path::Path;

use pdfium_render::prelude::{PdfDocument, Pdfium, PdfiumError, PdfiumInternalError};
use task::{Fault, Outcome, Task};

/// Points an inch.
const POINTS: f32 = 72.0;

/// Loads the library; once a process.
pub fn load(task: &Task) -> Outcome<Pdfium> {
    load_from(task.pdfium.as_deref().unwrap_or(Path::new("")))
}

/// Loads the library from this file, and has it look for the fonts of the system, as it does for the first text in a font that
/// its document does not hold.
pub fn warm_up(library: &Path) -> Outcome<()> {
    let library = load_from(library)?;
    let document = library.load_pdf_from_byte_slice(FOREIGN_FONT, None);
    let document = document.map_err(fault)?;
    let page = document.pages().get(0).map_err(fault)?;
    page.text().map_err(fault)?;
    Ok(())
}

/// A page with one letter in a font that no system has.
const FOREIGN_FONT: &[u8] = b"%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 18>>stream
BT/F 9 Tf(a)Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/TrueType/BaseFont/Nowhere>>endobj
trailer<</Size 6/Root 1 0 R>>
";

/// Loads the library from this file.
pub(crate) fn load_from(library: &Path) -> Outcome<Pdfium> {
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
pub fn open<'a>(library: &'a Pdfium, task: &Task) -> Outcome<PdfDocument<'a>> {
    library
        .load_pdf_from_file(&task.readable(), None)
        .map_err(fault)
}

/// What it means that a document or a page cannot be loaded.
pub fn fault(error: PdfiumError) -> Fault {
    match error {
        PdfiumError::PdfiumLibraryInternalError(
            PdfiumInternalError::PasswordError | PdfiumInternalError::SecurityError,
        ) => Fault::password_required(),
        PdfiumError::IoError(error) => Fault::reading(error),
        _ => Fault::corrupt(),
    }
}

/// Pixels that a length in points takes in the picture of a page of so many pixels an inch; at least one.
pub fn pixels(points: f32, resolution: f32) -> u32 {
    let pixels = (points * resolution / POINTS).round().clamp(1.0, 1e9);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped above"
    )]
    let pixels = pixels as u32;
    pixels
}

/// How many pages a document has.
pub fn pages(document: &PdfDocument<'_>) -> u32 {
    u32::try_from(document.pages().len()).unwrap_or(0)
}
