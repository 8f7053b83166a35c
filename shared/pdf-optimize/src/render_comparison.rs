//! Compares the pages of two PDFs by their rendering and text in PDFium, sensitive enough to notice a missing full stop.

use std::path::Path;

use image::RgbImage;
use lopdf::{Dictionary, Document, Object};
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfRenderConfig, Pdfium};

/// Pixels per point, so that letters of body text are several pixels high.
const SCALE: f32 = 1.5;
/// Maximum side of a rendered page, in pixels.
const MAX_SIDE: i32 = 2000;
/// Maximum number of pages compared: each is rendered twice, usually in some 10 ms each, at worst in a second.
const MAX_PAGES: usize = 100;
/// Maximum total pixels of the images in the document, which add to the rendering time.
const MAX_PIXELS: i64 = 500_000_000;
/// Maximum difference of a channel (0 to 255) in a uniform area.
const TOLERANCE: i32 = 12;
/// Additional tolerance, as a multiple of the local contrast: hinting moves lines by less than a pixel and darkens them.
const CONTRAST_TOLERANCE: i32 = 4;

/// Returns whether the document is small enough to compare.
pub(super) fn fits_comparison_budget(document: &Document) -> bool {
    document.get_pages().len() <= MAX_PAGES && image_pixels(document) <= MAX_PIXELS
}

fn image_pixels(document: &Document) -> i64 {
    let side = |image: &Dictionary, key| {
        let side = image.get_deref(key, document);
        side.and_then(Object::as_i64).map_or(0, i64::abs)
    };
    let streams = document
        .objects
        .values()
        .filter_map(|object| object.as_stream().ok());
    let images = streams.filter(|stream| stream.dict.has(b"Width"));
    images
        .map(|image| side(&image.dict, b"Width").saturating_mul(side(&image.dict, b"Height")))
        .fold(0, i64::saturating_add)
}

/// Returns whether all pages look and read alike. Pages that PDFium cannot render in the first document are skipped.
pub(super) fn renders_identically(library: &Pdfium, one: &Path, other: &Path) -> bool {
    let open = |path| library.load_pdf_from_file(path, None).ok();
    let Some(one) = open(one) else { return true };
    open(other).is_some_and(|other| documents_are_alike(&one, &other))
}

fn documents_are_alike(one: &PdfDocument<'_>, other: &PdfDocument<'_>) -> bool {
    (0..one.pages().len()).all(|index| {
        let Ok(page) = one.pages().get(index) else {
            return true;
        };
        let found = other.pages().get(index);
        found.is_ok_and(|found| text(&page) == text(&found) && pages_are_alike(&page, &found))
    })
}

fn text(page: &PdfPage<'_>) -> Option<String> {
    Some(page.text().ok()?.all())
}

fn pages_are_alike(page: &PdfPage<'_>, other: &PdfPage<'_>) -> bool {
    let Some(expected) = render(page) else {
        return true;
    };
    render(other).is_some_and(|found| images_are_alike(&expected, &found))
}

fn render(page: &PdfPage<'_>) -> Option<RgbImage> {
    let config = PdfRenderConfig::new()
        .scale_page_by_factor(SCALE)
        .set_maximum_width(MAX_SIDE)
        .set_maximum_height(MAX_SIDE);
    let rendered = page.render_with_config(&config).ok()?;
    Some(rendered.as_image().ok()?.into_rgb8())
}

/// Returns whether the images are alike: each pixel of either one is within the range of its neighborhood in the other.
fn images_are_alike(one: &RgbImage, other: &RgbImage) -> bool {
    one.dimensions() == other.dimensions()
        && (one.as_raw() == other.as_raw() || (is_within(one, other) && is_within(other, one)))
}

/// Returns whether each pixel is within the range of the pixels around it in the other image, plus the tolerance.
fn is_within(one: &RgbImage, other: &RgbImage) -> bool {
    let mut pixels = one.enumerate_pixels();
    pixels.all(|(x, y, pixel)| {
        let same = other.get_pixel_checked(x, y);
        same == Some(pixel)
            || (0..3).all(|channel| {
                let Some(shade) = pixel.0.get(channel).copied().map(i32::from) else {
                    return true;
                };
                let (least, most) = range_around(other, (x, y), channel);
                let tolerated = TOLERANCE + (most - least) * CONTRAST_TOLERANCE;
                (least - tolerated..=most + tolerated).contains(&shade)
            })
    })
}

/// Returns minimum and maximum of a channel over a pixel and its neighbors.
fn range_around(image: &RgbImage, (x, y): (u32, u32), channel: usize) -> (i32, i32) {
    let rows = y.saturating_sub(1)..=y + 1;
    let pixels = rows.flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)));
    let shades = pixels.filter_map(|(x, y)| {
        let pixel = image.get_pixel_checked(x, y)?;
        pixel.0.get(channel).copied().map(i32::from)
    });
    shades.fold((255, 0), |(least, most), shade| {
        (least.min(shade), most.max(shade))
    })
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// A line of 10-point text as PDFium renders it, with a full stop of 1.5 pixels at the worst position.
    fn line(ink: [u8; 3], ground: [u8; 3], stop: bool, moved: u32) -> RgbImage {
        let mixed = |share: f32| {
            let channel = |at: usize| {
                let (ink, ground) = (f32::from(ink[at]), f32::from(ground[at]));
                (ground + (ink - ground) * share) as u8
            };
            Rgb([channel(0), channel(1), channel(2)])
        };
        let mut image = RgbImage::from_pixel(60, 30, mixed(0.0));
        for left in (4 + moved..40).step_by(6) {
            for y in 8..20 {
                image.put_pixel(left, y, mixed(0.6));
                image.put_pixel(left + 1, y, mixed(0.7));
            }
        }
        if stop {
            for (x, y) in [(44, 18), (45, 18), (44, 19), (45, 19)] {
                image.put_pixel(x, y, mixed(0.56));
            }
        }
        image
    }

    #[test]
    fn a_missing_full_stop_is_detected_in_every_color() {
        const WHITE: [u8; 3] = [255; 3];
        for (ink, ground) in [
            ([0; 3], WHITE),
            // Light gray, yellow, and a color hardly lighter than its blue background.
            ([225; 3], WHITE),
            ([255, 255, 0], WHITE),
            ([40, 40, 200], [0, 0, 200]),
        ] {
            let whole = line(ink, ground, true, 0);
            assert!(images_are_alike(&whole, &whole));
            let cut = line(ink, ground, false, 0);
            assert!(!images_are_alike(&whole, &cut), "{ink:?}");
            assert!(!images_are_alike(&cut, &whole), "{ink:?}");
        }
    }

    #[test]
    fn lines_may_move_by_less_than_a_pixel() {
        let (one, other) = (
            line([0; 3], [255; 3], true, 0),
            line([0; 3], [255; 3], true, 1),
        );
        assert!(images_are_alike(&one, &other));
        assert!(!images_are_alike(&one, &RgbImage::new(60, 29)));
    }
}
