//! AVIF, by rav1e: 8 bits a sample, colours as sharp as light.

use image::DynamicImage;
use ravif::{BitDepth, EncodedImage, Encoder, Img, RGB8, RGBA8};

use crate::fault::{Fault, Outcome};

/// Encodes with `quality` percent. The pixels count as sRGB: no colour profile is written.
pub(crate) fn avif(pixels: &DynamicImage, quality: u8) -> Outcome<Vec<u8>> {
    let (width, height) = (pixels.width(), pixels.height());
    let sides = (width as usize, height as usize);
    let encoder = Encoder::new()
        .with_quality(quality.clamp(1, 100).into())
        .with_alpha_quality(quality.clamp(1, 100).into())
        .with_speed(speed(u64::from(width) * u64::from(height)))
        .with_bit_depth(BitDepth::Eight)
        .with_num_threads(Some(1));
    let encoded = match pixels.color().has_alpha() {
        true => encode(
            pixels.to_rgba8().as_raw(),
            |[red, green, blue, alpha]| RGBA8::new(red, green, blue, alpha),
            |samples| encoder.encode_rgba(Img::new(samples, sides.0, sides.1)),
        ),
        false => encode(
            pixels.to_rgb8().as_raw(),
            |[red, green, blue]| RGB8::new(red, green, blue),
            |samples| encoder.encode_rgb(Img::new(samples, sides.0, sides.1)),
        ),
    };
    encoded
        .map(|encoded| encoded.avif_file)
        .map_err(|error| Fault::Installation(format!("an image cannot be encoded: {error}")))
}

fn encode<const N: usize, P>(
    samples: &[u8],
    pixel: impl Fn([u8; N]) -> P,
    encode: impl FnOnce(&[P]) -> Result<EncodedImage, ravif::Error>,
) -> Result<EncodedImage, ravif::Error> {
    let (pixels, _) = samples.as_chunks::<N>();
    let pixels: Vec<P> = pixels.iter().map(|samples| pixel(*samples)).collect();
    encode(&pixels)
}

/// How much effort an image of so many pixels has time for: 1 is most, 10 least.
fn speed(pixels: u64) -> u8 {
    match pixels {
        ..=4_000_000 => 4,
        4_000_001..=12_000_000 => 6,
        12_000_001..=24_000_000 => 8,
        _ => 10,
    }
}
