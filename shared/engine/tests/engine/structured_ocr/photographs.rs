//! Photographs on scans, and pictures that say nothing.

use std::io::{Cursor, Read as _};

use base64::Engine as _;
use domain::format::Format;
use image::{DynamicImage, GrayImage, ImageFormat, Luma, RgbImage, imageops};
use serde_json::json;

use super::{made, model, scan, scanned, skewed, skewed_sample, told};
use crate::structured::{blocks, of_kind, step};
use crate::{corpus, rig};

/// A page of text with squares of two shades, 500 pixels wide and 300 high, that are a photograph.
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

/// The first photograph in a page of HTML.
fn cut(html: &rig::Made) -> RgbImage {
    let page = String::from_utf8(html.bytes()).unwrap();
    let data = page.split_once("data:image/jpeg;base64,").unwrap().1;
    let data = data.split_once(['"', ')', '\'']).unwrap().0;
    let data = base64::engine::general_purpose::STANDARD.decode(data);
    image::load_from_memory(&data.unwrap()).unwrap().into_rgb8()
}

/// The first picture of a package.
fn picture(package: &rig::Made) -> Option<Vec<u8>> {
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
fn photographs_are_cut_from_a_scan() {
    let page = skewed(&scanned("04-images-fra")[0], 1.0);
    let source = scan(&[page]);
    let result = made(&source, "json", json!({"language": "fr"}));
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
    assert!(told(&result, "text_recognised").contains("3 photographs were cut"));
    let without = [
        made(&source, "json", json!({"images": "drop", "language": "fr"})),
        made(&source, "txt", json!({"language": "fr"})),
        made(&source, "xlsx", json!({"language": "fr"})),
    ];
    for made in &without {
        let told = told(made, "text_recognised");
        assert!(
            told.ends_with("structure was taken for; pictures on a scan are not in the result."),
            "{told}"
        );
    }
    let found = blocks(&model(&without[0]));
    assert_eq!(of_kind(&found, "image").count(), 0);
}

#[test]
fn photographs_of_a_scan_on_its_side_or_head_stand_with_its_text() {
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
        // What flows anew stands upright.
        let upright = cut(&made(&source, "html", json!({})));
        assert!(about(&upright, (500, 300)), "{:?}", upright.dimensions());
        let [corner, _, _] = upright.get_pixel(25, 25).0;
        assert!(corner.abs_diff(40) < 20, "{corner}");
        let whole = model(&made(&source, "json", json!({})));
        let height = whole["pages"][0]["size"]["height"].as_f64().unwrap();
        let pixels = height * 200.0 / 72.0;
        assert!((pixels - f64::from(page.height())).abs() < 4.0, "{height}");
        let found = blocks(&whole);
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
        let flowing = rig::run_bytes(
            &coded(&turned.clone().into(), ImageFormat::Png),
            Format::Png,
            &[step("json", json!({}))],
        );
        let whole = model(&flowing.unwrap());
        let size = &whole["pages"][0]["size"];
        assert!(size["height"].as_f64() > size["width"].as_f64(), "{size}");
        assert_eq!(of_kind(&blocks(&whole), "image").count(), 1);
        // Where everything keeps its place, it lies as its page does.
        let placed = cut(&made(&source, "html", json!({"mode": "layout"})));
        assert!(about(&placed, along), "{:?}", placed.dimensions());
    }
}

#[test]
fn a_photograph_is_as_straight_and_as_coloured_as_it_was() {
    let page = with_photograph();
    let coloured = image::RgbImage::from_fn(page.width(), page.height(), |x, y| {
        let grey = skewed_sample(&page, (x, y), 1.0);
        image::Rgb([grey, grey / 2 + grey / 4, if grey > 200 { grey } else { 0 }])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    coloured.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let result = rig::run_bytes(bytes.get_ref(), Format::Png, &[step("html", json!({}))]).unwrap();
    let cut = cut(&result);
    let (width, height) = cut.dimensions();
    assert!(
        width.abs_diff(500) <= 4 && height.abs_diff(300) <= 4,
        "{width} × {height}"
    );
    // The squares of a row stand level, and have their colour.
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
fn a_picture_that_says_nothing_is_kept_as_it_is() {
    let jpeg = std::fs::read(corpus::file("images/jpeg/cat.jpg")).unwrap();
    let photograph = image::load_from_memory(&jpeg).unwrap();
    // What it says of where it was taken does not go on.
    let exif = b"\xff\xe1\x00\x13Exif\0\0GPS at home";
    let telling = [jpeg.get(..2).unwrap(), exif, jpeg.get(2..).unwrap()].concat();
    let mut clear = photograph.to_rgba8();
    clear.put_pixel(3, 3, image::Rgba([0, 0, 0, 0]));
    let clear = DynamicImage::from(clear);
    let sources = [
        (Format::Jpeg, telling, &photograph),
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
    for (format, source, shown) in &sources {
        let made = |to: &str, options| {
            let made = rig::run_bytes(source, *format, &[step(to, options)]).unwrap();
            assert_eq!(made.warnings(), ["no_text_layer"], "{format} to {to}");
            made
        };
        for (to, mode) in [("docx", "flow"), ("docx", "layout"), ("pptx", "flow")] {
            let kept = picture(&made(to, json!({"mode": mode}))).unwrap();
            match format {
                Format::Jpeg => {
                    assert!(!kept.windows(11).any(|part| part == b"GPS at home"));
                    let kept = image::load_from_memory(&kept).unwrap();
                    assert!(kept == photograph, "{to} {mode}");
                }
                Format::Webp => assert!(image::load_from_memory(&kept).is_ok()),
                _ => {
                    let kept = image::load_from_memory(&kept).unwrap();
                    assert!(kept.to_rgba8() == shown.to_rgba8(), "{format} {to} {mode}");
                }
            }
        }
        let html = String::from_utf8(made("html", json!({})).bytes()).unwrap();
        assert!(html.contains("data:image/"), "{format}");
        let found = blocks(&model(&made("json", json!({}))));
        assert_eq!(of_kind(&found, "image").count(), 1, "{format}");
        assert_eq!(picture(&made("docx", json!({"images": "drop"}))), None);
    }
}
