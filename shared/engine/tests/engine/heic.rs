//! HEIC, decoded by libheif's program, converts to all formats that images convert to.

use domain::format::Format;
use domain::job::JobErrorCode;

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
