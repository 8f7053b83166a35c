//! Operation `compress`.

use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::{CompressOptions, Operation, Pixels, Quality};

use crate::{corpus, harness, pillow};

const KINDS: &[&str] = &["jpeg", "png", "webp"];

#[test]
fn every_format_is_compressed_to_every_format_at_the_same_size() {
    let cases: Vec<_> = corpus::good(KINDS, usize::MAX)
        .into_iter()
        .flat_map(|(entry, from)| {
            [Format::Jpeg, Format::Png, Format::Webp].map(|to| (entry.clone(), from, to))
        })
        .collect();
    harness::each(cases, |(entry, from, to)| {
        let result = harness::run(&entry.path(), from, &[harness::compress(Some(to))]);
        let result = result.unwrap_or_else(|error| panic!("{} as {to}: {error:?}", entry.file));
        let source = std::fs::read(entry.path()).unwrap();
        if from == to {
            assert!(result.bytes().len() <= source.len(), "{}", entry.file);
            let same = result.bytes() == source;
            assert_eq!(
                same,
                result.warnings() == ["already_optimal"],
                "{}",
                entry.file
            );
        }
        assert_eq!(result.artifact.content_type, to.mime_type());
        let expected = image::load_from_memory(&source).unwrap();
        let found = image::load_from_memory(&result.bytes()).unwrap();
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
fn images_are_scaled_to_the_requested_size_within_the_plan_limit() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let options = CompressOptions {
        max_width: Some(Pixels::try_from(900).unwrap()),
        ..CompressOptions::default()
    };
    let result = harness::run(&source, Format::Jpeg, &steps(options.clone())).unwrap();
    let found = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (900, 600));
    assert_eq!(result.warnings(), Vec::<&str>::new());
    let limits = JobLimits {
        image_side: 300,
        ..harness::GENEROUS
    };
    let result = harness::run_within(&source, Format::Jpeg, &steps(options), limits).unwrap();
    let found = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (300, 200));
    assert_eq!(result.warnings(), ["limited_by_plan"]);
}

/// Random noise.
fn noise(side: u32) -> image::RgbImage {
    let mut state = 1_u32;
    image::RgbImage::from_fn(side, side, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, _, red, green] = state.to_le_bytes();
        image::Rgb([red, green, red ^ green])
    })
}

fn scaled(source: &[u8], format: Format, side: i64) -> harness::Converted {
    let options = CompressOptions {
        max_width: Some(Pixels::try_from(side).unwrap()),
        ..CompressOptions::default()
    };
    harness::run_bytes(source, format, &steps(options)).unwrap()
}

#[test]
fn quality_is_reduced_if_the_scaled_image_is_larger_than_its_source() {
    let mut source = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut source, 15);
    noise(300).write_with_encoder(encoder).unwrap();
    let result = scaled(&source, Format::Jpeg, 290);
    assert!(result.bytes().len() <= source.len());
    assert_eq!(result.warnings(), ["quality_lowered"]);
    let found = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (290, 290));
    // At a third of the size, full quality fits.
    assert_eq!(
        scaled(&source, Format::Jpeg, 100).warnings(),
        Vec::<&str>::new()
    );
}

/// Black and white noise as a PNG with one bit per pixel.
fn black_and_white(side: u32) -> Vec<u8> {
    let mut pixels = image::DynamicImage::from(noise(side)).into_luma8();
    for pixel in pixels.pixels_mut() {
        pixel.0 = [if pixel.0[0] < 128 { 0 } else { 255 }];
    }
    let mut png = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let smallest = harness::run_bytes(&png.into_inner(), Format::Png, &[harness::compress(None)]);
    smallest.unwrap().bytes()
}

#[test]
fn shades_are_reduced_if_the_scaled_png_is_larger_than_its_source() {
    // Scaling turns black and white into shades of gray, with one byte per pixel.
    let source = black_and_white(400);
    let result = scaled(&source, Format::Png, 380);
    assert!(result.bytes().len() <= source.len());
    assert_eq!(result.warnings(), ["colors_reduced"]);
    let message = &result.artifact.warnings[0].message;
    assert!(message.contains(" 2 shades"), "{message}");
    let found = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (380, 380));
    let result = scaled(&source, Format::Png, 100);
    assert_eq!(result.warnings(), Vec::<&str>::new());
}

