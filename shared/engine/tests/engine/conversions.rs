//! Conversions between image formats.

use std::io::Cursor;

use domain::format::Format;
use domain::operation::Operation;
use image::codecs::gif::GifDecoder;
use image::codecs::webp::WebPDecoder;
use image::{
    AnimationDecoder as _, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Rgba,
    RgbaImage,
};

use crate::{corpus, harness, libheif, similarity};

const KINDS: &[&str] = &["jpeg", "png", "webp", "avif", "gif", "tiff", "bmp"];
const FORMATS: [Format; 7] = [
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

/// Decodes a file with an independent reader, upright.
fn decoded(bytes: &[u8]) -> DynamicImage {
    if libheif::reads(bytes) {
        return libheif::decoded(bytes);
    }
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .unwrap();
    let mut decoder = reader.into_decoder().unwrap();
    let orientation = decoder.orientation().unwrap();
    let mut image = DynamicImage::from_decoder(decoder).unwrap();
    image.apply_orientation(orientation);
    image
}

fn profile(bytes: &[u8]) -> Option<Vec<u8>> {
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .unwrap();
    reader.into_decoder().unwrap().icc_profile().unwrap()
}

fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn converted(source: &[u8], from: Format, to: Format) -> harness::Converted {
    let output = harness::run_bytes(source, from, &[harness::convert(to)]);
    output.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// Peak signal-to-noise ratio in decibels; above 48, errors are below half a step.
fn psnr(one: &DynamicImage, other: &DynamicImage) -> f64 {
    let (one, other) = (similarity::on_white(one), similarity::on_white(other));
    assert_eq!(one.dimensions(), other.dimensions());
    let squares = one
        .iter()
        .zip(other.iter())
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
    let mean = squares.sum::<f64>() / one.len() as f64;
    20.0 * (255.0 / mean.sqrt().max(1e-3)).log10()
}

#[test]
fn every_format_converts_to_every_other_with_the_same_content() {
    let cases: Vec<_> = corpus::good(KINDS, usize::MAX)
        .into_iter()
        .flat_map(|(entry, from)| FORMATS.map(|to| (entry.clone(), from, to)))
        .filter(|(_, from, to)| from != to)
        .collect();
    assert_eq!(cases.len(), 21 * 6);
    let kinds = |(entry, _, to): &(corpus::Entry, _, Format)| [entry.file.clone(), to.to_string()];
    harness::sample(cases, 0, kinds, |(entry, from, to)| {
        let source = std::fs::read(entry.path()).unwrap();
        let output = converted(&source, from, to);
        assert_eq!(output.artifact.content_type, to.mime_type());
        assert_eq!(output.artifact.pages, 1);
        let result = output.bytes();
        let guessed = image::guess_format(&result).unwrap();
        assert_eq!(guessed.to_mime_type(), to.mime_type());
        let text = |code| output.warnings().contains(&code);
        let least = match to {
            // Partial transparency becomes full transparency or none.
            Format::Gif if text("transparency_removed") => 12.0,
            // Smooth gradients lose precision in 256 colors, and chroma subsampling affects hard color edges.
            Format::Gif | Format::Jpeg | Format::Webp | Format::Avif => 22.0,
            // Readers differ in chroma upsampling.
            _ if from == Format::Avif => 36.0,
            _ => 48.0,
        };
        // CMYK is decoded by our own reader; this one supports only CMYK inverted by Adobe.
        let found = psnr(&decoded(&source), &decoded(&result));
        let name = &entry.file;
        assert!(found > least, "{name} to {to}: {found:.1} decibels");
        let frames = entry.facts.frames.unwrap_or(1);
        let keeps = matches!(to, Format::Gif | Format::Webp) && from != Format::Png;
        let moves = frames > 1 && from != Format::Tiff;
        assert_eq!(text("animation_dropped"), moves && !keeps, "{name} to {to}");
        let has_pages = frames > 1 && from == Format::Tiff;
        assert_eq!(text("pages_dropped"), has_pages, "{name} to {to}");
    });
}

fn shades() -> DynamicImage {
    RgbaImage::from_fn(64, 48, |x, y| {
        Rgba([x as u8 * 4, y as u8 * 5, 90, (x * 4).min(255) as u8])
    })
    .into()
}

#[test]
fn transparency_is_kept_or_flattened_onto_white() {
    let source = file(&shades(), ImageFormat::Png);
    for to in [Format::Webp, Format::Tiff] {
        let output = converted(&source, Format::Png, to);
        assert_eq!(output.warnings(), Vec::<&str>::new(), "{to}");
        let found = decoded(&output.bytes()).into_rgba8();
        let source = shades().into_rgba8();
        let alphas = found.pixels().zip(source.pixels());
        assert!(alphas.clone().all(|(a, b)| a.0[3] == b.0[3]), "{to}");
    }
    for to in [Format::Jpeg, Format::Bmp, Format::Gif] {
        let output = converted(&source, Format::Png, to);
        assert_eq!(output.warnings()[0], "transparency_removed", "{to}");
        let found = decoded(&output.bytes());
        assert_eq!(
            found.to_rgba8().get_pixel(0, 0).0[3] == 0,
            to == Format::Gif
        );
        let white = similarity::on_white(&found).get_pixel(0, 20).0;
        assert!(
            white.iter().all(|channel| *channel > 240),
            "{to}: {white:?}"
        );
    }
    let opaque = file(&shades().into_rgb8().into(), ImageFormat::Png);
    for to in [Format::Jpeg, Format::Bmp] {
        let output = converted(&opaque, Format::Png, to);
        assert_eq!(output.warnings(), Vec::<&str>::new(), "{to}");
    }
}

#[test]
fn sixteen_bit_depth_is_kept_where_supported() {
    let wide = image::ImageBuffer::from_fn(256, 4, |x, y| {
        image::Rgb([x as u16 * 256 + y as u16, 1000, 65_000])
    });
    let wide = DynamicImage::ImageRgb16(wide);
    let gray = image::ImageBuffer::from_fn(300, 5, |x, _| image::Luma([x as u16 * 211]));
    let gray = DynamicImage::ImageLuma16(gray);
    for image in [wide, gray] {
        let png = file(&image, ImageFormat::Png);
        let tiff = converted(&png, Format::Png, Format::Tiff).bytes();
        assert_eq!(decoded(&tiff), image);
        let again = converted(&tiff, Format::Tiff, Format::Png).bytes();
        assert_eq!(decoded(&again), image);
        for to in [Format::Jpeg, Format::Webp, Format::Bmp] {
            let found = decoded(&converted(&png, Format::Png, to).bytes());
            let kind = found.color();
            assert_eq!(kind.bytes_per_pixel(), kind.channel_count(), "{to}");
        }
    }
}

#[test]
fn sixteen_bit_and_gray_alpha_are_kept() {
    let wide = image::ImageBuffer::from_fn(33, 9, |x, y| {
        image::Rgba([x as u16 * 1900, y as u16 * 7000, 5, 500 + x as u16 * 1000])
    });
    let gray =
        image::ImageBuffer::from_fn(33, 9, |x, y| image::LumaA([x as u8 * 7, 3 + y as u8 * 20]));
    for image in [
        DynamicImage::ImageRgba16(wide),
        DynamicImage::ImageLumaA8(gray),
    ] {
        let png = file(&image, ImageFormat::Png);
        let tiff = converted(&png, Format::Png, Format::Tiff).bytes();
        assert_eq!(decoded(&tiff).into_rgba16(), image.to_rgba16());
        let again = converted(&tiff, Format::Tiff, Format::Png).bytes();
        assert_eq!(decoded(&again).into_rgba16(), image.to_rgba16());
    }
}

#[test]
fn black_and_white_uses_one_bit_per_pixel() {
    let page = image::GrayImage::from_fn(1001, 500, |x, y| {
        image::Luma([if (x * x + y * 7) % 97 < 40 { 0 } else { 255 }])
    });
    let png = file(&DynamicImage::from(page.clone()), ImageFormat::Png);
    let tiff = converted(&png, Format::Png, Format::Tiff).bytes();
    assert_eq!(decoded(&tiff).into_luma8(), page);
    assert!(tiff.len() < 1001 * 500 / 8 + 1000, "{}", tiff.len());
    let bmp = converted(&tiff, Format::Tiff, Format::Bmp).bytes();
    assert_eq!(decoded(&bmp).into_luma8(), page);
    let png = converted(&bmp, Format::Bmp, Format::Png).bytes();
    assert_eq!(png[24], 1, "bits a sample");
    assert_eq!(decoded(&png).into_luma8(), page);
}

/// A JPEG with an EXIF orientation.
fn oriented(image: &DynamicImage, orientation: u8) -> Vec<u8> {
    let jpeg = file(image, ImageFormat::Jpeg);
    let mut exif =
        b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    [&jpeg[..2], &exif, &jpeg[2..]].concat()
}

#[test]
fn every_exif_orientation_is_applied_and_removed() {
    let stored = DynamicImage::from(image::RgbImage::from_fn(64, 40, |x, y| {
        image::Rgb([
            x as u8 * 3,
            y as u8 * 6,
            if x < 20 && y < 10 { 250 } else { 0 },
        ])
    }));
    for orientation in 1..=8 {
        let source = oriented(&stored, orientation);
        let expected = decoded(&source);
        let sideways = orientation > 4;
        assert_eq!(expected.width(), if sideways { 40 } else { 64 });
        for to in FORMATS.into_iter().filter(|to| *to != Format::Jpeg) {
            let result = converted(&source, Format::Jpeg, to).bytes();
            if to != Format::Avif {
                let reader = ImageReader::new(Cursor::new(&result)).with_guessed_format();
                let mut decoder = reader.unwrap().into_decoder().unwrap();
                let turned = decoder.orientation().unwrap();
                assert_eq!(turned, image::metadata::Orientation::NoTransforms);
            }
            let found = psnr(&expected, &decoded(&result));
            assert!(found > 24.0, "{orientation} to {to}: {found:.1}");
        }
    }
}

/// A wide-gamut color profile.
fn wide_profile() -> Vec<u8> {
    moxcms::ColorProfile::new_bt2020().encode().unwrap()
}

fn profiled(image: &DynamicImage) -> Vec<u8> {
    use image::ImageEncoder as _;
    let mut png = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut png);
    encoder.set_icc_profile(wide_profile()).unwrap();
    image.write_with_encoder(encoder).unwrap();
    png
}

#[test]
fn color_profile_is_kept_or_converted_to_srgb() {
    // This TIFF reader ignores a profile that is larger than its image.
    let plain = image::RgbImage::from_pixel(256, 256, image::Rgb([180, 60, 60]));
    let source = profiled(&plain.into());
    for to in [Format::Jpeg, Format::Webp, Format::Tiff] {
        let result = converted(&source, Format::Png, to).bytes();
        assert_eq!(profile(&result), profile(&source), "{to}");
        let [red, green, _] = decoded(&result).to_rgb8().get_pixel(16, 16).0;
        assert!(red.abs_diff(180) < 4 && green.abs_diff(60) < 4, "{to}");
    }
    for to in [Format::Gif, Format::Bmp, Format::Avif] {
        let output = converted(&source, Format::Png, to);
        assert_eq!(output.warnings(), Vec::<&str>::new());
        let [red, green, _] = decoded(&output.bytes()).to_rgb8().get_pixel(16, 16).0;
        assert!(red > 205 && green < 45, "{to}: {red} {green}");
    }
}

#[test]
fn cmyk_becomes_rgb() {
    // Adobe's segment marks inverted inks; without it the same values mean the opposite.
    let source = std::fs::read(corpus::file("images/jpeg/pil_sample_cmyk.jpg")).unwrap();
    let result = decoded(&converted(&source, Format::Jpeg, Format::Png).bytes());
    assert!(psnr(&decoded(&source), &result) > 40.0);
    // Full cyan only, or everything but cyan.
    let mut encoder = mozjpeg::Compress::new(mozjpeg::ColorSpace::JCS_CMYK);
    encoder.set_size(16, 16);
    let mut started = encoder.start_compress(Vec::new()).unwrap();
    started
        .write_scanlines(&[255, 0, 0, 0].repeat(256))
        .unwrap();
    let inverted = started.finish().unwrap();
    let at = inverted.windows(5).position(|window| window == b"Adobe");
    let mut plain = inverted.clone();
    plain.drain(at.unwrap() - 4..at.unwrap() + 12);
    for (source, expected) in [(plain, [0, 255, 255]), (inverted, [0, 0, 0])] {
        let result = decoded(&converted(&source, Format::Jpeg, Format::Png).bytes());
        let found = result.to_rgb8().get_pixel(8, 8).0;
        let is_near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) < 6);
        assert!(is_near, "{found:?} and not {expected:?}");
    }
}

