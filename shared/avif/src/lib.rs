//! AVIF encoder based on rav1e: one AV1 frame for color in 4:4:4 or monochrome, another for alpha [AV1 Image File Format].
//!
//! A separate crate because rav1e is generic code that would otherwise be recompiled with every change of the engine.

mod planes;
mod settings;

use avif_serialize::Aviffy;
use avif_serialize::constants::MatrixCoefficients;
use image::DynamicImage;
use rav1e::prelude::{
    ChromaSampling, ColorDescription, ColorPrimaries, Config, Context, EncoderConfig,
    EncoderStatus, Frame, InvalidConfig, MatrixCoefficients as Matrix, Pixel, PixelRange, Rational,
    TransferCharacteristics,
};

use self::planes::Planes;
use self::settings::{quantizer, speed};

/// Why encoding failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// rav1e does not accept the dimensions or settings.
    #[error("invalid encoder settings: {0}")]
    Settings(#[from] InvalidConfig),
    /// rav1e failed.
    #[error("encoding failed: {0}")]
    Encoder(#[from] EncoderStatus),
    /// The container cannot be written.
    #[error("cannot write the container: {0}")]
    Container(#[from] std::io::Error),
}

/// Encodes with `quality` percent at 8 bits per sample; wider samples are rounded. The pixels are treated as sRGB, and no
/// color profile is written.
///
/// # Errors
/// Dimensions that AV1 does not support, and failures of the encoder.
pub fn encode(pixels: &DynamicImage, quality: u8) -> Result<Vec<u8>, Error> {
    let (width, height) = (pixels.width(), pixels.height());
    let planes = Planes::of(pixels);
    let coded = |planes: &[Vec<u8>]| frame(planes, (width, height), quality);
    let color = coded(&planes.color)?;
    let alpha = planes.alpha.map(|alpha| coded(&[alpha])).transpose()?;
    let is_gray = planes.color.len() == 1;
    let mut file = Vec::new();
    let mut container = Aviffy::new();
    container
        .set_width(width)
        .set_height(height)
        .set_bit_depth(8)
        .set_monochrome(is_gray)
        .set_chroma_subsampling((is_gray, is_gray))
        .set_seq_profile(u8::from(!is_gray))
        .set_full_color_range(true)
        .set_matrix_coefficients(MatrixCoefficients::Bt601);
    container.write_slice(&mut file, &color, alpha.as_deref())?;
    Ok(file)
}

/// Encodes one AV1 frame: luma alone, or luma and two chroma planes.
fn frame(planes: &[Vec<u8>], sides: (u32, u32), quality: u8) -> Result<Vec<u8>, Error> {
    let configured = Config::new().with_encoder_config(settings_of(planes.len(), sides, quality));
    let mut encoder: Context<u8> = configured.with_threads(1).new_context()?;
    let mut frame = encoder.new_frame();
    fill(&mut frame, planes, sides.0 as usize);
    encoder.send_frame(frame)?;
    encoder.flush();
    let mut coded = Vec::new();
    loop {
        match encoder.receive_packet() {
            Ok(packet) => coded.extend(packet.data),
            Err(EncoderStatus::Encoded) => {}
            Err(EncoderStatus::LimitReached) => return Ok(coded),
            Err(error) => return Err(error.into()),
        }
    }
}

fn fill<T: Pixel>(frame: &mut Frame<T>, planes: &[Vec<u8>], width: usize) {
    for (place, plane) in frame.planes.iter_mut().zip(planes) {
        place.copy_from_raw_u8(plane, width, 1);
    }
}

fn settings_of(planes: usize, (width, height): (u32, u32), quality: u8) -> EncoderConfig {
    let quantizer = quantizer(quality);
    let is_gray = planes == 1;
    EncoderConfig {
        width: width as usize,
        height: height as usize,
        bit_depth: 8,
        chroma_sampling: match is_gray {
            true => ChromaSampling::Cs400,
            false => ChromaSampling::Cs444,
        },
        pixel_range: PixelRange::Full,
        color_description: (!is_gray).then_some(ColorDescription {
            color_primaries: ColorPrimaries::BT709,
            transfer_characteristics: TransferCharacteristics::SRGB,
            matrix_coefficients: Matrix::BT601,
        }),
        still_picture: true,
        time_base: Rational::new(1, 1),
        min_key_frame_interval: 0,
        max_key_frame_interval: 0,
        quantizer: quantizer.into(),
        min_quantizer: quantizer,
        speed_settings: speed(u64::from(width) * u64::from(height)),
        ..EncoderConfig::default()
    }
}
