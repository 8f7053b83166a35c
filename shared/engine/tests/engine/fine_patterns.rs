//! Fine patterns and plain areas, which are easily mistaken for faults.

use std::io::Cursor;

use domain::format::Format;
use domain::operation::{CleanupOptions, Fit, Operation, Pixels, Position, ResizeOptions};
use image::codecs::gif::GifEncoder;
use image::imageops::{FilterType, dither};
use image::{DynamicImage, Frame, GrayImage, ImageFormat, Luma, Rgb, RgbImage, Rgba, RgbaImage};

use crate::{corpus, harness};

fn bytes(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A dithered photograph.
fn dithered() -> GrayImage {
    let photo = image::open(corpus::file("images/jpeg/flower.jpg")).unwrap();
    let mut photo = photo
        .resize_exact(150, 110, FilterType::Triangle)
        .into_luma8();
    dither(&mut photo, &image::imageops::BiLevel);
    photo
}

/// A halftone photograph, with larger dots in darker areas.
fn halftone() -> GrayImage {
    let photo = image::open(corpus::file("images/jpeg/flower.jpg")).unwrap();
    let photo = photo
        .resize_exact(150, 110, FilterType::Triangle)
        .into_luma8();
    GrayImage::from_fn(150, 110, |x, y| {
        let (across, down) = (f64::from(x) * 1.1, f64::from(y) * 1.1);
        let screen = 127.5 + 63.0 * ((across + down).sin() + (across - down).sin());
        let is_paper = f64::from(photo.get_pixel(x, y).0[0]) > screen;
        Luma([if is_paper { 255 } else { 0 }])
    })
}

fn lined() -> GrayImage {
    GrayImage::from_fn(150, 110, |x, y| {
        Luma([if y % 4 == 0 || x % 50 == 7 { 0 } else { 255 }])
    })
}

/// A matrix code with modules of one pixel.
fn code() -> GrayImage {
    GrayImage::from_fn(33, 33, |x, y| {
        let is_frame = x.min(y) < 4 || x.max(y) > 28;
        let is_dark = (x * 7 + y * 13 + x * y * 3) % 5 < 2;
        Luma([if is_frame || !is_dark { 255 } else { 0 }])
    })
}

fn resize(width: i64, height: Option<i64>, fit: Option<Fit>) -> Operation {
    Operation::Resize(ResizeOptions {
        width: Pixels::try_from(width).ok(),
        height: height.and_then(|height| Pixels::try_from(height).ok()),
        fit,
        enlarge: Some(true),
        ..ResizeOptions::default()
    })
}

fn cleaned(image: &DynamicImage, options: CleanupOptions) -> DynamicImage {
    let steps = [Operation::Cleanup(options)];
    let result = harness::run_bytes(&bytes(image, ImageFormat::Png), Format::Png, &steps).unwrap();
    image::load_from_memory(&result.bytes()).unwrap()
}

#[test]
fn fine_patterns_are_scaled_up() {
    let kinds = [
        (Format::Png, ImageFormat::Png),
        (Format::Jpeg, ImageFormat::Jpeg),
        (Format::Webp, ImageFormat::WebP),
        (Format::Gif, ImageFormat::Gif),
        (Format::Tiff, ImageFormat::Tiff),
    ];
    let images = [dithered(), halftone(), lined(), code()];
    let cases: Vec<_> = images
        .iter()
        .flat_map(|image| kinds.map(|(format, kind)| (image, format, kind)))
        .collect();
    harness::each(cases, |(image, format, kind)| {
        let source = bytes(&DynamicImage::from(image.clone()).to_rgb8().into(), kind);
        for operation in [
            resize(350, None, None),
            resize(451, Some(350), Some(Fit::Fill)),
            resize(451, Some(350), Some(Fit::Cover)),
            resize(451, Some(350), Some(Fit::Outside)),
            resize(451, Some(350), Some(Fit::Pad)),
            resize(175, Some(50), Some(Fit::Fill)),
        ] {
            let steps = [operation];
            let result = harness::run_bytes(&source, format, &steps);
            assert!(result.is_ok(), "{format} {steps:?}: {:?}", result.err());
        }
    });
}

#[test]
fn fine_patterns_are_scaled_down() {
    for image in [dithered(), halftone(), lined(), code()] {
        let source = bytes(&image.into(), ImageFormat::Png);
        for width in [149, 125, 75, 55, 32, 7] {
            let steps = [resize(width, None, None)];
            let result = harness::run_bytes(&source, Format::Png, &steps);
            assert!(result.is_ok(), "{width}: {:?}", result.err());
        }
    }
}

/// Colored patterns become JPEG with their colors: each pixel keeps its own.
#[test]
fn colored_lines_keep_their_colors_in_jpeg() {
    const RED: [u8; 3] = [255, 0, 0];
    const BLUE: [u8; 3] = [0, 0, 255];
    let is_line: [fn(u32, u32) -> bool; 4] = [
        |x, y| x % 2 == 0 || y % 2 == 0,
        |_, y| y % 4 == 0,
        |x, y| (x / 2 + y / 2) % 2 == 0,
        |x, y| x % 8 == 3 || y % 8 == 3,
    ];
    for (pattern, is_line) in is_line.into_iter().enumerate() {
        for ground in [[255; 3], BLUE] {
            let color = |x, y| Rgb(if is_line(x, y) { RED } else { ground });
            let source = RgbImage::from_fn(90, 70, color);
            let source = bytes(&source.clone().into(), ImageFormat::Png);
            let steps = [harness::convert(Format::Jpeg)];
            let result = harness::run_bytes(&source, Format::Png, &steps);
            let result = result.unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
            let found = image::load_from_memory(&result.bytes())
                .unwrap()
                .into_rgb8();
            let differences = found.enumerate_pixels().flat_map(|(x, y, found)| {
                let expected = color(x, y).0.into_iter().zip(found.0);
                expected.map(|(expected, found)| u32::from(expected.abs_diff(found)))
            });
            let mean = differences.sum::<u32>() / (90 * 70 * 3);
            assert!(mean < 10, "{pattern}: {mean}");
        }
    }
}

/// A square that moves over a plain background.
fn animation() -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = GifEncoder::new(&mut file);
    for at in 0..4 {
        let frame = RgbaImage::from_fn(120, 80, |x, y| {
            let is_square = (at * 10..=at * 10 + 20).contains(&x) && (20..=50).contains(&y);
            Rgba(match is_square {
                true => [255, 0, 0, 255],
                false => [at as u8 * 30, 255 - at as u8 * 30, 100, 255],
            })
        });
        encoder.encode_frame(Frame::new(frame)).unwrap();
    }
    drop(encoder);
    file
}

