//! AVIF decoder: AV1 frames in a HEIF container [AV1 Image File Format].

mod av1;
mod color;

use std::io::{Read, Seek};

use domain::limits::PIXELS;
use image::{DynamicImage, GenericImage as _, ImageBuffer, Luma, Pixel, Primitive, Rgb};
use moxcms::{
    CicpColorPrimaries, CicpProfile, ColorProfile, MatrixCoefficients, TransferCharacteristics,
};
use task::{TaskError, TaskResult};

use self::av1::Frame;
use super::heif::{Cicp, ColorInfo, Container};
use crate::decoded::DecodedImage;

/// Item type of an AV1 image item.
const AV1_ITEM: [u8; 4] = *b"av01";

/// Decodes the primary image.
pub(super) fn decode(file: &mut (impl Read + Seek)) -> TaskResult<DecodedImage> {
    let container = Container::read(file)?;
    let item = container.primary();
    if container.is_unsupported(item) {
        return Err(TaskError::unsupported_variant());
    }
    let sides = container.coded_sides(item)?;
    let colors = container.color_info(item);
    let mut pixels = image(file, &container, item, colors.cicp)?;
    if (pixels.width(), pixels.height()) != sides {
        return Err(TaskError::input_corrupt());
    }
    if let Some((alpha, is_premultiplied)) = container.alpha_item(item) {
        let alpha = image(file, &container, alpha, None)?;
        pixels = with_transparency(&pixels, &alpha, is_premultiplied)?;
    }
    let [left, top, width, height] = container.visible_part(item)?;
    if (width, height) != sides {
        pixels = pixels.crop_imm(left, top, width, height);
    }
    Ok(DecodedImage {
        pixels,
        orientation: container.orientation(),
        profile: profile(colors),
        is_damaged: false,
    })
}

/// Decodes an item: one AV1 frame, or the tiles of a grid.
fn image(
    file: &mut (impl Read + Seek),
    container: &Container,
    item: u32,
    cicp: Option<Cicp>,
) -> TaskResult<DynamicImage> {
    let Some(grid) = container.grid(file, item)? else {
        return color::image(&frame(file, container, item)?, cicp);
    };
    let mut whole: Option<DynamicImage> = None;
    for (index, tile) in grid.tiles.iter().enumerate() {
        let tile_cicp = cicp.or_else(|| container.color_info(*tile).cicp);
        let tile = color::image(&frame(file, container, *tile)?, tile_cicp)?;
        let (across, down) = (index % grid.columns, index / grid.columns);
        let place = |count: usize, side: u32| u32::try_from(count).ok()?.checked_mul(side);
        let left = place(across, tile.width()).filter(|left| *left < grid.sides.0);
        let top = place(down, tile.height()).filter(|top| *top < grid.sides.1);
        let (Some(left), Some(top)) = (left, top) else {
            return Err(TaskError::input_corrupt());
        };
        let whole = whole
            .get_or_insert_with(|| DynamicImage::new(grid.sides.0, grid.sides.1, tile.color()));
        let width = tile.width().min(grid.sides.0 - left);
        let height = tile.height().min(grid.sides.1 - top);
        paste(whole, &tile.crop_imm(0, 0, width, height), left, top)?;
    }
    whole.ok_or_else(TaskError::input_corrupt)
}

fn frame(file: &mut (impl Read + Seek), container: &Container, item: u32) -> TaskResult<Frame> {
    let coded = container.item_data(file, item, AV1_ITEM)?;
    av1::decode(&coded, PIXELS)
}

/// Copies a tile to its position. Tiles of one image have the same channels and depth.
fn paste(whole: &mut DynamicImage, tile: &DynamicImage, left: u32, top: u32) -> TaskResult<()> {
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
        _ => return Err(TaskError::input_corrupt()),
    };
    pasted.map_err(|_| TaskError::input_corrupt())
}

fn with_transparency(
    colors: &DynamicImage,
    alpha: &DynamicImage,
    is_premultiplied: bool,
) -> TaskResult<DynamicImage> {
    if (colors.width(), colors.height()) != (alpha.width(), alpha.height()) {
        return Err(TaskError::input_corrupt());
    }
    let wide = colors.color().bytes_per_pixel() > colors.color().channel_count();
    Ok(match wide {
        false => DynamicImage::ImageRgba8(merge_alpha(
            &colors.to_rgb8(),
            &alpha.to_luma8(),
            is_premultiplied,
        )),
        true => DynamicImage::ImageRgba16(merge_alpha(
            &colors.to_rgb16(),
            &alpha.to_luma16(),
            is_premultiplied,
        )),
    })
}

type Samples<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

/// Adds the alpha channel; premultiplied colors are divided by it.
fn merge_alpha<S: Primitive + Into<f32>>(
    colors: &Samples<Rgb<S>>,
    alpha: &Samples<Luma<S>>,
    is_premultiplied: bool,
) -> Samples<image::Rgba<S>>
where
    Rgb<S>: Pixel<Subpixel = S>,
    Luma<S>: Pixel<Subpixel = S>,
    image::Rgba<S>: Pixel<Subpixel = S>,
{
    let most: f32 = S::DEFAULT_MAX_VALUE.into();
    let mut merged = ImageBuffer::new(colors.width(), colors.height());
    let pairs = colors.pixels().zip(alpha.pixels());
    for ((color, alpha), place) in pairs.zip(merged.pixels_mut()) {
        let [opacity] = alpha.0;
        let divided = |sample: S| {
            let (sample, opacity): (f32, f32) = (sample.into(), opacity.into());
            S::from((sample * most / opacity.max(1.0) + 0.5).min(most))
                .unwrap_or(S::DEFAULT_MAX_VALUE)
        };
        let [red, green, blue] = match is_premultiplied {
            true => color.0.map(divided),
            false => color.0,
        };
        *place = image::Rgba([red, green, blue, opacity]);
    }
    merged
}

/// Returns the ICC profile, built from the CICP code points if these differ from sRGB.
fn profile(colors: ColorInfo) -> Option<Vec<u8>> {
    const UNSPECIFIED: u8 = 2;
    const SRGB_PRIMARIES: [u8; 2] = [1, UNSPECIFIED];
    // BT.709 and similar curves, which viewers treat as sRGB.
    const SRGB_TRANSFERS: [u8; 5] = [1, UNSPECIFIED, 6, 13, 14];
    if colors.profile.is_some() {
        return colors.profile;
    }
    let cicp = colors.cicp?;
    let usual = SRGB_PRIMARIES.contains(&cicp.primaries) && SRGB_TRANSFERS.contains(&cicp.transfer);
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
