//! Whether a JPEG file shows by itself what a picture shows that a document makes of it.

use std::io::Result;
use std::panic::catch_unwind;

use mozjpeg::{ColorSpace, Decompress};

/// Both are compared by so many parts across, and as many down.
const PARTS: usize = 8;
/// How unlike they may be on average, of 255: profiles of colours change them a little.
const UNLIKE: u32 = 32;
/// From which sides on, in pixels, a file is read in an eighth of its size.
const LARGE: usize = 512;

/// Whether it shows the same as these pixels of red, green, blue and alpha, in rows as long as `width`.
pub(super) fn shows(file: &[u8], rgba: &[u8], width: usize) -> bool {
    // What the library makes of damaged data is no opinion.
    let decoded = catch_unwind(|| decoded(file));
    let Ok(Ok((rgb, file_width))) = decoded else {
        return false;
    };
    let (held, shown) = (parts(&rgb, 3, file_width), parts(rgba, 4, width));
    let distance = |inverted: bool| -> u32 {
        let pairs = held.iter().zip(&shown);
        pairs
            .map(|(held, shown)| {
                let held = if inverted { 255 - held } else { *held };
                held.abs_diff(*shown)
            })
            .sum()
    };
    let count = u32::try_from(held.len()).unwrap_or(u32::MAX);
    let is_like = distance(false) <= UNLIKE.saturating_mul(count);
    !held.is_empty() && held.len() == shown.len() && is_like && distance(false) <= distance(true)
}

/// Red, green and blue of a file, and how long its rows are.
fn decoded(file: &[u8]) -> Result<(Vec<u8>, usize)> {
    let mut decoder = Decompress::new_mem(file)?;
    let (width, height) = decoder.size();
    decoder.scale(if width.min(height) >= LARGE { 1 } else { 8 });
    let mut started = decoder.to_colorspace(ColorSpace::JCS_RGB)?;
    let width = started.width();
    let bytes = started.read_scanlines::<u8>()?;
    started.finish()?;
    Ok((bytes, width))
}

/// The average red, green and blue of each part, of pixels of so many channels in rows of this length.
fn parts(pixels: &[u8], channels: usize, width: usize) -> Vec<u32> {
    let rows: Vec<&[u8]> = pixels.chunks_exact((width * channels).max(1)).collect();
    let cells = (0..PARTS).flat_map(|down| (0..PARTS).map(move |across| (down, across)));
    cells
        .flat_map(|(down, across)| {
            let rows = rows.get(range(down, rows.len())).unwrap_or_default();
            average(rows, range(across, width), channels)
        })
        .collect()
}

/// Which of so many rows or columns a part has.
fn range(part: usize, count: usize) -> std::ops::Range<usize> {
    let from = part * count / PARTS;
    from..((part + 1) * count / PARTS).max(from + 1).min(count)
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

    /// A slope from dark to light, `LARGE` pixels wide and high or less, as a file.
    fn file(side: u32) -> Vec<u8> {
        let slope = RgbImage::from_fn(side, side, |x, y| Rgb(colour(x, y, side)));
        let mut file = Vec::new();
        JpegEncoder::new(&mut file).encode_image(&slope).unwrap();
        file
    }

    fn colour(x: u32, y: u32, side: u32) -> [u8; 3] {
        let part = |place: u32| u8::try_from(place * 200 / side).unwrap();
        [part(x), part(y), 40]
    }

    /// The slope as pixels, each as `change` has it.
    fn shown(change: impl Fn(u8) -> u8) -> Vec<u8> {
        let places = (0..64).flat_map(|y| (0..64).map(move |x| colour(x, y, 64)));
        let pixels = places.map(|colour| colour.map(&change));
        pixels
            .flat_map(|[red, green, blue]| [red, green, blue, 255])
            .collect()
    }

    #[test]
    fn a_file_shows_a_picture_that_looks_the_same() {
        for side in [40, 600] {
            assert!(shows(&file(side), &shown(|part| part), 64));
            assert!(shows(
                &file(side),
                &shown(|part| part.saturating_add(20)),
                64
            ));
            assert!(!shows(&file(side), &shown(|part| 255 - part), 64));
            assert!(!shows(&file(side), &shown(|part| part / 3), 64));
        }
    }

    #[test]
    fn what_cannot_be_read_shows_nothing() {
        assert!(!shows(b"GIF89a", &shown(|part| part), 64));
        assert!(!shows(&file(40)[..100], &shown(|part| part), 64));
        assert!(!shows(&file(40), &[], 64));
    }
}
