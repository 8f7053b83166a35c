//! HEIC, decoded by libheif's program, converts to all formats that images convert to.

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{Rgb, RgbImage, Rgba, RgbaImage};

use crate::{corpus, harness, libheif, poppler, similarity};

const FORMATS: [Format; 7] = [
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

#[test]
fn every_file_converts_to_every_image_format_with_the_same_content() {
    let cases = corpus::entries(&["heic"], &["ok"]).into_iter();
    let cases = cases.flat_map(|(entry, from)| FORMATS.map(|to| (entry.clone(), from, to)));
    harness::each(cases.collect(), |(entry, from, to)| {
        let result = harness::run(&entry.path(), from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{} to {to}: {error:?}", entry.file));
        assert_eq!(result.artifact.content_type, to.mime_type());
        assert!(result.artifact.engine.starts_with("libheif "));
        let expected = libheif::decoded(&std::fs::read(entry.path()).unwrap()).to_rgb8();
        let found = similarity::upright(&result.bytes());
        assert_eq!(found.dimensions(), expected.dimensions(), "{}", entry.file);
        let difference = similarity::difference(&found, &expected, 16);
        assert!(difference < 6.0, "{} to {to}: {difference}", entry.file);
    });
}

#[test]
fn odd_dimensions_keep_every_pixel() {
    let picture = |width: u32, height: u32| {
        RgbaImage::from_fn(width, height, |x, y| {
            Rgba([x as u8, y as u8, 90, if x < width / 2 { 255 } else { 120 }])
        })
    };
    for (width, height) in [(1, 1), (3, 2), (63, 65), (201, 151)] {
        let source = libheif::encoded(&[picture(width, height).into()]);
        let steps = [harness::convert(Format::Png)];
        let result = harness::run_bytes(&source, Format::Heic, &steps).unwrap();
        let found = image::load_from_memory(&result.bytes()).unwrap();
        assert_eq!((found.width(), found.height()), (width, height));
        let expected = libheif::decoded(&source);
        assert_eq!(found.to_rgba8(), expected.to_rgba8(), "{width} × {height}");
    }
}

#[test]
fn the_primary_image_is_used_of_images_of_one_size() {
    let plain = |color| RgbImage::from_pixel(40, 30, Rgb(color)).into();
    let (red, blue) = (plain([255, 0, 0]), plain([0, 0, 255]));
    let source = libheif::encoded(&[red, blue]);
    let primary = source.windows(4).position(|part| part == b"pitm").unwrap() + 9;
    let steps = [harness::convert(Format::Png)];
    let found = (1..=8).filter_map(|item| {
        let mut source = source.clone();
        source[primary] = item;
        let result = harness::run_bytes(&source, Format::Heic, &steps).ok()?;
        let image = image::load_from_memory(&result.bytes())
            .unwrap()
            .into_rgb8();
        let [red, _, blue] = image.get_pixel(20, 15).0;
        Some((red > 200, blue > 200))
    });
    assert_eq!(found.collect::<Vec<_>>(), [(true, false), (false, true)]);
}

#[test]
fn pdf_pages_have_the_size_of_the_image() {
    let source = corpus::file("images/heic/testHEIF.heic");
    let result = harness::run(&source, Format::Heic, &[harness::convert(Format::Pdf)]).unwrap();
    assert_eq!(poppler::field(result.path(), "Page size"), "600 x 408 pts");
}

#[test]
fn damaged_oversized_and_mislabeled_files_are_rejected() {
    let source = std::fs::read(corpus::file("images/heic/testHEIF.heic")).unwrap();
    let rejected = |bytes: &[u8]| harness::rejection_code(bytes, Format::Heic);
    let corrupt = Some(JobErrorCode::InputCorrupt);
    for part in [source.len() / 2, source.len() / 4, 40] {
        assert_eq!(rejected(&source[..part]), corrupt, "{part}");
    }
    let mut large = source.clone();
    let mut at = 0;
    while let Some(next) = large[at..].windows(4).position(|part| part == b"ispe") {
        at += next + 8;
        large[at..at + 8].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    }
    assert_eq!(rejected(&large), Some(JobErrorCode::InputTooLarge));
    let avif = std::fs::read(corpus::file("images/avif/kodim03_yuv420_8bpc.avif")).unwrap();
    assert_eq!(rejected(&avif), Some(JobErrorCode::ContentMismatch));
    assert_eq!(
        harness::rejection_code(&source, Format::Avif),
        Some(JobErrorCode::ContentMismatch)
    );
}
