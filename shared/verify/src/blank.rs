//! Whether a cleaned page may be of one colour: if nothing was written on it, or if what was written is a plain area that its
//! empty edge was cut off from.

use domain::operation::CleanupOptions;
use image::{DynamicImage, Rgb, RgbImage};
use imaging::flat;

/// Pixels of a side over which the light of paper is taken for even.
const CELL: u32 = 16;
/// By how much a channel may differ and still be the same colour.
const TOLERANCE: u8 = 40;
/// What is darker than so many parts of 100 of what is around it is ink.
const INK: u64 = 50;
/// One pixel of so many may differ beside those along an edge.
const STRAY: u64 = 100;

/// One part of the page of so many may have specks.
const SPECKED: usize = 100;

/// Whether all pixels are the same.
pub(super) fn is_blank(pixels: &DynamicImage) -> bool {
    let size = usize::from(pixels.color().bytes_per_pixel());
    let mut pixels = pixels.as_bytes().chunks_exact(size);
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

/// Whether a source shows so little that a result of one colour is right.
pub(super) fn may_be_blank(
    source: DynamicImage,
    result: &DynamicImage,
    options: &CleanupOptions,
) -> bool {
    let source = flat::on_white(source).into_rgb8();
    let sides = (result.width(), result.height());
    let is_cut = options.trim.unwrap_or(false) && sides != source.dimensions();
    match result.to_rgb8().get_pixel_checked(0, 0) {
        Some(colour) if is_cut => {
            let is_two_tone = options.binarize.unwrap_or(false);
            is_plain_area(&source, |pixel| is_alike(pixel, colour, is_two_tone), sides)
        }
        _ => !has_ink(&source, options.denoise.unwrap_or(false)),
    }
}

/// Whether there are as many pixels of that colour as the area has, and few along the edge, which was cut off.
fn is_plain_area(
    page: &RgbImage,
    is_of_it: impl Fn(&Rgb<u8>) -> bool,
    (width, height): (u32, u32),
) -> bool {
    let (right, bottom) = (page.width() - 1, page.height() - 1);
    let (mut all, mut along, mut edge) = (0_u64, 0_u64, 0_u64);
    for (x, y, pixel) in page.enumerate_pixels() {
        let is_edge = x == 0 || y == 0 || x == right || y == bottom;
        edge += u64::from(is_edge);
        if is_of_it(pixel) {
            all += 1;
            along += u64::from(is_edge);
        }
    }
    let area = u64::from(width) * u64::from(height);
    let around = 2 * (u64::from(width) + u64::from(height));
    all.abs_diff(area) <= around + area / STRAY && along * 2 < edge
}

fn is_alike(pixel: &Rgb<u8>, colour: &Rgb<u8>, is_two_tone: bool) -> bool {
    match is_two_tone {
        true => (light(pixel) < 128) == (light(colour) < 128),
        false => {
            let mut channels = pixel.0.iter().zip(colour.0);
            channels.all(|(one, other)| one.abs_diff(other) <= TOLERANCE)
        }
    }
}

/// Whether anything is much darker than what is around it, beside specks in a few places where these are to go.
fn has_ink(page: &RgbImage, without_specks: bool) -> bool {
    let cells = (
        page.width().div_ceil(CELL) as usize,
        page.height().div_ceil(CELL) as usize,
    );
    // Of each cell: the sum of light, pixels, and the least light.
    let mut found = vec![(0_u64, 0_u64, u64::MAX); cells.0 * cells.1];
    for (x, y, pixel) in page.enumerate_pixels() {
        let place = (y / CELL) as usize * cells.0 + (x / CELL) as usize;
        if let Some((sum, count, least)) = found.get_mut(place) {
            let light = light(pixel);
            *sum += light;
            *count += 1;
            *least = light.min(*least);
        }
    }
    let is_inked = |(sum, count, least): &(u64, u64, u64)| least * count * 100 < sum * INK;
    let inked = found.iter().filter(|cell| is_inked(cell)).count();
    match without_specks {
        true => inked * SPECKED > found.len(),
        false => inked > 0,
    }
}

/// How light a pixel is, of 255.
fn light(pixel: &Rgb<u8>) -> u64 {
    let [red, green, blue] = pixel.0.map(u64::from);
    (299 * red + 587 * green + 114 * blue) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    const INKED: Rgb<u8> = Rgb([0, 0, 200]);

    fn options() -> CleanupOptions {
        CleanupOptions {
            trim: Some(true),
            binarize: Some(true),
            ..CleanupOptions::default()
        }
    }

    fn trims() -> CleanupOptions {
        CleanupOptions {
            trim: Some(true),
            ..CleanupOptions::default()
        }
    }

    fn plain(sides: (u32, u32), colour: [u8; 3]) -> DynamicImage {
        RgbImage::from_pixel(sides.0, sides.1, Rgb(colour)).into()
    }

    fn area() -> DynamicImage {
        RgbImage::from_fn(100, 80, |x, y| {
            let is_inside = (20..60).contains(&x) && (10..50).contains(&y);
            if is_inside { INKED } else { Rgb([255; 3]) }
        })
        .into()
    }

    fn text() -> DynamicImage {
        RgbImage::from_fn(100, 80, |x, y| {
            let is_ink = (20..60).contains(&x) && y % 10 == 4 && x % 4 == 0;
            Rgb(if is_ink { [30; 3] } else { [250; 3] })
        })
        .into()
    }

    #[test]
    fn a_plain_area_may_be_all_that_is_left() {
        assert!(may_be_blank(
            area(),
            &plain((40, 40), [0, 0, 200]),
            &trims()
        ));
        assert!(may_be_blank(area(), &plain((40, 40), [0; 3]), &options()));
        for wrong in [
            plain((40, 40), [255; 3]),
            plain((40, 20), [0, 0, 200]),
            plain((100, 80), [255; 3]),
            plain((90, 70), [255; 3]),
        ] {
            assert!(
                !may_be_blank(area(), &wrong, &trims()),
                "{:?}",
                wrong.width()
            );
        }
    }

    #[test]
    fn text_never_leaves_a_plain_page() {
        for sides in [(100, 80), (98, 78), (40, 61), (1, 1)] {
            for colour in [[255; 3], [250; 3], [30; 3], [0; 3]] {
                let wrong = plain(sides, colour);
                for options in [options(), trims(), CleanupOptions::default()] {
                    assert!(
                        !may_be_blank(text(), &wrong, &options),
                        "{sides:?} {colour:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_page_of_a_speck_may_become_empty_where_specks_go() {
        let mut page = RgbImage::from_pixel(400, 300, Rgb([255; 3]));
        page.put_pixel(200, 100, Rgb([0; 3]));
        let white = plain((400, 300), [255; 3]);
        let denoise = CleanupOptions {
            denoise: Some(true),
            ..CleanupOptions::default()
        };
        assert!(may_be_blank(page.clone().into(), &white, &denoise));
        assert!(!may_be_blank(
            page.into(),
            &white,
            &CleanupOptions::default()
        ));
        assert!(!may_be_blank(text(), &plain((100, 80), [255; 3]), &denoise));
    }

    #[test]
    fn shades_without_ink_may_become_white() {
        let shades = RgbImage::from_fn(120, 90, |x, y| Rgb([255 - x as u8, 200, 255 - y as u8]));
        let white = plain((120, 90), [255; 3]);
        assert!(may_be_blank(shades.into(), &white, &options()));
    }
}
