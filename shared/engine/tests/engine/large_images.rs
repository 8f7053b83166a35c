//! Images near the pixel limit are processed within the memory limit.

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{DynamicImage, RgbImage};

use crate::{harness, libheif};

/// A large repetitive JPEG that is quick to create.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| {
        // Plain squares are encoded in a third of the time of noise.
        let shade = (x >> 6) as u8 ^ (y >> 6) as u8;
        image::Rgb([shade, (x >> 8) as u8, (y >> 8) as u8])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::from(image)
        .write_to(&mut bytes, image::ImageFormat::Jpeg)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn images_near_the_pixel_limit_are_converted_or_rejected_before_encoding() {
    // The smaller one is too large for AVIF, too.
    let height = if harness::runs_all_cases() {
        6_200
    } else {
        3_900
    };
    let source = picture(16_000, height);
    become_webp(&source, height);
    avif_is_rejected_beyond_the_memory_limit(&source);
}

fn become_webp(source: &[u8], height: u32) {
    let result =
        harness::run_bytes(source, Format::Jpeg, &[harness::convert(Format::Webp)]).unwrap();
    let found = image::ImageReader::new(std::io::Cursor::new(result.bytes()))
        .with_guessed_format()
        .unwrap();
    assert_eq!(found.into_dimensions().unwrap(), (16_000, height));
}

fn avif_is_rejected_beyond_the_memory_limit(source: &[u8]) {
    let result = harness::run_bytes(source, Format::Jpeg, &[harness::convert(Format::Avif)]);
    assert_eq!(
        harness::code(result).err(),
        Some(JobErrorCode::InputTooLarge)
    );
    let smaller = domain::job::JobLimits {
        image_side: 2_000,
        ..harness::GENEROUS
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), source).unwrap();
    let steps = [harness::convert(Format::Avif)];
    let result = harness::run_within(file.path(), Format::Jpeg, &steps, smaller).unwrap();
    assert_eq!(result.warnings(), ["limited_by_plan"]);
    assert_eq!(libheif::decoded(&result.bytes()).width(), 2_000);
}