#[test]
fn animations_are_cropped_at_every_position() {
    use Position::{BottomRight, Center, Left, Right, Top, TopLeft};
    for position in [Left, TopLeft, Top, Center, Right, BottomRight] {
        let operation = Operation::Resize(ResizeOptions {
            width: Pixels::try_from(50).ok(),
            height: Pixels::try_from(70).ok(),
            fit: Some(Fit::Cover),
            position: Some(position),
            ..ResizeOptions::default()
        });
        let result = harness::run_bytes(&animation(), Format::Gif, &[operation]);
        assert!(result.is_ok(), "{position:?}: {:?}", result.err());
    }
}

#[test]
fn trim_keeps_plain_areas() {
    let trim = CleanupOptions {
        trim: Some(true),
        ..CleanupOptions::default()
    };
    let area = RgbImage::from_fn(250, 200, |x, y| {
        let is_inside = (50..150).contains(&x) && (60..130).contains(&y);
        Rgb(if is_inside { [0, 0, 200] } else { [255; 3] })
    });
    let left = cleaned(&area.into(), trim.clone()).into_rgb8();
    assert_eq!(left, RgbImage::from_pixel(100, 70, Rgb([0, 0, 200])));
    let steps = [Operation::Cleanup(trim)];
    let frame = harness::run_bytes(&animation(), Format::Gif, &steps).unwrap();
    let frame = image::load_from_memory(&frame.bytes()).unwrap().into_rgb8();
    assert_eq!(frame, RgbImage::from_pixel(21, 31, Rgb([255, 0, 0])));
}

#[test]
fn binarize_turns_pages_without_ink_white() {
    let shades = RgbImage::from_fn(200, 150, |x, y| {
        Rgb([255 - x as u8 / 2, 220, 255 - y as u8 / 2])
    });
    let binarize = CleanupOptions {
        binarize: Some(true),
        ..CleanupOptions::default()
    };
    let white = cleaned(&shades.into(), binarize).into_luma8();
    assert!(white.iter().all(|sample| *sample == 255));
}
