//! Conversions of images to PDF.

use domain::format::Format;
use domain::id::SourceKey;
use domain::operation::{MergeOptions, Operation};
use domain::timestamp::Timestamp;

use crate::{corpus, harness, pillow, poppler, similarity};

const KINDS: &[&str] = &["jpeg", "png", "webp", "avif", "gif", "tiff", "bmp"];

#[test]
fn every_format_becomes_pages_with_the_same_content() {
    harness::each(corpus::good(KINDS, 4), |(entry, format)| {
        let result = harness::run(&entry.path(), format, &[harness::convert(Format::Pdf)]);
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let pages = poppler::pages(result.path());
        assert_eq!(result.artifact.pages, pages);
        assert_eq!(pages, entry.pages.unwrap_or(1), "{}", entry.file);
        // Ignores transparency and color profile; comparing a grid of averages is sufficient.
        let page = poppler::picture(result.path(), 1, 96);
        let expected = similarity::upright(&std::fs::read(entry.path()).unwrap());
        let difference = similarity::difference(&page, &expected, 8);
        assert!(
            difference < 8.0,
            "{}: differs by {difference:.1}",
            entry.file
        );
    });
}

#[test]
fn page_size_follows_resolution_and_orientation() {
    // Stored as 1,200 × 1,800 pixels at 72 dpi, with an orientation of a quarter turn.
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let result = harness::run(&source, Format::Jpeg, &[harness::convert(Format::Pdf)]).unwrap();
    assert_eq!(
        poppler::field(result.path(), "Page size"),
        "1800 x 1200 pts"
    );
    let found = poppler::jpeg(result.path());
    assert_eq!(scans(&found), scans(&std::fs::read(&source).unwrap()));
}

/// The coded data: everything from the first quantization table on.
pub(crate) fn scans(jpeg: &[u8]) -> &[u8] {
    let begin = jpeg.windows(2).rposition(|marker| marker == [0xFF, 0xDB]);
    let begin = begin.unwrap();
    let end = jpeg.windows(2).rposition(|marker| marker == [0xFF, 0xD9]);
    &jpeg[begin..end.unwrap()]
}

#[test]
fn location_metadata_is_removed() {
    let photograph = pillow::photograph(Format::Jpeg);
    let file = tempfile::Builder::new().suffix(".jpg").tempfile().unwrap();
    std::fs::write(file.path(), &photograph).unwrap();
    let merge = Operation::Merge(MergeOptions {
        source_keys: vec![SourceKey::mint(Timestamp(1), 1)],
    });
    let (jpeg, pdf) = (Format::Jpeg, Format::Pdf);
    let alone = harness::run(file.path(), jpeg, &[harness::convert(pdf)]).unwrap();
    let first = (file.path(), jpeg);
    let merged = harness::run_with_attachments(first, &[first], merge, harness::GENEROUS).unwrap();
    for result in [alone, merged] {
        let found = poppler::jpeg(result.path());
        let embedded = result
            .bytes()
            .windows(found.len())
            .any(|part| part == found);
        assert!(embedded, "pdfimages gives what is there");
        std::fs::write(file.path(), &found).unwrap();
        let read = pillow::read(file.path());
        assert_eq!((read.sides, read.orientation), ((240, 160), None));
        assert!(
            read.maker.is_none() && !read.place && !read.source && !read.preview,
            "{read:?}"
        );
        assert_eq!(scans(&found), scans(&photograph));
        // The page applies the rotation.
        let (width, height) = poppler::page_sizes(result.path())[0];
        assert!(width < height, "{width} {height}");
        std::fs::write(file.path(), &photograph).unwrap();
    }
}

#[test]
fn output_is_deterministic() {
    for (file, format) in [
        ("images/png/basn6a16.png", Format::Png),
        ("images/jpeg/cat.jpg", Format::Jpeg),
    ] {
        let make = || {
            harness::run(
                &corpus::file(file),
                format,
                &[harness::convert(Format::Pdf)],
            )
            .unwrap()
        };
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{file}");
    }
}
