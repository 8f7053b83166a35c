//! AVIF: decoded pixels match those of libheif, and libheif can decode encoded images.

use std::io::Cursor;

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use crate::{corpus, harness, libheif, similarity};

fn file(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn converted(source: &[u8], from: Format, to: Format) -> harness::Converted {
    let result = harness::run_bytes(source, from, &[harness::convert(to)]);
    result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// Largest and mean difference of the samples.
fn sample_difference(one: &RgbImage, other: &RgbImage) -> (u8, f64) {
    assert_eq!(one.dimensions(), other.dimensions());
    let differences = one.iter().zip(other.iter()).map(|(a, b)| a.abs_diff(*b));
    let sum: u64 = differences.clone().map(u64::from).sum();
    (differences.max().unwrap(), sum as f64 / one.len() as f64)
}

#[test]
fn decoding_matches_libheif() {
    for (entry, format) in corpus::entries(&["avif"], &["ok"]) {
        let source = std::fs::read(entry.path()).unwrap();
        let result = converted(&source, format, Format::Png);
        let found = image::load_from_memory(&result.bytes()).unwrap();
        let (_, mean) = sample_difference(&found.to_rgb8(), &libheif::decoded(&source).to_rgb8());
        // Chroma upsampling differs.
        assert!(mean < 1.0, "{}: {mean}", entry.file);
    }
}

#[test]
fn color_profile_is_kept() {
    let source = corpus::file("images/avif/paris_icc_exif_xmp.avif");
    let result = harness::run(&source, Format::Avif, &[harness::convert(Format::Tiff)]).unwrap();
    let reader = image::ImageReader::open(result.path()).unwrap();
    let reader = reader.with_guessed_format().unwrap();
    let profile = image::ImageDecoder::icc_profile(&mut reader.into_decoder().unwrap());
    let profile = profile.unwrap().unwrap();
    let source = std::fs::read(source).unwrap();
    assert!(source.windows(profile.len()).any(|part| part == profile));
}

#[test]
fn transparency_is_encoded_and_decoded() {
    let shades = RgbaImage::from_fn(96, 64, |x, y| {
        Rgba([200, x as u8 * 2, y as u8 * 3, (x * 255 / 95) as u8])
    });
    let result = converted(&file(&shades.clone().into()), Format::Png, Format::Avif);
    assert_eq!(result.warnings(), Vec::<&str>::new());
    let avif = result.bytes();
    let again = converted(&avif, Format::Avif, Format::Png).bytes();
    for found in [
        libheif::decoded(&avif),
        image::load_from_memory(&again).unwrap(),
    ] {
        assert_eq!(found.color(), image::ColorType::Rgba8);
        let difference = similarity::difference(
            &similarity::on_white(&found),
            &similarity::on_white(&shades.clone().into()),
            16,
        );
        assert!(difference < 3.0, "{difference}");
    }
}

#[test]
fn every_pixel_format_round_trips() {
    let image = RgbImage::from_fn(61, 43, |x, y| {
        Rgb([(x * 4) as u8, (y * 5) as u8, (255 - x * 3) as u8])
    });
    let gray: DynamicImage = DynamicImage::from(image.clone()).to_luma8().into();
    for source in [image.into(), gray] {
        let avif = converted(&file(&source), Format::Png, Format::Avif).bytes();
        let (_, mean) = sample_difference(&libheif::decoded(&avif).to_rgb8(), &source.to_rgb8());
        assert!(mean < 3.0, "{mean}");
        let png = converted(&avif, Format::Avif, Format::Png).bytes();
        let png = image::load_from_memory(&png).unwrap().to_rgb8();
        let (most, _) = sample_difference(&libheif::decoded(&avif).to_rgb8(), &png);
        assert!(most <= 2, "{most}");
    }
}

#[test]
fn avif_never_grows_and_other_formats_shrink_as_avif() {
    let source = corpus::file("images/avif/kodim03_yuv420_8bpc.avif");
    let result = harness::run(&source, Format::Avif, &[harness::compress(None)]).unwrap();
    let size = std::fs::metadata(&source).unwrap().len() as usize;
    match result.warnings().as_slice() {
        [] => assert!(result.bytes().len() < size),
        warnings => assert_eq!(warnings, ["already_optimal"]),
    }
    let source = corpus::file("images/jpeg/flower.jpg");
    let steps = [harness::compress(Some(Format::Avif))];
    let result = harness::run(&source, Format::Jpeg, &steps).unwrap();
    let size = std::fs::metadata(&source).unwrap().len() as usize;
    assert!(result.bytes().len() < size * 3 / 4);
    let jpeg = std::fs::read(source).unwrap();
    let decoded = libheif::decoded(&result.bytes()).to_rgb8();
    let (_, mean) = sample_difference(&decoded, &similarity::upright(&jpeg));
    assert!(mean < 4.0, "{mean}");
}

#[test]
fn oversized_header_is_rejected_and_truncated_file_is_corrupt() {
    let source = std::fs::read(corpus::file("images/avif/kodim03_yuv420_8bpc.avif")).unwrap();
    let place = source.windows(4).position(|part| part == b"ispe").unwrap() + 8;
    let mut large = source.clone();
    large[place..place + 8].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let rejected = |bytes: &[u8]| harness::rejection_code(bytes, Format::Avif);
    assert_eq!(rejected(&large), Some(JobErrorCode::InputTooLarge));
    // Smaller than the coded frame.
    let mut small = source.clone();
    small[place..place + 8].copy_from_slice(&[0, 0, 0, 16, 0, 0, 0, 16]);
    assert_eq!(rejected(&small), Some(JobErrorCode::InputCorrupt));
    for part in [source.len() / 2, source.len() / 4, 40] {
        let found = rejected(&source[..part]);
        assert_eq!(found, Some(JobErrorCode::InputCorrupt), "{part}");
    }
    assert_eq!(
        rejected(b"\x89PNG\r\n\x1a\n"),
        Some(JobErrorCode::ContentMismatch)
    );
}
