//! Images of a page that the library cannot draw: it leaves their place empty and reports nothing.
//!
//! It tells for every image how many bits a pixel takes, and none if it cannot begin to decode it: a damaged header, an
//! unknown compression, more pixels than it has memory for. An image that is damaged further on is drawn as far as it is
//! whole, which it does not tell.

use pdfium_render::prelude::{
    PdfPage, PdfPageImageObject, PdfPageObject, PdfPageObjectsCommon as _,
};

/// Most objects of a page that are looked at.
const OBJECTS: usize = 20_000;
/// Deepest nesting of forms that is looked into.
const DEPTH: usize = 8;
/// The compression whose header tells nothing about the rest.
const JBIG2: &str = "JBIG2Decode";

/// Whether an image of a page cannot be drawn.
pub(super) fn has_undrawn_image(page: &PdfPage<'_>) -> bool {
    let mut left = OBJECTS;
    page.objects()
        .iter()
        .take(OBJECTS)
        .any(|object| is_undrawn(&object, DEPTH, &mut left))
}

fn is_undrawn(object: &PdfPageObject<'_>, depth: usize, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    if *left == 0 || depth == 0 {
        return false;
    }
    match object {
        PdfPageObject::Image(image) => is_unreadable(image),
        PdfPageObject::XObjectForm(form) => form
            .iter()
            .take(OBJECTS)
            .any(|object| is_undrawn(&object, depth - 1, left)),
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
        // One bit a pixel, so decoding it is quick.
        Ok(1) if is_jbig2() => image
            .get_raw_bitmap()
            .is_ok_and(|bitmap| bitmap.width() == 0),
        _ => false,
    }
}
