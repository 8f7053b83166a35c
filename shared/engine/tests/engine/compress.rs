//! Images become smaller.

use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::{CompressOptions, Operation, Pixels, Quality};

use crate::{corpus, pillow, rig};

const KINDS: &[&str] = &["jpeg", "png", "webp"];

#[test]
fn every_kind_becomes_every_kind_with_its_sides_kept() {
    let cases: Vec<_> = corpus::good(KINDS, usize::MAX)
        .into_iter()
        .flat_map(|(entry, from)| {
            [Format::Jpeg, Format::Png, Format::Webp].map(|to| (entry.clone(), from, to))
        })
        .collect();
    rig::each(cases, |(entry, from, to)| {
        let made = rig::run(&entry.path(), from, &[rig::compress(Some(to))]);
        let made = made.unwrap_or_else(|error| panic!("{} as {to}: {error:?}", entry.file));
        let source = std::fs::read(entry.path()).unwrap();
        if from == to {
            assert!(made.bytes().len() <= source.len(), "{}", entry.file);
            let same = made.bytes() == source;
            assert_eq!(
                same,
                made.warnings() == ["already_optimal"],
                "{}",
                entry.file
            );
        }
        assert_eq!(made.artifact.content_type, to.mime_type());
        let expected = image::load_from_memory(&source).unwrap();
        let found = image::load_from_memory(&made.bytes()).unwrap();
        let (wide, high) = match entry.file.as_str() {
            "images/jpeg/Landscape_6.jpg" => (expected.height(), expected.width()),
            _ => (expected.width(), expected.height()),
        };
        assert_eq!(
            (found.width(), found.height()),
            (wide, high),
            "{} as {to}",
            entry.file
        );
        if from == Format::Png && to == Format::Png {
            assert_eq!(found.to_rgba16(), expected.to_rgba16(), "{}", entry.file);
        }
    });
}

fn steps(options: CompressOptions) -> [Operation; 1] {
    [Operation::Compress(options)]
}

#[test]
fn an_image_is_scaled_to_what_was_asked_and_what_the_plan_allows() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let options = CompressOptions {
        max_width: Some(Pixels::try_from(900).unwrap()),
        ..CompressOptions::default()
    };
    let made = rig::run(&source, Format::Jpeg, &steps(options.clone())).unwrap();
    let found = image::load_from_memory(&made.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (900, 600));
    assert_eq!(made.warnings(), Vec::<&str>::new());
    let limits = JobLimits {
        image_side: 300,
        ..rig::GENEROUS
    };
    let made = rig::run_within(&source, Format::Jpeg, &steps(options), limits).unwrap();
    let found = image::load_from_memory(&made.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (300, 200));
    assert_eq!(made.warnings(), ["limited_by_plan"]);
}

/// Pixels without any pattern.
fn noise(side: u32) -> image::RgbImage {
    let mut state = 1_u32;
    image::RgbImage::from_fn(side, side, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, _, red, green] = state.to_le_bytes();
        image::Rgb([red, green, red ^ green])
    })
}

fn scaled(source: &[u8], format: Format, side: i64) -> rig::Made {
    let options = CompressOptions {
        max_width: Some(Pixels::try_from(side).unwrap()),
        ..CompressOptions::default()
    };
    rig::run_bytes(source, format, &steps(options)).unwrap()
}

#[test]
fn a_scaled_image_loses_quality_before_it_outgrows_its_source() {
    let mut source = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut source, 15);
    noise(300).write_with_encoder(encoder).unwrap();
    let made = scaled(&source, Format::Jpeg, 290);
    assert!(made.bytes().len() <= source.len());
    assert_eq!(made.warnings(), ["quality_lowered"]);
    let found = image::load_from_memory(&made.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (290, 290));
    // There is room at a third of the size.
    assert_eq!(
        scaled(&source, Format::Jpeg, 100).warnings(),
        Vec::<&str>::new()
    );
}

/// Black and white pixels without any pattern, as a PNG that takes a bit a pixel.
fn black_and_white(side: u32) -> Vec<u8> {
    let mut pixels = image::DynamicImage::from(noise(side)).into_luma8();
    for pixel in pixels.pixels_mut() {
        pixel.0 = [if pixel.0[0] < 128 { 0 } else { 255 }];
    }
    let mut png = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let smallest = rig::run_bytes(&png.into_inner(), Format::Png, &[rig::compress(None)]);
    smallest.unwrap().bytes()
}

#[test]
fn a_scaled_png_loses_shades_before_it_outgrows_its_source() {
    // Scaled, black and white are shades of grey, which take a byte.
    let source = black_and_white(400);
    let made = scaled(&source, Format::Png, 380);
    assert!(made.bytes().len() <= source.len());
    assert_eq!(made.warnings(), ["colours_reduced"]);
    let message = &made.artifact.warnings[0].message;
    assert!(message.starts_with("Only 2 shades"), "{message}");
    let found = image::load_from_memory(&made.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (380, 380));
    let made = scaled(&source, Format::Png, 100);
    assert_eq!(made.warnings(), Vec::<&str>::new());
}