fn frames(bytes: &[u8]) -> Vec<(RgbaImage, u32)> {
    let frames = match bytes.starts_with(b"GIF") {
        true => GifDecoder::new(Cursor::new(bytes)).unwrap().into_frames(),
        false => WebPDecoder::new(Cursor::new(bytes)).unwrap().into_frames(),
    };
    let frames = frames.collect_frames().unwrap().into_iter();
    frames
        .map(|frame| {
            let (numerator, denominator) = frame.delay().numer_denom_ms();
            (frame.into_buffer(), numerator / denominator)
        })
        .collect()
}

#[test]
fn animations_stay_animated() {
    for (name, from, to) in [
        ("gif/dispose_none_load_end.gif", Format::Gif, Format::Webp),
        ("gif/mixed-disposal.gif", Format::Gif, Format::Webp),
        ("webp/anim.webp", Format::Webp, Format::Gif),
    ] {
        let source = std::fs::read(corpus::file(&format!("images/{name}"))).unwrap();
        let result = converted(&source, from, to).bytes();
        let (before, after) = (frames(&source), frames(&result));
        assert_eq!(before.len(), after.len(), "{name}");
        for ((one, before), (other, after)) in before.into_iter().zip(after) {
            assert!(before.abs_diff(after) <= 5, "{name}: {before} and {after}");
            let found = psnr(&one.into(), &other.into());
            let least = if to == Format::Webp { 48.0 } else { 24.0 };
            assert!(found > least, "{name}: {found:.1}");
        }
    }
}

