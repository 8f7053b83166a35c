//! AVIF is read as others read it, and written so that others read it.

use std::io::Cursor;

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use crate::{corpus, libheif, likeness, rig};

fn file(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn converted(source: &[u8], from: Format, to: Format) -> rig::Made {
    let made = rig::run_bytes(source, from, &[rig::convert(to)]);
    made.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// The largest difference of any sample, and the mean of all.
fn apart(one: &RgbImage, other: &RgbImage) -> (u8, f64) {
    assert_eq!(one.dimensions(), other.dimensions());
    let differences = one.iter().zip(other.iter()).map(|(a, b)| a.abs_diff(*b));
    let sum: u64 = differences.clone().map(u64::from).sum();
    (differences.max().unwrap(), sum as f64 / one.len() as f64)
}

#[test]
fn what_is_read_is_what_others_read() {
    for (entry, format) in corpus::entries(&["avif"], &["ok"]) {
        let source = std::fs::read(entry.path()).unwrap();
        let made = converted(&source, format, Format::Png);
        let found = image::load_from_memory(&made.bytes()).unwrap();
        let (_, mean) = apart(&found.to_rgb8(), &libheif::seen(&source).to_rgb8());
        // Colours between samples are mixed in other ways.
        assert!(mean < 1.0, "{}: {mean}", entry.file);
    }
}

#[test]
fn a_colour_profile_comes_along() {
    let source = corpus::file("images/avif/paris_icc_exif_xmp.avif");
    let made = rig::run(&source, Format::Avif, &[rig::convert(Format::Tiff)]).unwrap();
    let reader = image::ImageReader::open(made.path()).unwrap();
    let reader = reader.with_guessed_format().unwrap();
    let profile = image::ImageDecoder::icc_profile(&mut reader.into_decoder().unwrap());
    let profile = profile.unwrap().unwrap();
    let source = std::fs::read(source).unwrap();
    assert!(source.windows(profile.len()).any(|part| part == profile));
}

#[test]
fn transparency_is_written_and_read() {
    let shades = RgbaImage::from_fn(96, 64, |x, y| {
        Rgba([200, x as u8 * 2, y as u8 * 3, (x * 255 / 95) as u8])
    });
    let made = converted(&file(&shades.clone().into()), Format::Png, Format::Avif);
    assert_eq!(made.warnings(), Vec::<&str>::new());
    let avif = made.bytes();
    let again = converted(&avif, Format::Avif, Format::Png).bytes();
    for found in [
        libheif::seen(&avif),
        image::load_from_memory(&again).unwrap(),
    ] {
        assert_eq!(found.color(), image::ColorType::Rgba8);
        let difference = likeness::difference(
            &likeness::on_white(&found),
            &likeness::on_white(&shades.clone().into()),
            16,
        );
        assert!(difference < 3.0, "{difference}");
    }
}

#[test]
fn colours_of_every_sort_come_back() {
    let image = RgbImage::from_fn(61, 43, |x, y| {
        Rgb([(x * 4) as u8, (y * 5) as u8, (255 - x * 3) as u8])
    });
    let grey: DynamicImage = DynamicImage::from(image.clone()).to_luma8().into();
    for source in [image.into(), grey] {
        let avif = converted(&file(&source), Format::Png, Format::Avif).bytes();
        let (_, mean) = apart(&libheif::seen(&avif).to_rgb8(), &source.to_rgb8());
        assert!(mean < 3.0, "{mean}");
        let png = converted(&avif, Format::Avif, Format::Png).bytes();
        let png = image::load_from_memory(&png).unwrap().to_rgb8();
        let (most, _) = apart(&libheif::seen(&avif).to_rgb8(), &png);
        assert!(most <= 2, "{most}");
    }
}

#[test]
fn it_becomes_smaller_or_stays_and_other_kinds_become_smaller_as_avif() {
    let source = corpus::file("images/avif/kodim03_yuv420_8bpc.avif");
    let made = rig::run(&source, Format::Avif, &[rig::compress(None)]).unwrap();
    let size = std::fs::metadata(&source).unwrap().len() as usize;
    match made.warnings().as_slice() {
        [] => assert!(made.bytes().len() < size),
        warnings => assert_eq!(warnings, ["already_optimal"]),
    }
    let source = corpus::file("images/jpeg/flower.jpg");
    let steps = [rig::compress(Some(Format::Avif))];
    let made = rig::run(&source, Format::Jpeg, &steps).unwrap();
    let size = std::fs::metadata(&source).unwrap().len() as usize;
    assert!(made.bytes().len() < size * 3 / 4);
    let jpeg = std::fs::read(source).unwrap();
    let seen = libheif::seen(&made.bytes()).to_rgb8();
    let (_, mean) = apart(&seen, &likeness::upright(&jpeg));
    assert!(mean < 4.0, "{mean}");
}

#[test]
fn a_header_that_promises_too_much_is_refused_and_half_a_file_is_broken() {
    let source = std::fs::read(corpus::file("images/avif/kodim03_yuv420_8bpc.avif")).unwrap();
    let place = source.windows(4).position(|part| part == b"ispe").unwrap() + 8;
    let mut large = source.clone();
    large[place..place + 8].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let refused = |bytes: &[u8]| rig::refused(bytes, Format::Avif);
    assert_eq!(refused(&large), Some(JobErrorCode::InputTooLarge));
    // Smaller than the frame is.
    let mut small = source.clone();
    small[place..place + 8].copy_from_slice(&[0, 0, 0, 16, 0, 0, 0, 16]);
    assert_eq!(refused(&small), Some(JobErrorCode::InputCorrupt));
    for part in [source.len() / 2, source.len() / 4, 40] {
        let found = refused(&source[..part]);
        assert_eq!(found, Some(JobErrorCode::InputCorrupt), "{part}");
    }
    assert_eq!(
        refused(b"\x89PNG\r\n\x1a\n"),
        Some(JobErrorCode::ContentMismatch)
    );
}