#[test]
fn a_result_that_cannot_but_be_larger_has_what_was_asked_for_and_says_so() {
    // A chequered board has a pattern, which scaling breaks.
    let board = image::GrayImage::from_fn(64, 64, |x, y| {
        image::Luma([if (x + y) % 2 == 0 { 0 } else { 255 }])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    board.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let board = rig::run_bytes(&png.into_inner(), Format::Png, &[rig::compress(None)]);
    let board = board.unwrap().bytes();
    let made = scaled(&board, Format::Png, 61);
    assert!(made.bytes().len() > board.len());
    assert_eq!(made.warnings(), ["larger_than_source"]);
    let found = image::load_from_memory(&made.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (61, 61));
    let source = black_and_white(400);
    let made = rig::run_bytes(&source, Format::Png, &[rig::compress(Some(Format::Jpeg))]).unwrap();
    assert!(made.bytes().len() > source.len());
    assert_eq!(made.warnings(), ["larger_than_source"]);
}

#[test]
fn a_fault_beside_the_pixels_does_not_matter() {
    const AFTER_HEADER: usize = 33;
    let mut png = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbImage::new(64, 64);
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let mut png = png.into_inner();
    // A chunk of text whose checksum is wrong.
    let text = *b"\0\0\0\x03tEXta\0b\0\0\0\0";
    png.splice(AFTER_HEADER..AFTER_HEADER, text);
    let made = rig::run_bytes(&png, Format::Png, &[rig::compress(None)]).unwrap();
    assert!(made.bytes().len() < png.len());
    let found = image::load_from_memory(&made.bytes()).unwrap();
    assert_eq!(found.to_rgb8(), pixels);
}

#[test]
fn transparency_that_goes_is_told() {
    let told = |opacity: u8| {
        let pixels = image::RgbaImage::from_pixel(64, 64, image::Rgba([200, 30, 30, opacity]));
        let mut png = std::io::Cursor::new(Vec::new());
        pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let step = rig::compress(Some(Format::Jpeg));
        let made = rig::run_bytes(&png.into_inner(), Format::Png, &[step]).unwrap();
        let warnings = made.warnings();
        warnings.contains(&"transparency_removed")
    };
    assert!(told(0) && told(128) && !told(255));
}

#[test]
fn quality_decides_the_size() {
    let source = corpus::file("images/jpeg/flower.jpg");
    let size = |quality: i64| {
        let options = CompressOptions {
            quality: Some(Quality::try_from(quality).unwrap()),
            ..CompressOptions::default()
        };
        rig::run(&source, Format::Jpeg, &steps(options))
            .unwrap()
            .artifact
            .size_bytes
    };
    let (low, high) = (size(20), size(70));
    assert!(low < high, "{low} and {high}");
}

#[test]
fn steps_follow_one_another() {
    let source = corpus::file("images/jpeg/flower.jpg");
    let chain = [rig::compress(Some(Format::Webp)), rig::convert(Format::Pdf)];
    let made = rig::run(&source, Format::Jpeg, &chain).unwrap();
    assert_eq!(made.artifact.content_type, "application/pdf");
    assert_eq!(made.artifact.engine, "libwebp-sys 0.9.6, lopdf 0.47.0");
    assert!(made.progress.is_sorted(), "{:?}", made.progress);
    assert_eq!(crate::poppler::pages(made.path()), 1);
}

#[test]
fn the_same_image_becomes_the_same_bytes() {
    for (file, from) in [
        ("images/png/basn6a16.png", Format::Png),
        ("images/jpeg/cat.jpg", Format::Jpeg),
        ("images/webp/simple-rgb.webp", Format::Webp),
    ] {
        for to in [Format::Jpeg, Format::Png, Format::Webp] {
            let make = || rig::run(&corpus::file(file), from, &[rig::compress(Some(to))]).unwrap();
            assert_eq!(
                make().artifact.sha256,
                make().artifact.sha256,
                "{file} to {to}"
            );
        }
    }
}

#[test]
fn a_scaled_animation_keeps_its_frames() {
    let source = corpus::file("images/webp/anim.webp");
    let before = pillow::read(&source);
    let half = steps(CompressOptions {
        max_width: Some(Pixels::try_from(50).unwrap()),
        ..CompressOptions::default()
    });
    let made = rig::run(&source, Format::Webp, &half).unwrap();
    let found = pillow::read(made.path());
    assert_eq!((found.frames, found.sides), (before.frames, (50, 50)));
    assert_eq!(made.warnings(), Vec::<&str>::new());
    let still = rig::run(&source, Format::Webp, &[rig::compress(Some(Format::Jpeg))]).unwrap();
    assert_eq!(
        still.warnings(),
        ["transparency_removed", "animation_dropped"]
    );
}
