//! Trimming of empty margins: pixels of the border color, or lighter on a light page.

use image::{DynamicImage, RgbImage};

/// Maximum difference per channel from the border color of an empty pixel.
const TOLERANCE: u8 = 32;
/// Minimum value of a light border.
const LIGHT: u8 = 128;

/// Crops the empty margins. An empty page stays unchanged.
pub(super) fn trim(pixels: DynamicImage) -> DynamicImage {
    let converted;
    let page = match &pixels {
        DynamicImage::ImageRgb8(page) => page,
        other => {
            converted = other.to_rgb8();
            &converted
        }
    };
    match content_bounds(page) {
        Some((left, top, width, height)) => pixels.crop_imm(left, top, width, height),
        None => pixels,
    }
}

/// Returns left, top, width and height of the content.
fn content_bounds(page: &RgbImage) -> Option<(u32, u32, u32, u32)> {
    let border = border(page);
    let is_content = |pixel: &[u8]| {
        pixel.iter().zip(border).any(|(sample, border)| {
            let is_darker = *sample < border.saturating_sub(TOLERANCE);
            is_darker || (border < LIGHT && *sample > border.saturating_add(TOLERANCE))
        })
    };
    let (mut left, mut right, mut top, mut bottom) = (u32::MAX, 0, None, 0);
    for (row, y) in page.chunks_exact(page.width() as usize * 3).zip(0_u32..) {
        let content = || {
            (0_u32..)
                .zip(row.chunks_exact(3))
                .filter(|(_, pixel)| is_content(pixel))
        };
        let Some((first, _)) = content().next() else {
            continue;
        };
        left = left.min(first);
        right = content().fold(right, |right, (x, _)| right.max(x));
        top = top.or(Some(y));
        bottom = y;
    }
    let top = top?;
    Some((left, top, right - left + 1, bottom - top + 1))
}

/// Returns the median of each channel along the border.
fn border(page: &RgbImage) -> [u8; 3] {
    let (width, height) = page.dimensions();
    let is_edge = |x: u32, y: u32| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    let mut edge = [const { Vec::<u8>::new() }; 3];
    for y in 0..height {
        let step = if y == 0 || y + 1 == height {
            1
        } else {
            (width - 1).max(1)
        };
        for x in (0..width).step_by(step as usize) {
            let pixel = page.get_pixel(x, y);
            if is_edge(x, y) {
                for (channel, sample) in edge.iter_mut().zip(pixel.0) {
                    channel.push(sample);
                }
            }
        }
    }
    edge.map(|mut channel| {
        channel.sort_unstable();
        channel.get(channel.len() / 2).copied().unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    fn page(paper: [u8; 3], ink: [u8; 3]) -> DynamicImage {
        RgbImage::from_fn(60, 40, |x, y| {
            let is_ink = (x, y) == (7, 11) || (x, y) == (50, 30) || (x, y) == (20, 9);
            let shade = (x * 7 + y * 3) as u8 % 10;
            Rgb(if is_ink {
                ink
            } else {
                paper.map(|channel| channel.saturating_sub(shade))
            })
        })
        .into()
    }

    #[test]
    fn margins_are_trimmed_to_the_outermost_ink() {
        for (paper, ink) in [
            ([250, 245, 230], [90, 20, 10]),
            ([20, 25, 30], [200, 210, 220]),
        ] {
            let page = page(paper, ink);
            let result = trim(page.clone());
            assert_eq!(result, page.crop_imm(7, 9, 44, 22), "{paper:?}");
        }
    }

    #[test]
    fn white_margins_on_yellowish_paper_are_empty() {
        let mut page = page([230, 225, 200], [0; 3]).into_rgb8();
        page.put_pixel(0, 5, Rgb([255; 3]));
        assert_eq!(content_bounds(&page), Some((7, 9, 44, 22)));
    }

    #[test]
    fn an_empty_page_stays() {
        let page = DynamicImage::ImageLuma8(image::GrayImage::from_pixel(5, 4, image::Luma([200])));
        assert_eq!(trim(page.clone()), page);
    }
}
