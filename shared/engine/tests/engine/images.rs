//! Images become PDF.

use domain::format::Format;

use crate::{corpus, likeness, poppler, rig};

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
    let pdf = made.bytes();
    let jpeg = std::fs::read(&source).unwrap();
    let embedded = pdf.windows(jpeg.len()).any(|window| window == jpeg);
    assert!(embedded, "the file itself is in the PDF");
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
