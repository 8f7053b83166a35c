//! Detects images that PDFium cannot render: it leaves their area empty and reports no error.
//!
//! PDFium returns the bits per pixel of every image, and 0 if it cannot start decoding: a damaged header, an unsupported
//! compression, or too many pixels. An image with damage after its header is rendered up to the damage, which is not detected.

use pdfium_render::prelude::{
    PdfPage, PdfPageImageObject, PdfPageObject, PdfPageObjectsCommon as _,
};

/// Maximum number of objects of a page.
const OBJECTS: usize = 20_000;
/// Maximum nesting depth of form XObjects.
const MAX_DEPTH: usize = 8;
/// A compression whose header does not reveal damage.
const JBIG2: &str = "JBIG2Decode";

/// Whether an image of a page cannot be rendered.
pub(super) fn has_unrenderable_image(page: &PdfPage<'_>) -> bool {
    let mut left = OBJECTS;
    page.objects()
        .iter()
        .take(OBJECTS)
        .any(|object| is_unrenderable(&object, MAX_DEPTH, &mut left))
}

fn is_unrenderable(object: &PdfPageObject<'_>, depth: usize, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    if *left == 0 || depth == 0 {
        return false;
    }
    match object {
        PdfPageObject::Image(image) => is_unreadable(image),
        PdfPageObject::XObjectForm(form) => form
            .iter()
            .take(OBJECTS)
            .any(|object| is_unrenderable(&object, depth - 1, left)),
        _ => false,
    }
}

fn is_unreadable(image: &PdfPageImageObject<'_>) -> bool {
    let has_pixels = |side: Result<i32, _>| side.is_ok_and(|side| side != 0);
    if !has_pixels(image.width()) || !has_pixels(image.height()) {
        return false;
    }
    let is_jbig2 = || image.filters().iter().any(|filter| filter.name() == JBIG2);
    match image.bits_per_pixel() {
        Ok(0) => true,
        // JBIG2 has one bit per pixel, so decoding is fast.
        Ok(1) if is_jbig2() => image
            .get_raw_bitmap()
            .is_ok_and(|bitmap| bitmap.width() == 0),
        _ => false,
    }
}
