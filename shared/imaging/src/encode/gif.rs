//! GIF: a single image or an animation with one palette per frame.

use std::collections::HashSet;
use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image::RgbaImage;
use task::{TaskError, TaskResult};

use crate::transparency::blend_on_white;

/// Maximum palette size.
const COLORS: usize = 256;
/// Sampling factor of the NeuQuant quantizer: every tenth pixel, the trade-off recommended by the library.
const SAMPLING: i32 = 10;
/// Minimum sampled pixels for a good palette.
const MIN_SAMPLED: u32 = 4_096;

/// Returns whether the image has more colors than a palette holds; transparency counts as one.
pub fn exceeds_palette(pixels: &RgbaImage) -> bool {
    let mut colors = HashSet::new();
    let mut last = None;
    pixels.pixels().any(|pixel| {
        if last == Some(*pixel) {
            return false;
        }
        last = Some(*pixel);
        colors.insert(if pixel.0[3] < 128 { [0; 4] } else { pixel.0 });
        colors.len() > COLORS
    })
}

/// Rounds the colors of a small image by as few bits as needed to fit a palette.
fn round_colors(pixels: &mut RgbaImage) {
    for bits in 1..=6 {
        if !exceeds_palette(pixels) {
            return;
        }
        let (mask, half) = (u8::MAX << bits, 1_u8 << (bits - 1));
        for pixel in pixels.pixels_mut().filter(|pixel| pixel.0[3] == u8::MAX) {
            let [red, green, blue, alpha] = pixel.0;
            let [red, green, blue] = [red, green, blue].map(|sample| (sample & mask) | half);
            pixel.0 = [red, green, blue, alpha];
        }
    }
}

/// A streaming GIF writer.
pub struct Gif<W: Write> {
    encoder: Encoder<W>,
    last: Option<RgbaImage>,
}

impl<W: Write> Gif<W> {
    /// Starts a file. An animation plays `loops` times, 0 forever; a single image has `None`.
    ///
    /// # Errors
    /// [`TaskError::too_large`] if a side exceeds 65,535 pixels; errors of writing.
    pub fn new(out: W, (width, height): (u32, u32), loops: Option<u16>) -> TaskResult<Self> {
        let side = |side: u32| {
            u16::try_from(side)
                .map_err(|_| TaskError::too_large("GIF is limited to 65,535 pixels per side."))
        };
        let mut encoder =
            Encoder::new(out, side(width)?, side(height)?, &[]).map_err(task_error)?;
        match loops {
            Some(0) => encoder.set_repeat(Repeat::Infinite).map_err(task_error)?,
            // A file without a repeat count plays once.
            Some(loops @ 2..) => encoder
                .set_repeat(Repeat::Finite(loops - 1))
                .map_err(task_error)?,
            _ => {}
        }
        Ok(Self {
            encoder,
            last: None,
        })
    }

    /// Adds a frame. Pixels with at least half opacity become opaque (blended on white), others transparent.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, mut pixels: RgbaImage, milliseconds: u32) -> TaskResult<()> {
        let mut is_transparent = false;
        for pixel in pixels.pixels_mut() {
            let [red, green, blue, alpha] = pixel.0;
            pixel.0 = match alpha {
                u8::MAX => continue,
                128.. => {
                    let [red, green, blue] =
                        [red, green, blue].map(|channel| blend_on_white(channel, alpha));
                    [red, green, blue, u8::MAX]
                }
                _ => {
                    is_transparent = true;
                    [0; 4]
                }
            };
        }
        let below = self.last.as_ref().filter(|_| !is_transparent);
        let (left, top, width, height) = changed(below, &pixels, 1);
        let mut region = image::imageops::crop_imm(&pixels, left, top, width, height).to_image();
        let small = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
        let speed = match width.saturating_mul(height) / MIN_SAMPLED {
            0 => {
                round_colors(&mut region);
                1
            }
            // Small frames are not sampled.
            times if times < SAMPLING.unsigned_abs() => 1,
            _ => SAMPLING,
        };
        let mut frame = Frame::from_rgba_speed(small(width), small(height), region.as_mut(), speed);
        frame.left = small(left);
        frame.top = small(top);
        frame.delay = u16::try_from((milliseconds + 5) / 10).unwrap_or(u16::MAX);
        // Otherwise the frame before would show through transparent pixels.
        frame.dispose = match is_transparent {
            true => DisposalMethod::Background,
            false => DisposalMethod::Keep,
        };
        self.encoder.write_frame(&frame).map_err(task_error)?;
        self.last = (!is_transparent).then_some(pixels);
        Ok(())
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> TaskResult<()> {
        let mut out = self.encoder.into_inner().map_err(task_error)?;
        Ok(out.flush()?)
    }
}

fn task_error(error: EncodingError) -> TaskError {
    match error {
        EncodingError::Io(error) => TaskError::Io(error),
        other => TaskError::Io(std::io::Error::other(other)),
    }
}

/// Returns left, top, width and height of the rectangle that differs from the frame before (all of it without one). Left and
/// top are multiples of `grid`; the rectangle has at least one pixel.
pub(super) fn changed(
    before: Option<&RgbaImage>,
    frame: &RgbaImage,
    grid: u32,
) -> (u32, u32, u32, u32) {
    let Some(before) = before else {
        return (0, 0, frame.width(), frame.height());
    };
    let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
    for ((x, y, one), other) in frame.enumerate_pixels().zip(before.pixels()) {
        if one != other {
            (left, top) = (left.min(x), top.min(y));
            (right, bottom) = (right.max(x + 1), bottom.max(y + 1));
        }
    }
    if right == 0 {
        return (0, 0, 1, 1);
    }
    let (left, top) = (left / grid * grid, top / grid * grid);
    (left, top, right - left, bottom - top)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    #[test]
    fn a_frame_is_cropped_to_the_changed_region() {
        let before = RgbaImage::new(9, 9);
        let mut after = before.clone();
        assert_eq!(changed(None, &after, 1), (0, 0, 9, 9));
        assert_eq!(changed(Some(&before), &after, 1), (0, 0, 1, 1));
        after.put_pixel(3, 5, Rgba([1; 4]));
        after.put_pixel(7, 6, Rgba([1; 4]));
        assert_eq!(changed(Some(&before), &after, 1), (3, 5, 5, 2));
        assert_eq!(changed(Some(&before), &after, 2), (2, 4, 6, 3));
    }

    #[test]
    fn colors_of_a_small_image_are_rounded_to_fit_a_palette() {
        let mut pixels = RgbaImage::from_fn(20, 20, |x, y| {
            Rgba([(x * 13) as u8, (y * 13) as u8, (x * y) as u8, 255])
        });
        let before = pixels.clone();
        assert!(exceeds_palette(&pixels));
        round_colors(&mut pixels);
        assert!(!exceeds_palette(&pixels));
        let apart = |one: &Rgba<u8>, other: &Rgba<u8>| {
            let samples = one.0.into_iter().zip(other.0);
            samples.map(|(one, other)| one.abs_diff(other)).max()
        };
        let pairs = before.pixels().zip(pixels.pixels());
        assert!(pairs.map(|(one, other)| apart(one, other)).max() <= Some(Some(16)));
    }

    #[test]
    fn transparency_counts_as_a_palette_color() {
        let colors = |count: u32| {
            RgbaImage::from_fn(count + 1, 1, |x, _| match x {
                0 => Rgba([1, 2, 3, 0]),
                x => Rgba([(x % 256) as u8, (x / 256) as u8, 0, 255]),
            })
        };
        assert!(!exceeds_palette(&colors(255)));
        assert!(exceeds_palette(&colors(256)));
    }
}
