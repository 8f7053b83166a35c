//! Images become PDF.

use domain::format::Format;
use domain::id::SourceKey;
use domain::operation::{MergeOptions, Operation};
use domain::timestamp::Timestamp;

use crate::{corpus, likeness, pillow, poppler, rig};

const KINDS: &[&str] = &["jpeg", "png", "webp", "avif", "gif", "tiff", "bmp"];

#[test]
fn every_kind_becomes_pages_that_look_like_it() {
    rig::each(corpus::good(KINDS, 4), |(entry, format)| {
        let made = rig::run(&entry.path(), format, &[rig::convert(Format::Pdf)]);
        let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let pages = poppler::pages(made.path());
        assert_eq!(made.artifact.pages, pages);
        assert_eq!(pages, entry.pages.unwrap_or(1), "{}", entry.file);
        // Without its transparency and colour profile, a grid of averages says enough.
        let page = poppler::picture(made.path(), 1, 96);
        let expected = likeness::upright(&std::fs::read(entry.path()).unwrap());
        let difference = likeness::difference(&page, &expected, 8);
        assert!(
            difference < 8.0,
            "{}: differs by {difference:.1}",
            entry.file
        );
    });
}

#[test]
fn a_page_is_as_large_as_the_image_says_and_stands_upright() {
    // 1,200 by 1,800 pixels as stored, at 72 pixels an inch, to be turned by a quarter.
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let made = rig::run(&source, Format::Jpeg, &[rig::convert(Format::Pdf)]).unwrap();
    assert_eq!(poppler::field(made.path(), "Page size"), "1800 x 1200 pts");
    let found = poppler::jpeg(made.path());
    assert_eq!(scans(&found), scans(&std::fs::read(&source).unwrap()));
}

/// What is coded: all from the first table on.
pub(crate) fn scans(jpeg: &[u8]) -> &[u8] {
    let begin = jpeg.windows(2).rposition(|marker| marker == [0xFF, 0xDB]);
    let begin = begin.unwrap();
    let end = jpeg.windows(2).rposition(|marker| marker == [0xFF, 0xD9]);
    &jpeg[begin..end.unwrap()]
}

#[test]
fn a_page_does_not_say_where_its_photograph_was_taken() {
    let photograph = pillow::photograph(Format::Jpeg);
    let file = tempfile::Builder::new().suffix(".jpg").tempfile().unwrap();
    std::fs::write(file.path(), &photograph).unwrap();
    let merge = Operation::Merge(MergeOptions {
        source_keys: vec![SourceKey::mint(Timestamp(1), 1)],
    });
    let (jpeg, pdf) = (Format::Jpeg, Format::Pdf);
    let alone = rig::run(file.path(), jpeg, &[rig::convert(pdf)]).unwrap();
    let first = (file.path(), jpeg);
    let merged = rig::run_beside(first, &[first], merge, rig::GENEROUS).unwrap();
    for made in [alone, merged] {
        let found = poppler::jpeg(made.path());
        let embedded = made.bytes().windows(found.len()).any(|part| part == found);
        assert!(embedded, "pdfimages gives what is there");
        std::fs::write(file.path(), &found).unwrap();
        let read = pillow::read(file.path());
        assert_eq!((read.sides, read.orientation), ((240, 160), None));
        assert!(
            read.maker.is_none() && !read.place && !read.source && !read.preview,
            "{read:?}"
        );
        assert_eq!(scans(&found), scans(&photograph));
        // The page turns it.
        let (width, height) = poppler::page_sizes(made.path())[0];
        assert!(width < height, "{width} {height}");
        std::fs::write(file.path(), &photograph).unwrap();
    }
}

#[test]
fn the_same_image_becomes_the_same_bytes() {
    for (file, format) in [
        ("images/png/basn6a16.png", Format::Png),
        ("images/jpeg/cat.jpg", Format::Jpeg),
    ] {
        let make = || rig::run(&corpus::file(file), format, &[rig::convert(Format::Pdf)]).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{file}");
    }
}
