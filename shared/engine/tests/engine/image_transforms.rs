//! Operations `resize`, `crop` and `rotate` on images.

use std::io::Cursor;

use domain::format::Format;
use domain::job::{JobError, JobErrorCode, JobLimits};
use domain::operation::{
    Angle, Color, CropOptions, Fit, Operation, Pixels, Position, ResizeOptions, RotateOptions,
};
use engine::EngineError;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use crate::{corpus, harness, pillow, similarity};

const KINDS: &[&str] = &["jpeg", "png", "webp", "avif", "gif", "tiff", "bmp"];

fn pixels(side: i64) -> Pixels {
    Pixels::try_from(side).unwrap()
}

fn resize(width: Option<i64>, height: Option<i64>) -> ResizeOptions {
    ResizeOptions {
        width: width.map(pixels),
        height: height.map(pixels),
        ..ResizeOptions::default()
    }
}

fn crop(x: u16, y: u16, width: i64, height: i64) -> Operation {
    Operation::Crop(CropOptions {
        x,
        y,
        width: pixels(width),
        height: pixels(height),
    })
}

fn rotate(angle: Angle) -> Operation {
    Operation::Rotate(RotateOptions { angle, pages: None })
}

fn png(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn transformed(image: &DynamicImage, operation: Operation) -> DynamicImage {
    let result = harness::run_bytes(&png(image), Format::Png, &[operation]).unwrap();
    image::load_from_memory(&result.bytes()).unwrap()
}

#[test]
fn every_format_is_scaled_cropped_and_rotated_and_keeps_its_format() {
    let cases: Vec<_> = corpus::good(KINDS, usize::MAX)
        .into_iter()
        .flat_map(|(entry, format)| [0, 1, 2].map(|which| (entry.clone(), format, which)))
        .collect();
    let kinds = |(_, format, which): &(_, Format, i32)| [(*format, *which)];
    harness::sample(cases, 0, kinds, |(entry, format, which)| {
        let source = std::fs::read(entry.path()).unwrap();
        let upright = similarity::upright(&source);
        let (width, height) = upright.dimensions();
        let (operation, expected) = match which {
            0 => {
                let half = i64::from(width / 2);
                let sides = (width / 2, (height * (width / 2) + width / 2) / width);
                let small = DynamicImage::from(upright).resize_exact(
                    sides.0,
                    sides.1,
                    image::imageops::FilterType::Triangle,
                );
                (
                    Operation::Resize(resize(Some(half), None)),
                    small.into_rgb8(),
                )
            }
            1 => {
                let (x, y) = (width / 4, height / 5);
                let part = image::imageops::crop_imm(&upright, x, y, width / 2, height / 3);
                let operation = crop(
                    x as u16,
                    y as u16,
                    i64::from(width / 2),
                    i64::from(height / 3),
                );
                (operation, part.to_image())
            }
            _ => (rotate(Angle::Quarter), image::imageops::rotate90(&upright)),
        };
        let result = harness::run(&entry.path(), format, std::slice::from_ref(&operation));
        let result =
            result.unwrap_or_else(|error| panic!("{}: {operation:?}: {error:?}", entry.file));
        assert_eq!(result.artifact.content_type, format.mime_type());
        let found = similarity::upright(&result.bytes());
        assert_eq!(found.dimensions(), expected.dimensions(), "{}", entry.file);
        let difference = similarity::difference(&found, &expected, 8);
        assert!(
            // Scaling mixes black and white in linear light, not in encoded values.
            difference < 14.0,
            "{}: {operation:?}: {difference:.1}",
            entry.file
        );
        let pages = match format {
            Format::Tiff => entry.facts.frames.unwrap_or(1),
            _ => 1,
        };
        assert_eq!(result.artifact.pages, pages, "{}", entry.file);
        assert!(!result.warnings().contains(&"pages_dropped"));
    });
}

#[test]
fn scaling_works_in_linear_light() {
    // Alternating black and white has the mean luminance of 188 of 255, not of the mean value.
    let board = RgbImage::from_fn(512, 512, |x, y| {
        Rgb([if (x + y) % 2 == 0 { 255 } else { 0 }; 3])
    });
    for side in [256, 100, 37, 5] {
        let small = transformed(
            &board.clone().into(),
            Operation::Resize(resize(Some(side), None)),
        );
        // At the edge, the filter kernel covers fewer pixels.
        let small = small.crop_imm(2, 2, small.width() - 4, small.height() - 4);
        for pixel in small.to_rgb8().pixels() {
            assert!(pixel.0[0].abs_diff(188) <= 2, "{side}: {pixel:?}");
        }
    }
}

#[test]
fn transparent_pixels_do_not_bleed_into_opaque_ones() {
    // Transparent green next to opaque red.
    let image = RgbaImage::from_fn(400, 40, |x, _| match x % 4 {
        0 | 1 => Rgba([255, 0, 0, 255]),
        _ => Rgba([0, 255, 0, 0]),
    });
    for side in [100, 10] {
        let small = transformed(
            &image.clone().into(),
            Operation::Resize(resize(Some(side), None)),
        );
        let inner = 3..small.width() - 3;
        for (x, _, pixel) in small.to_rgba8().enumerate_pixels() {
            let [red, green, _, alpha] = pixel.0;
            let is_half = alpha.abs_diff(128) < 4 || !inner.contains(&x);
            assert!(red > 250 && green < 5 && is_half, "{side}: {x} {pixel:?}");
        }
    }
}

#[test]
fn smooth_images_stay_smooth_at_every_size() {
    let wide = image::ImageBuffer::from_fn(3000, 40, |x, y| {
        image::Rgb([x as u16 * 21, y as u16 * 1600, 30_000])
    });
    let wide = DynamicImage::ImageRgb16(wide);
    for (width, height) in [(1500, 40), (333, 17), (50, 40), (3000, 7), (6000, 90)] {
        let options = ResizeOptions {
            fit: Some(Fit::Fill),
            enlarge: Some(true),
            ..resize(Some(width), Some(height))
        };
        let found = transformed(&wide, Operation::Resize(options)).into_rgb16();
        assert_eq!(i64::from(found.width()), width);
        for (x, y, pixel) in found.enumerate_pixels() {
            let at = |place: u32, side: i64, full: f64| {
                (f64::from(place) + 0.5) * full / side as f64 - 0.5
            };
            let expected = [at(x, width, 3000.0) * 21.0, at(y, height, 40.0) * 1600.0];
            let is_edge = x < 4 || y < 4 || x + 4 >= found.width() || y + 4 >= found.height();
            for (found, expected) in pixel.0.into_iter().zip(expected) {
                let difference = (f64::from(found) - expected).abs();
                assert!(
                    is_edge || difference < 400.0,
                    "{width}x{height} at {x},{y}: {difference}"
                );
            }
        }
    }
}

#[test]
fn fit_modes_and_size_limits_are_applied() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let sides = |options: ResizeOptions, most: u32| {
        let limits = JobLimits {
            image_side: most,
            ..harness::GENEROUS
        };
        let steps = [Operation::Resize(options)];
        let result = harness::run_within(&source, Format::Jpeg, &steps, limits).unwrap();
        let found = image::load_from_memory(&result.bytes()).unwrap();
        let limited = result.warnings().contains(&"limited_by_plan");
        (found.width(), found.height(), limited)
    };
    let fit = |fit, enlarge| ResizeOptions {
        fit: Some(fit),
        enlarge: Some(enlarge),
        ..resize(Some(2000), Some(500))
    };
    assert_eq!(sides(resize(Some(900), None), 8000), (900, 600, false));
    assert_eq!(sides(resize(Some(3000), None), 8000), (1800, 1200, false));
    assert_eq!(sides(fit(Fit::Contain, false), 8000), (750, 500, false));
    assert_eq!(sides(fit(Fit::Cover, false), 8000), (1800, 450, false));
    assert_eq!(sides(fit(Fit::Cover, true), 8000), (2000, 500, false));
    assert_eq!(sides(fit(Fit::Fill, false), 8000), (1800, 500, false));
    assert_eq!(sides(resize(None, Some(900)), 1000), (1000, 667, true));
}