#[test]
fn unavoidably_larger_results_get_a_warning() {
    // A checkerboard compresses well until scaling breaks its pattern.
    let board = image::GrayImage::from_fn(64, 64, |x, y| {
        image::Luma([if (x + y) % 2 == 0 { 0 } else { 255 }])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    board.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let board = harness::run_bytes(&png.into_inner(), Format::Png, &[harness::compress(None)]);
    let board = board.unwrap().bytes();
    let result = scaled(&board, Format::Png, 61);
    assert!(result.bytes().len() > board.len());
    assert_eq!(result.warnings(), ["larger_than_source"]);
    let found = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!((found.width(), found.height()), (61, 61));
    let source = black_and_white(400);
    let result = harness::run_bytes(
        &source,
        Format::Png,
        &[harness::compress(Some(Format::Jpeg))],
    )
    .unwrap();
    assert!(result.bytes().len() > source.len());
    assert_eq!(result.warnings(), ["larger_than_source"]);
}

#[test]
fn damaged_ancillary_chunks_are_ignored() {
    const AFTER_HEADER: usize = 33;
    let mut png = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbImage::new(64, 64);
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let mut png = png.into_inner();
    // A text chunk with a wrong checksum.
    let text = *b"\0\0\0\x03tEXta\0b\0\0\0\0";
    png.splice(AFTER_HEADER..AFTER_HEADER, text);
    let result = harness::run_bytes(&png, Format::Png, &[harness::compress(None)]).unwrap();
    assert!(result.bytes().len() < png.len());
    let found = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!(found.to_rgb8(), pixels);
}

#[test]
fn removed_transparency_gets_a_warning() {
    let has_warning = |opacity: u8| {
        let pixels = image::RgbaImage::from_pixel(64, 64, image::Rgba([200, 30, 30, opacity]));
        let mut png = std::io::Cursor::new(Vec::new());
        pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let step = harness::compress(Some(Format::Jpeg));
        let result = harness::run_bytes(&png.into_inner(), Format::Png, &[step]).unwrap();
        let warnings = result.warnings();
        warnings.contains(&"transparency_removed")
    };
    assert!(has_warning(0) && has_warning(128) && !has_warning(255));
}

#[test]
fn lower_quality_yields_smaller_files() {
    let source = corpus::file("images/jpeg/flower.jpg");
    let size = |quality: i64| {
        let options = CompressOptions {
            quality: Some(Quality::try_from(quality).unwrap()),
            ..CompressOptions::default()
        };
        harness::run(&source, Format::Jpeg, &steps(options))
            .unwrap()
            .artifact
            .size_bytes
    };
    let (low, high) = (size(20), size(70));
    assert!(low < high, "{low} and {high}");
}

#[test]
fn steps_run_in_order() {
    let source = corpus::file("images/jpeg/flower.jpg");
    let chain = [
        harness::compress(Some(Format::Webp)),
        harness::convert(Format::Pdf),
    ];
    let result = harness::run(&source, Format::Jpeg, &chain).unwrap();
    assert_eq!(result.artifact.content_type, "application/pdf");
    let engines = "libwebp-sys 0.9.6, lopdf 0.47.0";
    assert!(result.artifact.engine.starts_with(engines));
    assert!(result.progress.is_sorted(), "{:?}", result.progress);
    assert_eq!(crate::poppler::pages(result.path()), 1);
}

#[test]
fn output_is_deterministic() {
    for (file, from) in [
        ("images/png/basn6a16.png", Format::Png),
        ("images/jpeg/cat.jpg", Format::Jpeg),
        ("images/webp/simple-rgb.webp", Format::Webp),
    ] {
        for to in [Format::Jpeg, Format::Png, Format::Webp] {
            let make =
                || harness::run(&corpus::file(file), from, &[harness::compress(Some(to))]).unwrap();
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
    let result = harness::run(&source, Format::Webp, &half).unwrap();
    let found = pillow::read(result.path());
    assert_eq!((found.frames, found.sides), (before.frames, (50, 50)));
    assert_eq!(result.warnings(), Vec::<&str>::new());
    let still = harness::run(
        &source,
        Format::Webp,
        &[harness::compress(Some(Format::Jpeg))],
    )
    .unwrap();
    assert_eq!(
        still.warnings(),
        ["transparency_removed", "animation_dropped"]
    );
}
