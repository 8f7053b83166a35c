//! PDFium: loading the library, opening documents, mapping its errors.

use std::path::Path;

use pdfium_render::prelude::{PdfDocument, PdfPage, Pdfium, PdfiumError, PdfiumInternalError};
use task::{Task, TaskError, TaskResult};

/// Points per inch.
pub(crate) const POINTS: f32 = 72.0;

/// Loads the library once per process.
///
/// # Errors
/// [`TaskError::Installation`] if it cannot be loaded.
pub fn load(task: &Task) -> TaskResult<Pdfium> {
    load_from(task.pdfium.as_deref().unwrap_or(Path::new("")))
}

/// Loads the library and makes it enumerate the system fonts, as it would for the first text in a font that is not embedded.
///
/// # Errors
/// [`TaskError::Installation`] if the library cannot be loaded.
pub fn warm_up(library: &Path) -> TaskResult<()> {
    let library = load_from(library)?;
    let document = library.load_pdf_from_byte_slice(FOREIGN_FONT, None);
    let document = document.map_err(load_error)?;
    let page = document.pages().get(0).map_err(load_error)?;
    page.text().map_err(load_error)?;
    Ok(())
}

/// A page with one character in a font that is not installed anywhere.
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
pub(crate) fn load_from(library: &Path) -> TaskResult<Pdfium> {
    match Pdfium::bind_to_library(library) {
        Ok(bindings) => Ok(Pdfium::new(bindings)),
        // The bindings are global, so later calls in the same process share them.
        Err(PdfiumError::PdfiumLibraryBindingsAlreadyInitialized) => Ok(Pdfium::default()),
        Err(error) => Err(TaskError::Installation(format!(
            "libpdfium.so cannot be loaded: {error}"
        ))),
    }
}

/// Opens the source of a task, or its repaired copy. Only the parts that are needed are read into memory.
///
/// # Errors
/// [`TaskError::Document`] if it cannot be parsed, or is encrypted.
pub fn open<'a>(library: &'a Pdfium, task: &Task) -> TaskResult<PdfDocument<'a>> {
    library
        .load_pdf_from_file(&task.readable(), None)
        .map_err(load_error)
}

/// Maps an error of loading a document or a page.
pub fn load_error(error: PdfiumError) -> TaskError {
    match error {
        PdfiumError::PdfiumLibraryInternalError(
            PdfiumInternalError::PasswordError | PdfiumInternalError::SecurityError,
        ) => TaskError::password_required(),
        PdfiumError::IoError(error) => TaskError::from_read_error(error),
        _ => TaskError::input_corrupt(),
    }
}

/// Returns all characters of a page. The text of pdfium as a whole has only those within the page box before rotation and
/// cropping.
///
/// # Errors
/// The error of pdfium if the text cannot be read.
pub fn characters(page: &PdfPage<'_>) -> Result<String, PdfiumError> {
    let text = page.text()?;
    let characters = text.chars();
    let mut codes = characters.iter().map(|one| one.unicode_value()).peekable();
    let mut decoded = String::new();
    while let Some(code) = codes.next() {
        let pair = codes.peek().and_then(|next| surrogate_pair(code, *next));
        if pair.is_some() {
            codes.next();
        }
        decoded.extend(pair.or_else(|| char::from_u32(code)));
    }
    Ok(decoded)
}

/// The character of two code units of UTF-16, which PDFium reverses in text from right to left.
pub(crate) fn surrogate_pair(one: u32, other: u32) -> Option<char> {
    let units = [one.min(other), one.max(other)].map(u16::try_from);
    let units = units.into_iter().collect::<Result<Vec<u16>, _>>().ok()?;
    let character = char::decode_utf16(units).next()?;
    character.ok().filter(|character| *character > '\u{ffff}')
}

/// Converts a length in points to pixels at a resolution in pixels per inch; at least 1.
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

/// Number of pages of a document.
pub fn pages(document: &PdfDocument<'_>) -> u32 {
    u32::try_from(document.pages().len()).unwrap_or(0)
}
