//! Renders a part of a page as an image.

use std::ffi::{c_int, c_ulong};
use std::ptr::null_mut;

use image::RgbaImage;
use layout::{Rect, Size};

use super::PageHandle;
use super::picture::{Bitmap, WITHOUT_ALPHA, scaled_down};

/// Pixels per point: 200 per inch.
const SCALE: f32 = 200.0 / 72.0;
/// Maximum number of pixels; larger parts are rendered at a lower resolution.
const MAX_PIXELS: f64 = 4_000_000.0;
const WHITE: c_ulong = 0xffff_ffff;

impl PageHandle<'_> {
    /// Renders a part of the displayed page, which has this size, on white; `None` if that fails.
    pub(in super::super) fn region(&self, part: &Rect, page: Size) -> Option<RgbaImage> {
        let sides = (pixels(part.width() * SCALE), pixels(part.height() * SCALE));
        let (width, height) = scaled_down(
            (sides.0.max(1).unsigned_abs(), sides.1.max(1).unsigned_abs()),
            MAX_PIXELS,
        );
        let (across, down) = (c_int::try_from(width).ok()?, c_int::try_from(height).ok()?);
        #[expect(clippy::cast_precision_loss, reason = "images are smaller")]
        let scale = (
            across as f32 / part.width().max(f32::MIN_POSITIVE),
            down as f32 / part.height().max(f32::MIN_POSITIVE),
        );
        let bindings = self.bindings();
        // SAFETY: PDFium allocates the pixels, and the page is open; the bitmap has no other owner.
        let bitmap = unsafe {
            let handle = bindings.FPDFBitmap_CreateEx(across, down, WITHOUT_ALPHA, null_mut(), 0);
            if !handle.is_null() {
                bindings.FPDFBitmap_FillRect(handle, 0, 0, across, down, WHITE);
                bindings.FPDF_RenderPageBitmap(
                    handle,
                    self.handle,
                    -pixels(part.left * scale.0),
                    -pixels(part.top * scale.1),
                    pixels(page.width * scale.0),
                    pixels(page.height * scale.1),
                    0,
                    0,
                );
            }
            Bitmap { bindings, handle }
        };
        RgbaImage::from_raw(width, height, bitmap.pixels((width, height))?)
    }
}

fn pixels(length: f32) -> c_int {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "pages are limited, and the cast saturates"
    )]
    let pixels = length.round() as c_int;
    pixels
}
