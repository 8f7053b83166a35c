//! Photographs on scans, and images without text.

use std::io::{Cursor, Read as _};

use base64::Engine as _;
use domain::format::Format;
use domain::job::JobErrorCode;
use image::{DynamicImage, GrayImage, ImageFormat, Luma, RgbImage, imageops};
use serde_json::json;

use super::{converted, model, scan, scanned, skewed, skewed_sample, warning_message};
use crate::structured::{blocks, of_kind, step};
use crate::{corpus, harness};

/// A page of text with a photograph: squares of two shades, 500 × 300 pixels.
pub(super) fn with_photograph() -> GrayImage {
    let mut page = scanned("01-headings-eng")[0].clone();
    for (x, y) in (300..800).flat_map(|x| (1500..1800).map(move |y| (x, y))) {
        page.put_pixel(
            x,
            y,
            Luma([if (x / 50 + y / 50) % 2 == 0 { 40 } else { 150 }]),
        );
    }
    page
}

/// The first photograph in an HTML result.
fn cut(html: &harness::Converted) -> RgbImage {
    let page = String::from_utf8(html.bytes()).unwrap();
    let data = page.split_once("data:image/jpeg;base64,").unwrap().1;
    let data = data.split_once(['"', ')', '\'']).unwrap().0;
    let data = base64::engine::general_purpose::STANDARD.decode(data);
    image::load_from_memory(&data.unwrap()).unwrap().into_rgb8()
}

/// The first picture in a package.
fn picture(package: &harness::Converted) -> Option<Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(package.bytes())).unwrap();
    (0..archive.len()).find_map(|index| {
        let mut part = archive.by_index(index).unwrap();
        let is_picture = part.name().unwrap().contains("/media/");
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        is_picture.then_some(bytes)
    })
}

fn coded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn photographs_are_cropped_from_scans() {
    let page = skewed(&scanned("04-images-fra")[0], 1.0);
    let source = scan(&[page]);
    let result = converted(&source, "json", json!({"language": "fr"}));
    let found = blocks(&model(&result));
    let kinds: Vec<_> = found
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    let expected = [
        "heading",
        "paragraph",
        "image",
        "paragraph",
        "image",
        "paragraph",
        "image",
    ];
    assert_eq!(kinds, expected);
    assert!(warning_message(&result, "text_recognized").contains("3 photographs were cut"));
    let without = [
        converted(&source, "json", json!({"images": "drop", "language": "fr"})),
        converted(&source, "txt", json!({"language": "fr"})),
        converted(&source, "xlsx", json!({"language": "fr"})),
    ];
    for output in &without {
        let message = warning_message(output, "text_recognized");
        assert!(
            message.contains("Images on the scan are not in the result."),
            "{message}"
        );
    }
    let found = blocks(&model(&without[0]));
    assert_eq!(of_kind(&found, "image").count(), 0);
}

#[test]
fn photographs_on_rotated_scans_are_rotated_with_the_text() {
    let page = with_photograph();
    let about = |image: &RgbImage, (width, height): (u32, u32)| {
        let (across, down) = image.dimensions();
        across.abs_diff(width) <= 4 && down.abs_diff(height) <= 4
    };
    for (turned, along) in [
        (imageops::rotate90(&page), (300, 500)),
        (imageops::rotate180(&page), (500, 300)),
        (imageops::rotate270(&page), (300, 500)),
    ] {
        let source = scan(std::slice::from_ref(&turned));
        // In flowing documents it is upright.
        let upright = cut(&converted(&source, "html", json!({})));
        assert!(about(&upright, (500, 300)), "{:?}", upright.dimensions());
        let [corner, _, _] = upright.get_pixel(25, 25).0;
        assert!(corner.abs_diff(40) < 20, "{corner}");
        let original = model(&converted(&source, "json", json!({})));
        let height = original["pages"][0]["size"]["height"].as_f64().unwrap();
        let pixels = height * 200.0 / 72.0;
        assert!((pixels - f64::from(page.height())).abs() < 4.0, "{height}");
        let found = blocks(&original);
        let place = &of_kind(&found, "image").next().unwrap()["bounds"];
        let edge = |name: &str| place[name].as_f64().unwrap();
        let off = [
            ("left", 300.0),
            ("top", 1500.0),
            ("right", 800.0),
            ("bottom", 1800.0),
        ];
        let off = off.map(|(name, pixels)| (edge(name) - pixels * 72.0 / 200.0).abs());
        assert!(off.iter().all(|off| *off < 3.0), "{place}");
        let flowing = harness::run_bytes(
            &coded(&turned.clone().into(), ImageFormat::Png),
            Format::Png,
            &[step("json", json!({}))],
        );
        let original = model(&flowing.unwrap());
        let size = &original["pages"][0]["size"];
        assert!(size["height"].as_f64() > size["width"].as_f64(), "{size}");
        assert_eq!(of_kind(&blocks(&original), "image").count(), 1);
        // With a fixed layout it is rotated like its page.
        let placed = cut(&converted(&source, "html", json!({"mode": "layout"})));
        assert!(about(&placed, along), "{:?}", placed.dimensions());
    }
}

