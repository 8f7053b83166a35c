//! AVIF: frames of AV1 in a container [AV1 Image File Format].

mod av1;
mod colour;

use std::io::{Read, Seek};

use domain::limits::PIXELS;
use image::{DynamicImage, GenericImage as _, ImageBuffer, Luma, Pixel, Primitive, Rgb};
use moxcms::{
    CicpColorPrimaries, CicpProfile, ColorProfile, MatrixCoefficients, TransferCharacteristics,
};
use task::{Fault, Outcome};

use self::av1::Frame;
use super::heif::{Cicp, Colours, Container};
use crate::picture::Picture;

/// What an item is called that is a frame of AV1.
const CODED: [u8; 4] = *b"av01";

/// Decodes the image that is shown.
pub(super) fn decode(file: &mut (impl Read + Seek)) -> Outcome<Picture> {
    let container = Container::read(file)?;
    let item = container.primary();
    if container.is_beyond(item) {
        return Err(Fault::variant());
    }
    let sides = container.sides(item)?;
    let colours = container.colours(item);
    let mut pixels = image(file, &container, item, colours.cicp)?;
    if (pixels.width(), pixels.height()) != sides {
        return Err(Fault::corrupt());
    }
    if let Some((alpha, is_multiplied)) = container.transparency(item) {
        let alpha = image(file, &container, alpha, None)?;
        pixels = with_transparency(&pixels, &alpha, is_multiplied)?;
    }
    Ok(Picture {
        pixels,
        orientation: container.orientation(),
        profile: profile(colours),
        is_damaged: false,
    })
}

/// The frame of an item, or the frames that it is made of side by side.
fn image(
    file: &mut (impl Read + Seek),
    container: &Container,
    item: u32,
    cicp: Option<Cicp>,
) -> Outcome<DynamicImage> {
    let Some(grid) = container.grid(file, item)? else {
        return colour::image(&frame(file, container, item)?, cicp);
    };
    let mut whole: Option<DynamicImage> = None;
    for (index, tile) in grid.tiles.iter().enumerate() {
        let said = cicp.or_else(|| container.colours(*tile).cicp);
        let tile = colour::image(&frame(file, container, *tile)?, said)?;
        let (across, down) = (index % grid.columns, index / grid.columns);
        let place = |count: usize, side: u32| u32::try_from(count).ok()?.checked_mul(side);
        let left = place(across, tile.width()).filter(|left| *left < grid.sides.0);
        let top = place(down, tile.height()).filter(|top| *top < grid.sides.1);
        let (Some(left), Some(top)) = (left, top) else {
            return Err(Fault::corrupt());
        };
        let whole = whole
            .get_or_insert_with(|| DynamicImage::new(grid.sides.0, grid.sides.1, tile.color()));
        let width = tile.width().min(grid.sides.0 - left);
        let height = tile.height().min(grid.sides.1 - top);
        paste(whole, &tile.crop_imm(0, 0, width, height), left, top)?;
    }
    whole.ok_or_else(Fault::corrupt)
}

fn frame(file: &mut (impl Read + Seek), container: &Container, item: u32) -> Outcome<Frame> {
    let coded = container.coded(file, item, CODED)?;
    av1::decode(&coded, PIXELS)
}

/// Tiles of one image have the same channels and depth.
fn paste(whole: &mut DynamicImage, tile: &DynamicImage, left: u32, top: u32) -> Outcome<()> {
    let pasted = match (whole, tile) {
        (DynamicImage::ImageLuma8(to), DynamicImage::ImageLuma8(from)) => {
            to.copy_from(from, left, top)
        }
        (DynamicImage::ImageRgb8(to), DynamicImage::ImageRgb8(from)) => {
            to.copy_from(from, left, top)
        }
        (DynamicImage::ImageLuma16(to), DynamicImage::ImageLuma16(from)) => {
            to.copy_from(from, left, top)
        }
        (DynamicImage::ImageRgb16(to), DynamicImage::ImageRgb16(from)) => {
            to.copy_from(from, left, top)
        }
        _ => return Err(Fault::corrupt()),
    };
    pasted.map_err(|_| Fault::corrupt())
}

fn with_transparency(
    colours: &DynamicImage,
    alpha: &DynamicImage,
    is_multiplied: bool,
) -> Outcome<DynamicImage> {
    if (colours.width(), colours.height()) != (alpha.width(), alpha.height()) {
        return Err(Fault::corrupt());
    }
    let wide = colours.color().bytes_per_pixel() > colours.color().channel_count();
    Ok(match wide {
        false => {
            DynamicImage::ImageRgba8(joined(&colours.to_rgb8(), &alpha.to_luma8(), is_multiplied))
        }
        true => DynamicImage::ImageRgba16(joined(
            &colours.to_rgb16(),
            &alpha.to_luma16(),
            is_multiplied,
        )),
    })
}

type Samples<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

/// Colours that are multiplied by their opacity are divided by it.
fn joined<S: Primitive + Into<f32>>(
    colours: &Samples<Rgb<S>>,
    alpha: &Samples<Luma<S>>,
    is_multiplied: bool,
) -> Samples<image::Rgba<S>>
where
    Rgb<S>: Pixel<Subpixel = S>,
    Luma<S>: Pixel<Subpixel = S>,
    image::Rgba<S>: Pixel<Subpixel = S>,
{
    let most: f32 = S::DEFAULT_MAX_VALUE.into();
    let mut joined = ImageBuffer::new(colours.width(), colours.height());
    let pairs = colours.pixels().zip(alpha.pixels());
    for ((colour, alpha), place) in pairs.zip(joined.pixels_mut()) {
        let [opacity] = alpha.0;
        let divided = |sample: S| {
            let (sample, opacity): (f32, f32) = (sample.into(), opacity.into());
            S::from((sample * most / opacity.max(1.0) + 0.5).min(most))
                .unwrap_or(S::DEFAULT_MAX_VALUE)
        };
        let [red, green, blue] = match is_multiplied {
            true => colour.0.map(divided),
            false => colour.0,
        };
        *place = image::Rgba([red, green, blue, opacity]);
    }
    joined
}

/// The colour profile, made of the code points where they say anything but the usual.
fn profile(colours: Colours) -> Option<Vec<u8>> {
    const UNSPECIFIED: u8 = 2;
    const USUAL_PRIMARIES: [u8; 2] = [1, UNSPECIFIED];
    // BT.709 and its like, which images are shown with as if it were sRGB's.
    const USUAL_TRANSFERS: [u8; 5] = [1, UNSPECIFIED, 6, 13, 14];
    if colours.profile.is_some() {
        return colours.profile;
    }
    let cicp = colours.cicp?;
    let usual =
        USUAL_PRIMARIES.contains(&cicp.primaries) && USUAL_TRANSFERS.contains(&cicp.transfer);
    if usual {
        return None;
    }
    let or = |code: u8, usual: u8| if code == UNSPECIFIED { usual } else { code };
    let profile = ColorProfile::new_from_cicp(CicpProfile {
        color_primaries: CicpColorPrimaries::try_from(or(cicp.primaries, 1)).ok()?,
        transfer_characteristics: TransferCharacteristics::try_from(or(cicp.transfer, 13)).ok()?,
        matrix_coefficients: MatrixCoefficients::Identity,
        full_range: true,
    });
    profile.encode().ok()
}
