//! Decides whether a result of `cleanup` may be of one color: if the source has no ink, or if its only content is an area
//! of one color whose margins were trimmed.

use domain::operation::CleanupOptions;
use image::{DynamicImage, Rgb, RgbImage};
use imaging::transparency;

/// Side in pixels of a cell over which the paper is assumed to be evenly lit.
const CELL_SIDE: u32 = 16;
/// Maximum difference per channel between pixels of the same color.
const TOLERANCE: u8 = 40;
/// Pixels darker than this percentage of the cell's mean are ink.
const INK_PERCENT: u64 = 50;
/// One in this many pixels may differ, in addition to those along the edge.
const STRAY_PIXELS: u64 = 100;

/// One in this many cells may have specks.
const SPECKED_CELLS: usize = 100;

/// Returns whether all pixels are equal.
pub(super) fn is_blank(pixels: &DynamicImage) -> bool {
    let size = usize::from(pixels.color().bytes_per_pixel());
    let mut pixels = pixels.as_bytes().chunks_exact(size);
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

/// Returns whether a result of one color is correct for this source.
pub(super) fn may_be_blank(
    source: DynamicImage,
    result: &DynamicImage,
    options: &CleanupOptions,
) -> bool {
    let source = transparency::flatten_on_white(source).into_rgb8();
    let sides = (result.width(), result.height());
    let is_trimmed = options.trim.unwrap_or(false) && sides != source.dimensions();
    match result.to_rgb8().get_pixel_checked(0, 0) {
        Some(color) if is_trimmed => {
            let is_two_tone = options.binarize.unwrap_or(false);
            is_plain_area(
                &source,
                |pixel| is_same_color(pixel, color, is_two_tone),
                sides,
            )
        }
        _ => !contains_ink(&source, options.denoise.unwrap_or(false)),
    }
}

/// Returns whether the page has about as many pixels of the color as the area, and few along its border.
fn is_plain_area(
    page: &RgbImage,
    has_color: impl Fn(&Rgb<u8>) -> bool,
    (width, height): (u32, u32),
) -> bool {
    let (right, bottom) = (page.width() - 1, page.height() - 1);
    let (mut all, mut on_edge, mut edge) = (0_u64, 0_u64, 0_u64);
    for (x, y, pixel) in page.enumerate_pixels() {
        let is_edge = x == 0 || y == 0 || x == right || y == bottom;
        edge += u64::from(is_edge);
        if has_color(pixel) {
            all += 1;
            on_edge += u64::from(is_edge);
        }
    }
    let area = u64::from(width) * u64::from(height);
    let around = 2 * (u64::from(width) + u64::from(height));
    all.abs_diff(area) <= around + area / STRAY_PIXELS && on_edge * 2 < edge
}

fn is_same_color(pixel: &Rgb<u8>, color: &Rgb<u8>, is_two_tone: bool) -> bool {
    match is_two_tone {
        true => (brightness(pixel) < 128) == (brightness(color) < 128),
        false => {
            let mut channels = pixel.0.iter().zip(color.0);
            channels.all(|(one, other)| one.abs_diff(other) <= TOLERANCE)
        }
    }
}

/// Returns whether any pixel is much darker than its surroundings, except specks in a few cells if these are to be removed.
fn contains_ink(page: &RgbImage, ignores_specks: bool) -> bool {
    let cells = (
        page.width().div_ceil(CELL_SIDE) as usize,
        page.height().div_ceil(CELL_SIDE) as usize,
    );
    // Per cell: sum of brightness, number of pixels, and minimum brightness.
    let mut found = vec![(0_u64, 0_u64, u64::MAX); cells.0 * cells.1];
    for (x, y, pixel) in page.enumerate_pixels() {
        let place = (y / CELL_SIDE) as usize * cells.0 + (x / CELL_SIDE) as usize;
        if let Some((sum, count, least)) = found.get_mut(place) {
            let brightness = brightness(pixel);
            *sum += brightness;
            *count += 1;
            *least = brightness.min(*least);
        }
    }
    let has_ink = |(sum, count, least): &(u64, u64, u64)| least * count * 100 < sum * INK_PERCENT;
    let with_ink = found.iter().filter(|cell| has_ink(cell)).count();
    match ignores_specks {
        true => with_ink * SPECKED_CELLS > found.len(),
        false => with_ink > 0,
    }
}

/// Returns the brightness of a pixel, 0 to 255.
fn brightness(pixel: &Rgb<u8>) -> u64 {
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

    fn plain(sides: (u32, u32), color: [u8; 3]) -> DynamicImage {
        RgbImage::from_pixel(sides.0, sides.1, Rgb(color)).into()
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
    fn a_trimmed_page_may_be_a_plain_area() {
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
            for color in [[255; 3], [250; 3], [30; 3], [0; 3]] {
                let wrong = plain(sides, color);
                for options in [options(), trims(), CleanupOptions::default()] {
                    assert!(
                        !may_be_blank(text(), &wrong, &options),
                        "{sides:?} {color:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_page_with_only_a_speck_may_become_empty_when_denoised() {
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
    fn gradients_without_ink_may_become_white() {
        let shades = RgbImage::from_fn(120, 90, |x, y| Rgb([255 - x as u8, 200, 255 - y as u8]));
        let white = plain((120, 90), [255; 3]);
        assert!(may_be_blank(shades.into(), &white, &options()));
    }
}
