//! Images near the most pixels that one may have, within the memory that there is.

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{DynamicImage, RgbImage};

use crate::{libheif, rig};

/// A JPEG of so many pixels that is quickly made: it repeats itself.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| {
        let shade = (x % 251) as u8 ^ (y % 241) as u8;
        image::Rgb([shade, (x >> 4) as u8, (y >> 4) as u8])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::from(image)
        .write_to(&mut bytes, image::ImageFormat::Jpeg)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn an_image_of_nearly_a_hundred_megapixels_becomes_webp() {
    let source = picture(16_000, 6_200);
    let made = rig::run_bytes(&source, Format::Jpeg, &[rig::convert(Format::Webp)]).unwrap();
    let found = image::ImageReader::new(std::io::Cursor::new(made.bytes()))
        .with_guessed_format()
        .unwrap();
    assert_eq!(found.into_dimensions().unwrap(), (16_000, 6_200));
}

#[test]
fn what_avif_has_no_memory_for_is_refused_before_work() {
    let source = picture(16_000, 6_200);
    let made = rig::run_bytes(&source, Format::Jpeg, &[rig::convert(Format::Avif)]);
    assert_eq!(rig::code(made).err(), Some(JobErrorCode::InputTooLarge));
    let smaller = domain::job::JobLimits {
        image_side: 2_000,
        ..rig::GENEROUS
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &source).unwrap();
    let steps = [rig::convert(Format::Avif)];
    let made = rig::run_within(file.path(), Format::Jpeg, &steps, smaller).unwrap();
    assert_eq!(made.warnings(), ["limited_by_plan"]);
    assert_eq!(libheif::seen(&made.bytes()).width(), 2_000);
}