#[test]
fn scaled_and_rotated_animations_stay_animated() {
    use domain::operation::{Pixels, ResizeOptions};
    let source = corpus::file("images/webp/anim.webp");
    let half = Operation::Resize(ResizeOptions {
        width: Some(Pixels::try_from(50).unwrap()),
        ..ResizeOptions::default()
    });
    let output = harness::run(&source, Format::Webp, &[half]).unwrap();
    let frames = frames(&output.bytes());
    assert_eq!(frames.len(), 6);
    assert!(
        frames
            .iter()
            .all(|(frame, _)| frame.dimensions() == (50, 50))
    );
    assert_eq!(output.warnings(), Vec::<&str>::new());
}

#[test]
fn results_above_the_plan_limit_are_scaled_down_with_a_warning() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let limits = domain::job::JobLimits {
        image_side: 300,
        ..harness::GENEROUS
    };
    for to in FORMATS.into_iter().filter(|to| *to != Format::Jpeg) {
        let output =
            harness::run_within(&source, Format::Jpeg, &[harness::convert(to)], limits).unwrap();
        assert_eq!(output.warnings()[0], "limited_by_plan", "{to}");
        let found = decoded(&output.bytes());
        assert_eq!((found.width(), found.height()), (300, 200), "{to}");
    }
}