#[test]
fn photographs_are_deskewed_and_keep_their_color() {
    let page = with_photograph();
    let colored = image::RgbImage::from_fn(page.width(), page.height(), |x, y| {
        let gray = skewed_sample(&page, (x, y), 1.0);
        image::Rgb([gray, gray / 2 + gray / 4, if gray > 200 { gray } else { 0 }])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    colored.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let result =
        harness::run_bytes(bytes.get_ref(), Format::Png, &[step("html", json!({}))]).unwrap();
    let cut = cut(&result);
    let (width, height) = cut.dimensions();
    assert!(
        width.abs_diff(500) <= 4 && height.abs_diff(300) <= 4,
        "{width} × {height}"
    );
    // The squares of a row are level and have their color.
    for (x, expected) in [(25, 40), (75, 150), (425, 40), (475, 150)] {
        let [red, green, blue] = cut.get_pixel(x, 25).0;
        let off = [
            red.abs_diff(expected),
            green.abs_diff(expected / 4 * 3),
            blue,
        ];
        assert!(off.iter().all(|off| *off < 20), "{x}: {red} {green} {blue}");
    }
}

#[test]
fn images_without_text_are_kept_unchanged() {
    let jpeg = std::fs::read(corpus::file("images/jpeg/cat.jpg")).unwrap();
    let photograph = image::load_from_memory(&jpeg).unwrap();
    // Its location metadata is removed.
    let exif = b"\xff\xe1\x00\x13Exif\0\0GPS at home";
    let with_location = [jpeg.get(..2).unwrap(), exif, jpeg.get(2..).unwrap()].concat();
    let mut clear = photograph.to_rgba8();
    clear.put_pixel(3, 3, image::Rgba([0, 0, 0, 0]));
    let clear = DynamicImage::from(clear);
    let sources = [
        (Format::Jpeg, with_location, &photograph),
        (Format::Png, coded(&clear, ImageFormat::Png), &clear),
        (
            Format::Tiff,
            coded(&photograph, ImageFormat::Tiff),
            &photograph,
        ),
        (
            Format::Webp,
            coded(&photograph, ImageFormat::WebP),
            &photograph,
        ),
    ];
    for (format, source, visible) in &sources {
        let converted = |to: &str, options| {
            let output = harness::run_bytes(source, *format, &[step(to, options)]).unwrap();
            assert_eq!(output.warnings(), ["no_text_layer"], "{format} to {to}");
            output
        };
        // All results of one format, and one of each other.
        let results = [("docx", "flow"), ("docx", "layout"), ("pptx", "flow")];
        let (is_complete, results) = match format {
            Format::Jpeg => (true, &results[..]),
            Format::Webp => (false, &results[..1]),
            Format::Tiff => (false, &results[1..2]),
            _ => (false, &results[2..]),
        };
        for (to, mode) in results {
            let kept = picture(&converted(to, json!({"mode": mode}))).unwrap();
            match format {
                Format::Jpeg => {
                    assert!(!kept.windows(11).any(|part| part == b"GPS at home"));
                    let kept = image::load_from_memory(&kept).unwrap();
                    assert!(kept == photograph, "{to} {mode}");
                }
                Format::Webp => assert!(image::load_from_memory(&kept).is_ok()),
                _ => {
                    let kept = image::load_from_memory(&kept).unwrap();
                    assert!(
                        kept.to_rgba8() == visible.to_rgba8(),
                        "{format} {to} {mode}"
                    );
                }
            }
        }
        if !is_complete {
            continue;
        }
        let html = String::from_utf8(converted("html", json!({})).bytes()).unwrap();
        assert!(html.contains("data:image/"), "{format}");
        let found = blocks(&model(&converted("json", json!({}))));
        assert_eq!(of_kind(&found, "image").count(), 1, "{format}");
        let steps = [step("docx", json!({"images": "drop"}))];
        let dropped = harness::code(harness::run_bytes(source, *format, &steps));
        assert_eq!(dropped.err(), Some(JobErrorCode::OutputInvalid));
    }
}