#[test]
fn crop_outside_the_image_is_rejected_and_inside_is_exact() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let run = |operation| harness::run(&source, Format::Jpeg, &[operation]);
    let image = "outside the image, which is 1800 pixels wide and 1200 pixels high.";
    for (outside, rectangle) in [
        (
            crop(0, 0, 1801, 5),
            "1801 by 5 pixels at x 0 and y 0 extends",
        ),
        (crop(1800, 0, 1, 1), "1 by 1 pixels at x 1800 and y 0 is"),
        (
            crop(5, 1100, 5, 101),
            "5 by 101 pixels at x 5 and y 1100 extends",
        ),
    ] {
        let expected = JobError::new(
            JobErrorCode::OutputInvalid,
            format!("The rectangle of {rectangle} {image}"),
        );
        assert_eq!(run(outside).err(), Some(EngineError::Document(expected)));
    }
    assert!(run(crop(1799, 1199, 1, 1)).is_ok());
    let image = RgbImage::from_fn(50, 40, |x, y| Rgb([x as u8, y as u8, 7]));
    let found = transformed(&image.clone().into(), crop(11, 13, 20, 9));
    let expected = image::imageops::crop_imm(&image, 11, 13, 20, 9).to_image();
    assert_eq!(found.to_rgb8(), expected);
}

