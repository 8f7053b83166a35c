//! Images become PDF.

use domain::format::Format;

use crate::{corpus, likeness, poppler, rig};

const KINDS: &[&str] = &["jpeg", "png", "webp", "gif", "tiff", "bmp"];

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
        let expected = upright(&entry.path());
        let difference = likeness::difference(&page, &expected, 8);
        assert!(
            difference < 8.0,
            "{}: differs by {difference:.1}",
            entry.file
        );
    });
}

fn upright(path: &std::path::Path) -> image::RgbImage {
    use image::ImageDecoder as _;
    let reader = image::ImageReader::open(path)
        .unwrap()
        .with_guessed_format()
        .unwrap();
    let mut decoder = reader.into_decoder().unwrap();
    let orientation = decoder.orientation().unwrap();
    let mut image = image::DynamicImage::from_decoder(decoder).unwrap();
    image.apply_orientation(orientation);
    // Over white, as a page shows it.
    let mut upright = image.to_rgba8();
    for pixel in upright.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0.map(u32::from);
        let over_white = |channel: u32| ((channel * alpha + 255 * (255 - alpha)) / 255) as u8;
        pixel.0 = [over_white(red), over_white(green), over_white(blue), 255];
    }
    image::DynamicImage::from(upright).into_rgb8()
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
