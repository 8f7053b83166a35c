//! Compares the pages of two PDFs as pdfium draws and reads them: what is small, such as a full stop, must not be missing.

use std::path::Path;

use image::RgbImage;
use lopdf::{Dictionary, Document, Object};
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfRenderConfig, Pdfium};

/// Pixels a point at which pages are drawn, so that letters of text are some pixels high.
const SCALE: f32 = 1.5;
/// Longest side of the picture that a page is drawn into, in pixels.
const SIDE: i32 = 2000;
/// Most pages that are compared: each is drawn twice, which takes some hundredths of a second and may take one.
const PAGES: usize = 100;
/// Most pixels that their pictures may have, each of which takes time as well.
const PIXELS: i64 = 500_000_000;
/// Most that a channel of a pixel may differ by, of 255, where all around it is the same.
const MOST: i32 = 12;
/// What it may differ by more, by how much what is around it differs: instructions move lines by less than a pixel, and make
/// them darker.
const MOVED: i32 = 4;

/// Whether there is time to compare the pages of a document.
pub(super) fn is_soon_compared(document: &Document) -> bool {
    document.get_pages().len() <= PAGES && pixels(document) <= PIXELS
}

fn pixels(document: &Document) -> i64 {
    let side = |picture: &Dictionary, key| {
        let side = picture.get_deref(key, document);
        side.and_then(Object::as_i64).map_or(0, i64::abs)
    };
    let streams = document
        .objects
        .values()
        .filter_map(|object| object.as_stream().ok());
    let pictures = streams.filter(|stream| stream.dict.has(b"Width"));
    pictures
        .map(|picture| side(&picture.dict, b"Width").saturating_mul(side(&picture.dict, b"Height")))
        .fold(0, i64::saturating_add)
}

/// Whether all pages look and read alike; those that cannot be drawn in the first say nothing.
pub(super) fn alike(library: &Pdfium, one: &Path, other: &Path) -> bool {
    let open = |path| library.load_pdf_from_file(path, None).ok();
    let Some(one) = open(one) else { return true };
    open(other).is_some_and(|other| are_alike(&one, &other))
}

fn are_alike(one: &PdfDocument<'_>, other: &PdfDocument<'_>) -> bool {
    (0..one.pages().len()).all(|index| {
        let Ok(page) = one.pages().get(index) else {
            return true;
        };
        let found = other.pages().get(index);
        found.is_ok_and(|found| text(&page) == text(&found) && is_drawn_alike(&page, &found))
    })
}

fn text(page: &PdfPage<'_>) -> Option<String> {
    Some(page.text().ok()?.all())
}

fn is_drawn_alike(page: &PdfPage<'_>, other: &PdfPage<'_>) -> bool {
    let Some(expected) = picture(page) else {
        return true;
    };
    picture(other).is_some_and(|found| are_pictures_alike(&expected, &found))
}

fn picture(page: &PdfPage<'_>) -> Option<RgbImage> {
    let config = PdfRenderConfig::new()
        .scale_page_by_factor(SCALE)
        .set_maximum_width(SIDE)
        .set_maximum_height(SIDE);
    let drawn = page.render_with_config(&config).ok()?;
    Some(drawn.as_image().ok()?.into_rgb8())
}

/// Whether nothing is in one of two pictures only.
fn are_pictures_alike(one: &RgbImage, other: &RgbImage) -> bool {
    one.dimensions() == other.dimensions()
        && (one.as_raw() == other.as_raw() || (is_within(one, other) && is_within(other, one)))
}

/// Whether each pixel is what the other picture has there or close by.
fn is_within(one: &RgbImage, other: &RgbImage) -> bool {
    let mut pixels = one.enumerate_pixels();
    pixels.all(|(x, y, pixel)| {
        let same = other.get_pixel_checked(x, y);
        same == Some(pixel)
            || (0..3).all(|channel| {
                let Some(shade) = pixel.0.get(channel).copied().map(i32::from) else {
                    return true;
                };
                let (least, most) = around(other, (x, y), channel);
                let tolerated = MOST + (most - least) * MOVED;
                (least - tolerated..=most + tolerated).contains(&shade)
            })
    })
}

/// The least and the most of a channel of a pixel and its neighbours.
fn around(picture: &RgbImage, (x, y): (u32, u32), channel: usize) -> (i32, i32) {
    let rows = y.saturating_sub(1)..=y + 1;
    let pixels = rows.flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)));
    let shades = pixels.filter_map(|(x, y)| {
        let pixel = picture.get_pixel_checked(x, y)?;
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

    /// A line of text of ten points as pdfium draws it, its full stop of a pixel and a half where it lies worst.
    fn line(ink: [u8; 3], ground: [u8; 3], stop: bool, moved: u32) -> RgbImage {
        let mixed = |share: f32| {
            let channel = |at: usize| {
                let (ink, ground) = (f32::from(ink[at]), f32::from(ground[at]));
                (ground + (ink - ground) * share) as u8
            };
            Rgb([channel(0), channel(1), channel(2)])
        };
        let mut picture = RgbImage::from_pixel(60, 30, mixed(0.0));
        for left in (4 + moved..40).step_by(6) {
            for y in 8..20 {
                picture.put_pixel(left, y, mixed(0.6));
                picture.put_pixel(left + 1, y, mixed(0.7));
            }
        }
        if stop {
            for (x, y) in [(44, 18), (45, 18), (44, 19), (45, 19)] {
                picture.put_pixel(x, y, mixed(0.56));
            }
        }
        picture
    }

    #[test]
    fn a_missing_full_stop_is_seen_in_every_colour() {
        const WHITE: [u8; 3] = [255; 3];
        for (ink, ground) in [
            ([0; 3], WHITE),
            // Light grey, yellow, and what is hardly lighter than blue.
            ([225; 3], WHITE),
            ([255, 255, 0], WHITE),
            ([40, 40, 200], [0, 0, 200]),
        ] {
            let whole = line(ink, ground, true, 0);
            assert!(are_pictures_alike(&whole, &whole));
            let cut = line(ink, ground, false, 0);
            assert!(!are_pictures_alike(&whole, &cut), "{ink:?}");
            assert!(!are_pictures_alike(&cut, &whole), "{ink:?}");
        }
    }

    #[test]
    fn lines_may_be_moved_by_less_than_a_pixel() {
        let (one, other) = (
            line([0; 3], [255; 3], true, 0),
            line([0; 3], [255; 3], true, 1),
        );
        assert!(are_pictures_alike(&one, &other));
        assert!(!are_pictures_alike(&one, &RgbImage::new(60, 29)));
    }
}
