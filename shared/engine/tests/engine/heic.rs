//! HEIC is read by libheif's program and becomes whatever images become.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::{corpus, libheif, likeness, poppler, rig};

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
fn every_file_becomes_every_kind_of_image_and_shows_the_same() {
    let cases = corpus::entries(&["heic"], &["ok"]).into_iter();
    let cases = cases.flat_map(|(entry, from)| FORMATS.map(|to| (entry.clone(), from, to)));
    rig::each(cases.collect(), |(entry, from, to)| {
        let made = rig::run(&entry.path(), from, &[rig::convert(to)]);
        let made = made.unwrap_or_else(|error| panic!("{} to {to}: {error:?}", entry.file));
        assert_eq!(made.artifact.content_type, to.mime_type());
        assert!(made.artifact.engine.starts_with("libheif "));
        let expected = libheif::seen(&std::fs::read(entry.path()).unwrap()).to_rgb8();
        let found = likeness::upright(&made.bytes());
        assert_eq!(found.dimensions(), expected.dimensions(), "{}", entry.file);
        let difference = likeness::difference(&found, &expected, 16);
        assert!(difference < 6.0, "{} to {to}: {difference}", entry.file);
    });
}

#[test]
fn a_file_becomes_a_page_of_its_sides() {
    let source = corpus::file("images/heic/testHEIF.heic");
    let made = rig::run(&source, Format::Heic, &[rig::convert(Format::Pdf)]).unwrap();
    assert_eq!(poppler::field(made.path(), "Page size"), "600 x 408 pts");
}

#[test]
fn what_is_damaged_too_large_or_something_else_is_refused() {
    let source = std::fs::read(corpus::file("images/heic/testHEIF.heic")).unwrap();
    let refused = |bytes: &[u8]| rig::refused(bytes, Format::Heic);
    let corrupt = Some(JobErrorCode::InputCorrupt);
    for part in [source.len() / 2, source.len() / 4, 40] {
        assert_eq!(refused(&source[..part]), corrupt, "{part}");
    }
    let mut large = source.clone();
    let mut at = 0;
    while let Some(next) = large[at..].windows(4).position(|part| part == b"ispe") {
        at += next + 8;
        large[at..at + 8].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    }
    assert_eq!(refused(&large), Some(JobErrorCode::InputTooLarge));
    let avif = std::fs::read(corpus::file("images/avif/kodim03_yuv420_8bpc.avif")).unwrap();
    assert_eq!(refused(&avif), Some(JobErrorCode::ContentMismatch));
    assert_eq!(
        rig::refused(&source, Format::Avif),
        Some(JobErrorCode::ContentMismatch)
    );
}
