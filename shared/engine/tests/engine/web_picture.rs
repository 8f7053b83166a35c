//! HTML and Markdown to PNG; the pixels are checked with an independent decoder.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use crate::harness;

fn step(options: &Value) -> Operation {
    let mut item = json!({"operation": "convert", "format": "png"});
    item.as_object_mut()
        .unwrap()
        .extend(options.as_object().unwrap().clone());
    Operation::read(&item, "$").unwrap()
}

fn run(
    document: &str,
    format: Format,
    options: &Value,
) -> Result<harness::Converted, JobErrorCode> {
    harness::code(harness::run_bytes(
        document.as_bytes(),
        format,
        &[step(options)],
    ))
}

fn picture(document: &str, options: Value) -> RgbImage {
    picture_from(document, Format::Html, &options)
}

fn picture_from(document: &str, format: Format, options: &Value) -> RgbImage {
    let result =
        run(document, format, options).unwrap_or_else(|code| panic!("{options}: {code:?}"));
    assert_eq!(
        (result.artifact.pages, result.artifact.content_type.as_str()),
        (1, "image/png")
    );
    assert!(
        result.artifact.engine.starts_with("chromium 1"),
        "{}",
        result.artifact.engine
    );
    image::load_from_memory(&result.bytes()).unwrap().to_rgb8()
}

/// Bands of 100 pixels, each with a color that encodes its number.
fn bands(count: u32) -> String {
    let band = |band: u32| {
        let (high, low) = (band / 256, band % 256);
        format!("<div style='height: 100px; background: rgb({low}, {high}, 77)'></div>")
    };
    let bands: String = (0..count).map(band).collect();
    format!("<style>body {{ margin: 0 }}</style>{bands}")
}

fn band(number: u32) -> Rgb<u8> {
    Rgb([(number % 256) as u8, (number / 256) as u8, 77])
}

#[test]
fn full_page_capture_joins_strips_in_place() {
    // Fixed elements appear once.
    let document = format!(
        "{}<div style='position: fixed; top: 0; right: 0; width: 50px; height: 50px; background: #00f'></div>",
        bands(300)
    );
    for (scale, width) in [(1.0_f64, 600_u32), (2.0, 1_200), (0.77, 462)] {
        let visible = picture(
            &document,
            json!({"viewportWidth": 600, "viewportHeight": 400, "deviceScaleFactor": scale}),
        );
        let height = f64::round(30_000.0 * scale) as u32;
        assert_eq!(visible.dimensions(), (width, height), "{scale}");
        for number in 0..300 {
            let row = ((f64::from(number) * 100.0 + 50.0) * scale) as u32;
            assert_eq!(
                *visible.get_pixel(10, row),
                band(number),
                "{scale}: {number}"
            );
        }
        let blue = visible
            .pixels()
            .filter(|pixel| pixel.0 == [0, 0, 255])
            .count() as f64;
        let expected = (50.0 * scale).powi(2);
        assert!((blue / expected - 1.0).abs() < 0.1, "{scale}: {blue}");
    }
}