#[test]
fn resolution_is_kept_where_supported() {
    // 300 dpi in pixels per meter.
    let image = image::RgbImage::from_fn(40, 20, |x, y| image::Rgb([x as u8, y as u8, 0]));
    let mut png = file(&image.into(), ImageFormat::Png);
    let chunk = [
        &b"\0\0\0\x09pHYs"[..],
        &11_811_u32.to_be_bytes(),
        &5_906_u32.to_be_bytes(),
        &[1],
    ]
    .concat();
    let sum = crate::malformed_images::crc32(&chunk[4..]).to_be_bytes();
    png.splice(33..33, [&chunk[..], &sum].concat());
    let bmp = converted(&png, Format::Png, Format::Bmp).bytes();
    assert_eq!(
        bmp[38..46],
        [11_811_u32, 5_906].map(u32::to_le_bytes).concat()
    );
    let jpeg = converted(&bmp, Format::Bmp, Format::Jpeg).bytes();
    let jfif = jpeg
        .windows(5)
        .position(|window| window == b"JFIF\0")
        .unwrap();
    assert_eq!(jpeg[jfif + 7..jfif + 12], [1, 1, 44, 0, 150]);
    let tiff = converted(&jpeg, Format::Jpeg, Format::Tiff).bytes();
    let again = converted(&tiff, Format::Tiff, Format::Png).bytes();
    assert!(again.windows(chunk.len()).any(|window| window == chunk));
}

#[test]
fn output_is_deterministic() {
    for (name, from) in [
        ("images/jpeg/flower.jpg", Format::Jpeg),
        ("images/webp/anim.webp", Format::Webp),
    ] {
        for to in FORMATS.into_iter().filter(|to| *to != from) {
            let make = || harness::run(&corpus::file(name), from, &[harness::convert(to)]).unwrap();
            assert_eq!(make().artifact.sha256, make().artifact.sha256, "{name}");
        }
    }
}

#[test]
fn hostile_and_damaged_images_fail_with_codes() {
    use domain::job::JobErrorCode::{InputCorrupt, InputTooLarge};
    let cases = [
        (
            "hostile/decompression_bomb.gif",
            Format::Gif,
            vec![InputTooLarge, InputCorrupt],
        ),
        ("hostile/rle_overflow.bmp", Format::Bmp, vec![InputCorrupt]),
    ];
    for (name, from, right) in cases {
        for to in FORMATS.into_iter().filter(|to| *to != from) {
            let output = harness::run(&corpus::file(name), from, &[harness::convert(to)]);
            let found = harness::code(output).err();
            let found = found.unwrap_or_else(|| panic!("{name} to {to}"));
            assert!(right.contains(&found), "{name} to {to}: {found:?}");
        }
    }
    for (entry, from) in corpus::good(KINDS, usize::MAX) {
        let to = if from == Format::Png {
            Format::Bmp
        } else {
            Format::Png
        };
        let mut source = std::fs::read(entry.path()).unwrap();
        source.truncate(source.len() / 2);
        let found = harness::code(harness::run_bytes(&source, from, &[harness::convert(to)])).err();
        // An animation whose first frame is complete still yields that frame.
        let is_partial = entry.facts.frames.unwrap_or(1) > 1;
        assert!(
            found == Some(InputCorrupt) || is_partial && found.is_none(),
            "{}: {found:?}",
            entry.file
        );
    }
}