#[test]
fn rotation_changes_no_pixel() {
    let wide = image::ImageBuffer::from_fn(30, 20, |x, y| {
        image::Rgba([x as u16 * 2000, y as u16 * 3000, 1, 60_000 - x as u16])
    });
    let wide = DynamicImage::ImageRgba16(wide);
    for (angle, expected) in [
        (Angle::Quarter, wide.rotate90()),
        (Angle::Half, wide.rotate180()),
        (Angle::ThreeQuarters, wide.rotate270()),
    ] {
        assert_eq!(transformed(&wide, rotate(angle)), expected);
    }
    let pages = corpus::file("images/tiff/g4-multi.tiff");
    let result = harness::run(&pages, Format::Tiff, &[rotate(Angle::Quarter)]).unwrap();
    let back = harness::run(result.path(), Format::Tiff, &[rotate(Angle::ThreeQuarters)]).unwrap();
    assert_eq!(back.artifact.pages, 3);
    let read = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().into_luma8();
    assert_eq!(read(&back.bytes()), read(&std::fs::read(pages).unwrap()));
}

#[test]
fn lossless_webp_stays_lossless() {
    let image = RgbImage::from_fn(90, 60, |x, y| Rgb([(x * y) as u8, x as u8, y as u8]));
    let mut webp = Cursor::new(Vec::new());
    image.write_to(&mut webp, ImageFormat::WebP).unwrap();
    let result =
        harness::run_bytes(&webp.into_inner(), Format::Webp, &[rotate(Angle::Half)]).unwrap();
    let found = image::load_from_memory(&result.bytes())
        .unwrap()
        .into_rgb8();
    assert_eq!(found, image::imageops::rotate180(&image));
}

#[test]
fn output_is_deterministic() {
    let source = corpus::file("images/jpeg/flower.jpg");
    let steps = [
        Operation::Resize(resize(Some(123), None)),
        rotate(Angle::Half),
    ];
    let make = || harness::run(&source, Format::Jpeg, &steps).unwrap();
    assert_eq!(make().artifact.sha256, make().artifact.sha256);
    assert_eq!(make().artifact.engine, "mozjpeg 0.10.13, mozjpeg 0.10.13");
}

#[test]
fn results_above_100_megapixels_are_rejected() {
    let sides = |fit| {
        let options = ResizeOptions {
            fit: Some(fit),
            enlarge: Some(true),
            ..resize(Some(20_000), Some(5_001))
        };
        Operation::Resize(options)
    };
    let red = png(&RgbImage::from_pixel(80, 40, Rgb([200, 30, 30])).into());
    let pages = corpus::file("images/tiff/g4-multi.tiff");
    for fit in [Fit::Fill, Fit::Pad, Fit::Cover, Fit::Outside] {
        let rejected = harness::code(harness::run_bytes(&red, Format::Png, &[sides(fit)])).err();
        assert_eq!(rejected, Some(JobErrorCode::InputTooLarge), "{fit:?}");
        let rejected = harness::code(harness::run(&pages, Format::Tiff, &[sides(fit)])).err();
        assert_eq!(
            rejected,
            Some(JobErrorCode::InputTooLarge),
            "pages, {fit:?}"
        );
    }
    let large = ResizeOptions {
        fit: Some(Fit::Fill),
        enlarge: Some(true),
        ..resize(Some(20_000), Some(20_000))
    };
    let steps = [Operation::Resize(large)];
    let rejected = harness::code(harness::run_bytes(&red, Format::Png, &steps)).err();
    assert_eq!(rejected, Some(JobErrorCode::InputTooLarge));
}