#[test]
fn viewport_determines_the_layout() {
    let document =
        "<meta name=viewport content='width=300'><style>body { margin: 0; background: #f00 }
         @media (min-width: 500px) { body { background: #0f0 } }
         @media print { body { background: #00f } }</style><div style='height: 50vh'></div>";
    for (options, sides, color) in [
        (json!({}), (1_280, 1_024), [0, 255, 0]),
        (json!({"viewportWidth": 499}), (499, 1_024), [255, 0, 0]),
        (
            json!({"viewportWidth": 500, "viewportHeight": 200, "deviceScaleFactor": 1.5}),
            (750, 300),
            [0, 255, 0],
        ),
        (
            json!({"viewportWidth": 400, "viewportHeight": 100, "fullPage": false}),
            (400, 100),
            [255, 0, 0],
        ),
    ] {
        let visible = picture(document, options.clone());
        assert_eq!(visible.dimensions(), sides, "{options}");
        assert!(visible.pixels().all(|pixel| pixel.0 == color), "{options}");
    }
    let visible = picture(
        &bands(50),
        json!({"viewportHeight": 300, "fullPage": false}),
    );
    assert_eq!(visible.dimensions(), (1_280, 300));
    assert_eq!(*visible.get_pixel(5, 299), band(2));
    // Overflow at the right is part of the whole page.
    let wide = "<body style='margin: 0'><div style='width: 900px; height: 10px; background: #123456'></div>";
    let visible = picture(wide, json!({"viewportWidth": 600, "viewportHeight": 100}));
    assert_eq!(visible.dimensions(), (900, 100));
    assert_eq!(*visible.get_pixel(899, 5), Rgb([0x12, 0x34, 0x56]));
}

#[test]
fn text_is_rendered_and_textless_pages_may_be_blank() {
    let dark = |visible: &RgbImage| visible.pixels().filter(|pixel| pixel.0[0] < 100).count();
    let visible = picture("<h1>Grüße &amp; 漢字</h1>", json!({}));
    assert!(dark(&visible) > 200, "{}", dark(&visible));
    let visible = picture_from(
        "# Title\n\n| a | b |\n|---|---|\n| one | two |\n",
        Format::Markdown,
        &json!({"viewportWidth": 800}),
    );
    assert_eq!(visible.width(), 800);
    assert!(dark(&visible) > 200, "{}", dark(&visible));
    for blank in [
        "<p></p>",
        "<p style='visibility: hidden'>unseen",
        "<p style='position: absolute; left: -500px'>unseen",
        "<p style='color: transparent'>unseen",
        "<p style='color: rgb(9 9 9 / 0%)'>unseen",
        "<p style='-webkit-text-fill-color: transparent'>unseen",
        "<p>unseen<script>document.documentElement.remove()</script>",
    ] {
        let visible = picture(blank, json!({}));
        assert!(visible.pixels().all(|pixel| pixel.0 == [255; 3]), "{blank}");
    }
}

#[test]
fn clipped_text_does_not_count_as_missing() {
    let spoken =
        "position: absolute; width: 1px; height: 1px; overflow: hidden; white-space: nowrap";
    for hidden in [
        format!("<p style='{spoken}'>for readers that speak"),
        format!("<p style='{spoken}; clip: rect(0, 0, 0, 0)'>for readers that speak"),
        "<p style='position: absolute; clip: rect(0, 0, 0, 0)'>clipped".to_owned(),
        "<p style='clip-path: inset(50%)'>clipped".to_owned(),
        "<div style='height: 0; overflow: clip'><p>clipped</div>".to_owned(),
        "<div style='height: 0; overflow: hidden; position: relative'><p style='position: absolute'>clipped</div>"
            .to_owned(),
        "<div style='width: 9px; overflow: hidden'><p style='margin-left: 99px'>clipped</div>".to_owned(),
    ] {
        let visible = picture(&format!("<body style='background: #123456'>{hidden}"), json!({}));
        let is_plain = visible.pixels().all(|pixel| pixel.0 == [0x12, 0x34, 0x56]);
        assert!(is_plain, "{hidden}");
    }
}

#[test]
fn pictures_with_missing_text_are_rejected() {
    let clips = "<html style='overflow: hidden'><body style='overflow: hidden; height: 0; background: #fff'>\
                 <p style='color: #fff'>the window clips";
    let lifted = "<body style='background: #fff'><div style='height: 0; overflow: hidden'>\
                  <p style='position: absolute; color: #fff'>out of what clips";
    let documents = ["#fff", "#000", "#f00", "#ff0"]
        .map(|color| format!("<body style='background: {color}'><p style='color: {color}'>unseen"));
    for document in documents.iter().map(String::as_str).chain([lifted]) {
        assert_eq!(
            run(document, Format::Html, &json!({})).err(),
            Some(JobErrorCode::OutputInvalid),
            "{document}"
        );
    }
    // If the root clips too, the body clips by itself.
    assert!(run(clips, Format::Html, &json!({})).is_ok());
}

#[test]
fn wide_noise_is_captured_in_readable_strips() {
    // No row repeats within the compression window.
    let mut state = 1_u32;
    let tile = RgbImage::from_fn(11_600, 40, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, red, green, blue] = state.to_le_bytes();
        Rgb([red, green, blue ^ red])
    });
    let mut png = Cursor::new(Vec::new());
    tile.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let tile_url = STANDARD.encode(png.into_inner());
    let document = format!(
        "<body style='margin: 0'><div style='width: 16000px; height: 130px; image-rendering: pixelated; \
         background: url(data:image/png;base64,{tile_url}) 0 0 / 2900px 10px'>"
    );
    let options = json!({"viewportHeight": 130, "deviceScaleFactor": 4});
    let visible = picture(&document, options);
    assert_eq!(visible.dimensions(), (64_000, 520));
    for row in [0, 124, 125, 399, 400, 519] {
        for column in [0, 30_001, 63_999] {
            let expected = tile.get_pixel(column % 11_600, row % 40);
            assert_eq!(visible.get_pixel(column, row), expected, "{column} {row}");
        }
    }
}

#[test]
fn output_is_deterministic() {
    let draw = || {
        let result = run("<h1>Same</h1><p>again", Format::Html, &json!({})).unwrap();
        result.bytes()
    };
    assert_eq!(draw(), draw());
}

#[test]
fn pictures_above_100_megapixels_are_rejected() {
    let tall =
        |height: u32| format!("<body style='margin: 0'><div style='height: {height}px'>x</div>");
    for (height, options) in [
        (78_200, json!({})),
        (20_000, json!({"deviceScaleFactor": 2})),
        (65_600, json!({"viewportWidth": 400})),
    ] {
        let rejected = run(&tall(height), Format::Html, &options).err();
        assert_eq!(
            rejected,
            Some(JobErrorCode::InputTooLarge),
            "{height} {options}"
        );
    }
    let visible = picture(&tall(65_000), json!({"viewportWidth": 1_500}));
    assert_eq!(visible.dimensions(), (1_500, 65_000));
}

#[test]
fn captures_can_be_processed_further() {
    let steps = [
        step(&json!({"viewportWidth": 400, "viewportHeight": 300})),
        harness::convert(Format::Jpeg),
    ];
    let result = harness::run_bytes(b"<h1>step", Format::Html, &steps).unwrap();
    let visible = image::load_from_memory(&result.bytes()).unwrap();
    assert_eq!(
        (result.artifact.content_type.as_str(), visible.width()),
        ("image/jpeg", 400)
    );
}
