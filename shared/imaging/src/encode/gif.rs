//! GIF: one image or an animation, each frame with a palette of its own.

use std::collections::HashSet;
use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image::RgbaImage;
use task::{Fault, Outcome};

use crate::flat::over_white;

/// Colours of a palette.
const COLOURS: usize = 256;
/// How many pixels the choice of colours skips: a good compromise, as the library says.
const SPEED: i32 = 10;
/// Pixels that the choice of colours needs to see, else it goes wrong.
const SEEN: u32 = 4_096;

/// Whether there are more colours than a palette has, transparency being one of them.
pub fn has_more_than_a_palette(pixels: &RgbaImage) -> bool {
    let mut colours = HashSet::new();
    let mut last = None;
    pixels.pixels().any(|pixel| {
        if last == Some(*pixel) {
            return false;
        }
        last = Some(*pixel);
        colours.insert(if pixel.0[3] < 128 { [0; 4] } else { pixel.0 });
        colours.len() > COLOURS
    })
}

/// Rounds the colours of a small image, as little as it takes, until a palette holds them all.
fn round_colours(pixels: &mut RgbaImage) {
    for bits in 1..=6 {
        if !has_more_than_a_palette(pixels) {
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

/// A file in the making.
pub struct Gif<W: Write> {
    encoder: Encoder<W>,
    last: Option<RgbaImage>,
}

impl<W: Write> Gif<W> {
    /// Begins a file. An animation is played so many `loops`, for ever if 0; one image has none.
    pub fn new(out: W, (width, height): (u32, u32), loops: Option<u16>) -> Outcome<Self> {
        let side = |side: u32| {
            u16::try_from(side)
                .map_err(|_| Fault::too_large("GIF allows at most 65,535 pixels a side."))
        };
        let mut encoder = Encoder::new(out, side(width)?, side(height)?, &[]).map_err(failed)?;
        match loops {
            Some(0) => encoder.set_repeat(Repeat::Infinite).map_err(failed)?,
            // Once is what a file without a number means.
            Some(loops @ 2..) => encoder
                .set_repeat(Repeat::Finite(loops - 1))
                .map_err(failed)?,
            _ => {}
        }
        Ok(Self {
            encoder,
            last: None,
        })
    }

    /// Adds a frame that is shown for so long. Pixels are opaque or transparent, by the greater half of their opacity.
    pub fn add(&mut self, mut pixels: RgbaImage, milliseconds: u32) -> Outcome<()> {
        let mut is_transparent = false;
        for pixel in pixels.pixels_mut() {
            let [red, green, blue, alpha] = pixel.0;
            pixel.0 = match alpha {
                u8::MAX => continue,
                128.. => {
                    let [red, green, blue] =
                        [red, green, blue].map(|channel| over_white(channel, alpha));
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
        let mut part = image::imageops::crop_imm(&pixels, left, top, width, height).to_image();
        let small = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
        let speed = match width.saturating_mul(height) / SEEN {
            0 => {
                round_colours(&mut part);
                1
            }
            // Each of them is seen while they are few.
            times if times < SPEED.unsigned_abs() => 1,
            _ => SPEED,
        };
        let mut frame = Frame::from_rgba_speed(small(width), small(height), part.as_mut(), speed);
        frame.left = small(left);
        frame.top = small(top);
        frame.delay = u16::try_from((milliseconds + 5) / 10).unwrap_or(u16::MAX);
        // What is transparent would show the frame before.
        frame.dispose = match is_transparent {
            true => DisposalMethod::Background,
            false => DisposalMethod::Keep,
        };
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.last = (!is_transparent).then_some(pixels);
        Ok(())
    }

    /// Ends the file.
    pub fn finish(self) -> Outcome<()> {
        let mut out = self.encoder.into_inner().map_err(failed)?;
        Ok(out.flush()?)
    }
}

fn failed(error: EncodingError) -> Fault {
    match error {
        EncodingError::Io(error) => Fault::Io(error),
        other => Fault::Io(std::io::Error::other(other)),
    }
}

/// The rectangle in which a frame differs from the one before, all of it if there is none, as left, top, width and height;
/// it begins at multiples of `grid` and has at least a pixel.
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
    fn a_frame_is_cut_to_what_changes() {
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
    fn colours_of_a_small_image_are_rounded_until_a_palette_holds_them() {
        let mut pixels = RgbaImage::from_fn(20, 20, |x, y| {
            Rgba([(x * 13) as u8, (y * 13) as u8, (x * y) as u8, 255])
        });
        let before = pixels.clone();
        assert!(has_more_than_a_palette(&pixels));
        round_colours(&mut pixels);
        assert!(!has_more_than_a_palette(&pixels));
        let apart = |one: &Rgba<u8>, other: &Rgba<u8>| {
            let samples = one.0.into_iter().zip(other.0);
            samples.map(|(one, other)| one.abs_diff(other)).max()
        };
        let pairs = before.pixels().zip(pixels.pixels());
        assert!(pairs.map(|(one, other)| apart(one, other)).max() <= Some(Some(16)));
    }

    #[test]
    fn a_palette_is_counted_with_its_transparency() {
        let colours = |count: u32| {
            RgbaImage::from_fn(count + 1, 1, |x, _| match x {
                0 => Rgba([1, 2, 3, 0]),
                x => Rgba([(x % 256) as u8, (x / 256) as u8, 0, 255]),
            })
        };
        assert!(!has_more_than_a_palette(&colours(255)));
        assert!(has_more_than_a_palette(&colours(256)));
    }
}