fn padded(width: i64, height: i64, background: &str, position: Option<Position>) -> Operation {
    Operation::Resize(ResizeOptions {
        fit: Some(Fit::Pad),
        background: Some(Color::try_from(background.to_owned()).unwrap()),
        position,
        ..resize(Some(width), Some(height))
    })
}

#[test]
fn padding_is_filled_with_the_background() {
    let red = RgbImage::from_pixel(80, 40, Rgb([200, 30, 30]));
    let blue = Rgba([10, 20, 250, 255]);
    let step = padded(60, 60, "#0a14fa", None);
    let found = transformed(&red.clone().into(), step).into_rgba8();
    assert_eq!(found.dimensions(), (60, 60));
    for (y, expected) in [
        (0, blue),
        (14, blue),
        (15, Rgba([200, 30, 30, 255])),
        (44, Rgba([200, 30, 30, 255])),
        (45, blue),
    ] {
        assert_eq!(
            [0, 59].map(|x| *found.get_pixel(x, y)),
            [expected; 2],
            "{y}"
        );
    }
    // Images are not enlarged by default, and a transparent background stays transparent.
    let step = padded(100, 100, "#0a14fa00", Some(Position::BottomRight));
    let found = transformed(&red.into(), step);
    assert_eq!(found.color(), image::ColorType::Rgba8);
    let found = found.into_rgba8();
    assert_eq!(found.get_pixel(19, 99).0[3], 0);
    assert_eq!(*found.get_pixel(20, 60), Rgba([200, 30, 30, 255]));
    assert_eq!(*found.get_pixel(99, 99), Rgba([200, 30, 30, 255]));
    let gray = image::GrayImage::from_pixel(8, 4, image::Luma([90]));
    let found = transformed(&gray.into(), padded(8, 8, "#0a14fa", None));
    assert_eq!(*found.into_rgba8().get_pixel(0, 0), blue);
}

#[test]
fn every_format_is_padded() {
    for (entry, format) in corpus::good(KINDS, 2) {
        let result = harness::run(&entry.path(), format, &[padded(50, 90, "#00ff00", None)]);
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let found = pillow::read(result.path());
        assert_eq!(found.sides, (50, 90), "{}", entry.file);
        assert_eq!(found.profile, 0, "{}", entry.file);
        for [red, green, blue, alpha] in found.corners {
            let is_green = red < 20 && green > 235 && blue < 20 && alpha == 255;
            assert!(is_green, "{}: {:?}", entry.file, found.corners);
        }
    }
}

#[test]
fn sixteen_bit_png_stays_sixteen_bit() {
    let wide = image::ImageBuffer::from_fn(64, 32, |x, y| {
        image::Rgb([x as u16 * 1000 + 7, y as u16 * 2000 + 9, 30_001])
    });
    let wide = DynamicImage::ImageRgb16(wide);
    let halved = domain::operation::CompressOptions {
        max_width: Some(pixels(32)),
        ..Default::default()
    };
    for step in [
        Operation::Resize(resize(Some(32), None)),
        Operation::Compress(halved),
        rotate(Angle::Half),
        padded(90, 90, "#ffffff", None),
    ] {
        let found = transformed(&wide, step);
        assert_eq!(found.color(), image::ColorType::Rgb16);
    }
    assert_eq!(
        transformed(&wide, crop(0, 0, 64, 31))
            .into_rgb16()
            .get_pixel(63, 1)
            .0[0],
        63_007
    );
}
