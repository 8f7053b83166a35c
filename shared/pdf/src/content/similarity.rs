//! Checks whether a JPEG file by itself looks like the image that the document renders from it.

use std::io::Result;
use std::panic::catch_unwind;

use mozjpeg::{ColorSpace, Decompress};

/// Both are compared by the averages of a grid with this many rows and columns.
const GRID: usize = 8;
/// Maximum mean difference, of 255: color profiles change colors slightly.
const MAX_DIFFERENCE: u32 = 32;
/// Minimum side in pixels of files that are decoded at one eighth of their size.
const MIN_SCALED_SIDE: usize = 512;

/// Whether the file looks like these RGBA pixels in rows of `width`.
pub(super) fn is_similar(file: &[u8], rgba: &[u8], width: usize) -> bool {
    // The decoder panics on damaged files, which are not used.
    let decoded = catch_unwind(|| decode(file));
    let Ok(Ok((rgb, file_width))) = decoded else {
        return false;
    };
    let (stored, rendered) = (averages(&rgb, 3, file_width), averages(rgba, 4, width));
    let distance = |inverted: bool| -> u32 {
        let pairs = stored.iter().zip(&rendered);
        pairs
            .map(|(stored, rendered)| {
                let stored = if inverted { 255 - stored } else { *stored };
                stored.abs_diff(*rendered)
            })
            .sum()
    };
    let count = u32::try_from(stored.len()).unwrap_or(u32::MAX);
    let is_close = distance(false) <= MAX_DIFFERENCE.saturating_mul(count);
    !stored.is_empty()
        && stored.len() == rendered.len()
        && is_close
        && distance(false) <= distance(true)
}

/// Returns the RGB pixels of a file, and the length of its rows.
fn decode(file: &[u8]) -> Result<(Vec<u8>, usize)> {
    let mut decoder = Decompress::new_mem(file)?;
    let (width, height) = decoder.size();
    decoder.scale(if width.min(height) >= MIN_SCALED_SIDE {
        1
    } else {
        8
    });
    let mut started = decoder.to_colorspace(ColorSpace::JCS_RGB)?;
    let width = started.width();
    let bytes = started.read_scanlines::<u8>()?;
    started.finish()?;
    Ok((bytes, width))
}

/// Returns the average color of each grid cell of an image.
fn averages(pixels: &[u8], channels: usize, width: usize) -> Vec<u32> {
    let rows: Vec<&[u8]> = pixels.chunks_exact((width * channels).max(1)).collect();
    let cells = (0..GRID).flat_map(|down| (0..GRID).map(move |across| (down, across)));
    cells
        .flat_map(|(down, across)| {
            let rows = rows.get(range(down, rows.len())).unwrap_or_default();
            average(rows, range(across, width), channels)
        })
        .collect()
}

/// Rows or columns of a grid cell.
fn range(part: usize, count: usize) -> std::ops::Range<usize> {
    let from = part * count / GRID;
    from..((part + 1) * count / GRID).max(from + 1).min(count)
}

fn average(rows: &[&[u8]], columns: std::ops::Range<usize>, channels: usize) -> [u32; 3] {
    let (mut sums, mut count) = ([0_u64; 3], 0_u64);
    for row in rows {
        let pixels = row.chunks_exact(channels);
        for pixel in pixels.skip(columns.start).take(columns.len()) {
            for (sum, part) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*part);
            }
            count += 1;
        }
    }
    sums.map(|sum| u32::try_from(sum / count.max(1)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;
    use image::{Rgb, RgbImage};

    use super::*;

    /// A JPEG file of a gradient from dark to light, with sides of this many pixels.
    fn file(side: u32) -> Vec<u8> {
        let slope = RgbImage::from_fn(side, side, |x, y| Rgb(color(x, y, side)));
        let mut file = Vec::new();
        JpegEncoder::new(&mut file).encode_image(&slope).unwrap();
        file
    }

    fn color(x: u32, y: u32, side: u32) -> [u8; 3] {
        let part = |place: u32| u8::try_from(place * 200 / side).unwrap();
        [part(x), part(y), 40]
    }

    /// The gradient as pixels, changed by `change`.
    fn shown(change: impl Fn(u8) -> u8) -> Vec<u8> {
        let places = (0..64).flat_map(|y| (0..64).map(move |x| color(x, y, 64)));
        let pixels = places.map(|color| color.map(&change));
        pixels
            .flat_map(|[red, green, blue]| [red, green, blue, 255])
            .collect()
    }

    #[test]
    fn a_file_that_looks_like_the_image_is_similar() {
        for side in [40, 600] {
            assert!(is_similar(&file(side), &shown(|part| part), 64));
            assert!(is_similar(
                &file(side),
                &shown(|part| part.saturating_add(20)),
                64
            ));
            assert!(!is_similar(&file(side), &shown(|part| 255 - part), 64));
            assert!(!is_similar(&file(side), &shown(|part| part / 3), 64));
        }
    }

    #[test]
    fn an_unreadable_file_is_not_similar() {
        assert!(!is_similar(b"GIF89a", &shown(|part| part), 64));
        assert!(!is_similar(&file(40)[..100], &shown(|part| part), 64));
        assert!(!is_similar(&file(40), &[], 64));
    }
}
