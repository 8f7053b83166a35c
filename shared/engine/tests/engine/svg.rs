//! SVG is rendered without external resources.

use domain::format::Format;
use domain::job::JobErrorCode;
use image::RgbaImage;

use crate::{corpus, harness, poppler};

fn svg(attributes: &str, content: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{content}</svg>"#
    )
}

fn rendered(text: &str) -> (RgbaImage, Vec<String>) {
    let result = harness::run_bytes(
        text.as_bytes(),
        Format::Svg,
        &[harness::convert(Format::Png)],
    );
    let result = result.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let picture = image::load_from_memory(&result.bytes()).unwrap().to_rgba8();
    let warnings = result.warnings().into_iter().map(str::to_owned).collect();
    (picture, warnings)
}

fn rejected(text: &str) -> Option<JobErrorCode> {
    harness::rejection_code(text.as_bytes(), Format::Svg)
}

/// Number of pixels that are not fully transparent.
fn ink(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0[3] > 0).count()
}

#[test]
fn files_are_rendered_at_their_size() {
    for (entry, format) in corpus::entries(&["svg"], &["ok"]) {
        let result = harness::run(&entry.path(), format, &[harness::convert(Format::Png)]);
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let picture = image::load_from_memory(&result.bytes()).unwrap().to_rgba8();
        assert!(ink(&picture) > 0, "{} is blank", entry.file);
    }
    let (picture, warnings) = rendered(&svg(
        r#"width="1in" height="20" viewBox="0 0 10 10" preserveAspectRatio="none""#,
        r##"<rect width="5" height="10" fill="#f00"/><rect x="5" width="5" height="10" fill="#00f" fill-opacity=".5"/>"##,
    ));
    assert_eq!(picture.dimensions(), (96, 20));
    assert_eq!(picture.get_pixel(10, 10).0, [255, 0, 0, 255]);
    assert_eq!(picture.get_pixel(90, 10).0, [0, 0, 255, 128]);
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn text_is_rendered_for_every_font_family() {
    for family in ["sans-serif", "Arial", "No Such Family", "monospace"] {
        let text = format!(r#"<text y="30" font-size="30" font-family="{family}">Größe Ωж</text>"#);
        let (picture, _) = rendered(&svg(r#"width="200" height="40""#, &text));
        assert!(ink(&picture) > 500, "{family}: {}", ink(&picture));
    }
}

#[test]
fn external_resources_are_not_loaded() {
    let marker = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    RgbaImage::from_pixel(8, 8, image::Rgba([255, 0, 0, 255]))
        .save(marker.path())
        .unwrap();
    let path = marker.path().display();
    for content in [
        format!(r#"<image xlink:href="{path}" width="50" height="50"/>"#),
        format!(r#"<image href="file://{path}" width="50" height="50"/>"#),
        r#"<image href="http://127.0.0.1:9/x.png" width="50" height="50"/>"#.to_owned(),
        format!(r#"<use href="{path}#x"/>"#),
        format!(r#"<rect width="50" height="50" style="fill:url('{path}#p')"/>"#),
        format!(r#"<style>@import "{path}";</style>"#),
        format!(
            r#"<filter id="f"><feImage href="{path}"/></filter><rect width="50" height="50" filter="url(#f)" fill="none"/>"#
        ),
    ] {
        let (picture, warnings) = rendered(&svg(r#"width="60" height="60""#, &content));
        let red = |pixel: &image::Rgba<u8>| pixel.0[0] > 200 && pixel.0[3] > 0;
        assert!(!picture.pixels().any(red), "{content}");
        assert_eq!(warnings, ["external_link_blocked"], "{content}");
    }
    // Hyperlinks are loaded only when followed.
    let link = r#"<a href="https://example.org/"><rect width="9" height="9"/></a>"#;
    assert_eq!(rendered(&svg(r#"width="9" height="9""#, link)).1.len(), 0);
}

#[test]
fn foreign_object_gets_a_warning() {
    let foreign = r#"<foreignObject width="60" height="60"><div xmlns="http://www.w3.org/1999/xhtml">words</div></foreignObject>"#;
    let empty = r#"<foreignObject width="60" height="60"/>"#;
    let sides = r#"width="60" height="60""#;
    for (content, expected) in [
        (foreign.to_owned(), &["image_not_drawn"][..]),
        (format!("<g>{foreign}</g>"), &["image_not_drawn"]),
        (format!("<switch>{foreign}</switch>"), &["image_not_drawn"]),
        (
            format!("<switch>{foreign}<rect width='9' height='9'/></switch>"),
            &[],
        ),
        (empty.to_owned(), &[]),
    ] {
        let text = svg(sides, &content);
        assert_eq!(rendered(&text).1, expected, "{content}");
        let result = harness::run_bytes(
            text.as_bytes(),
            Format::Svg,
            &[harness::convert(Format::Pdf)],
        );
        assert_eq!(result.unwrap().warnings(), expected, "{content}");
    }
}

#[test]
fn declared_encoding_is_used() {
    let content = svg(
        r#"width="9" height="9""#,
        "<!-- ä --><rect width='9' height='9' fill='lime'/>",
    );
    let wide = |bytes: fn(u16) -> [u8; 2], head: &str| -> Vec<u8> {
        let text = format!("{head}{content}");
        text.encode_utf16().flat_map(bytes).collect()
    };
    let declared = |name: &str| format!(r#"<?xml version="1.0" encoding="{name}"?>"#);
    let latin: Vec<u8> = format!("{}{content}", declared("ISO-8859-1"))
        .chars()
        .map(|character| character as u8)
        .collect();
    for bytes in [
        wide(u16::to_le_bytes, &format!("\u{feff}{}", declared("UTF-16"))),
        wide(u16::to_be_bytes, &format!("\u{feff}{}", declared("utf-16"))),
        wide(u16::to_le_bytes, &declared("UTF-16")),
        wide(u16::to_be_bytes, "\u{feff}"),
        format!("\u{feff}{}{content}", declared("UTF-8")).into_bytes(),
        latin.clone(),
    ] {
        let result =
            harness::run_bytes(&bytes, Format::Svg, &[harness::convert(Format::Png)]).unwrap();
        let picture = image::load_from_memory(&result.bytes()).unwrap().to_rgba8();
        assert_eq!(picture.get_pixel(4, 4).0, [0, 255, 0, 255]);
    }
    let undeclared = &latin[declared("ISO-8859-1").len()..];
    let code = harness::rejection_code(undeclared, Format::Svg);
    assert_eq!(code, Some(JobErrorCode::InputCorrupt));
}

#[test]
fn external_entities_are_rejected() {
    let marker = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(marker.path(), "<rect width='50' height='50'/>").unwrap();
    let text = format!(
        r#"<!DOCTYPE svg [<!ENTITY e SYSTEM "file://{}">]>{}"#,
        marker.path().display(),
        svg(r#"width="60" height="60""#, "&e;<circle r='1'/>")
    );
    assert_eq!(rejected(&text), Some(JobErrorCode::InputCorrupt));
    let inside = r#"<!DOCTYPE svg [<!ENTITY colour "lime">]>"#.to_owned()
        + &svg(
            r#"width="9" height="9""#,
            "<rect width='9' height='9' fill='&colour;'/>",
        );
    assert_eq!(rendered(&inside).0.get_pixel(4, 4).0, [0, 255, 0, 255]);
}

#[test]
fn exponential_expansion_is_rejected() {
    use JobErrorCode::{InputCorrupt, InputTooLarge};
    let sides = r#"width="9" height="9""#;
    let mut entities = r#"<!DOCTYPE svg [<!ENTITY a0 "<g/>">"#.to_owned();
    for level in 1..9 {
        let before = format!("&a{};", level - 1).repeat(10);
        entities += &format!(r#"<!ENTITY a{level} "{before}">"#);
    }
    let laughs = entities + "]>" + &svg(sides, "&a8;");
    let mut uses = r#"<g id="u0"><rect width="1" height="1"/></g>"#.to_owned();
    for level in 1..9 {
        let before = format!(r##"<use href="#u{}"/>"##, level - 1).repeat(10);
        uses += &format!(r#"<g id="u{level}">{before}</g>"#);
    }
    let deep = |depth: usize| svg(sides, &("<g>".repeat(depth) + &"</g>".repeat(depth)));
    for (name, text, codes) in [
        ("laughs", laughs, vec![InputCorrupt, InputTooLarge]),
        ("uses", svg(sides, &uses), vec![InputTooLarge]),
        ("deep", deep(100_000), vec![InputCorrupt, InputTooLarge]),
        (
            "large",
            svg(r#"width="60000" height="60000""#, ""),
            vec![InputTooLarge],
        ),
        (
            "endless",
            svg(r#"width="1e30" height="9""#, ""),
            vec![InputTooLarge],
        ),
        (
            "none",
            svg(r#"width="0" height="9""#, ""),
            vec![InputCorrupt],
        ),
        (
            "cut",
            svg(sides, "").replace("</svg>", ""),
            vec![InputCorrupt],
        ),
        ("noise", "\u{1}\u{2}".to_owned(), vec![InputCorrupt]),
    ] {
        let found = rejected(&text);
        assert!(
            found.is_some_and(|code| codes.contains(&code)),
            "{name}: {found:?}"
        );
    }
    assert_eq!(rejected(&deep(100)), None);
    assert_eq!(rejected("<html/>"), Some(JobErrorCode::ContentMismatch));
    assert_eq!(rejected("%PDF-1.7"), Some(JobErrorCode::ContentMismatch));
}

#[test]
fn embedded_images_are_rendered_up_to_a_limit() {
    let picture = |bytes: &[u8]| {
        use base64::Engine as _;
        let data = base64::engine::general_purpose::STANDARD.encode(bytes);
        let content =
            format!(r#"<image href="data:image/png;base64,{data}" width="40" height="40"/>"#);
        ink(&rendered(&svg(r#"width="40" height="40""#, &content)).0)
    };
    let small = std::fs::read(corpus::file("images/png/basn2c16.png")).unwrap();
    assert_eq!(picture(&small), 1600);
    assert_eq!(picture(&crate::malformed_images::png(30_000, 30_000)), 0);
}

#[test]
fn hostile_files_end_with_a_result_or_a_code() {
    let source = corpus::file("hostile/recursive-on-child.svg");
    let result = harness::code(harness::run(
        &source,
        Format::Svg,
        &[harness::convert(Format::Png)],
    ));
    assert!(result.is_ok_and(|result| !result.bytes().is_empty()));
}

fn printed(text: &str) -> harness::Converted {
    harness::run_bytes(
        text.as_bytes(),
        Format::Svg,
        &[harness::convert(Format::Pdf)],
    )
    .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn pdf_pages_are_vector_graphics_of_the_drawing_size() {
    let result = printed(&svg(
        r#"width="960" height="480""#,
        r#"<circle cx="480" cy="240" r="200"/>"#,
    ));
    assert_eq!(poppler::field(result.path(), "Page size"), "720 x 360 pts");
    assert_eq!(poppler::maybe_field(result.path(), "CreationDate"), None);
    assert_eq!(poppler::images(result.path()), Vec::<Vec<String>>::new());
    let picture = poppler::picture(result.path(), 1, 72);
    assert_eq!(picture.get_pixel(360, 180).0, [0; 3]);
    assert_eq!(picture.get_pixel(10, 10).0, [255; 3]);
}

#[test]
fn text_stays_text_in_embedded_fonts() {
    let content = r#"<text x="10" y="40" font-size="24">Totals of office</text>
        <text x="10" y="80" font-size="24" fill="none" stroke="red">outlined</text>
        <text x="10" y="120" font-size="24" transform="rotate(5)">Größe</text>
        <text x="10" y="160" font-size="24">日本語</text>
        <text x="290" y="200" font-size="24" text-anchor="end">مرحبا</text>"#;
    let text = svg(r#"width="300" height="220""#, content);
    let result = printed(&text);
    // poppler marks the direction of right-to-left words.
    let is_mark = |character: char| ('\u{202a}'..='\u{202e}').contains(&character);
    let words = poppler::words(result.path());
    let mut words: Vec<&str> = words
        .iter()
        .map(|word| word.trim_matches(is_mark))
        .collect();
    words.sort_unstable();
    let mut expected = [
        "Totals",
        "of",
        "office",
        "outlined",
        "Größe",
        "日本語",
        "مرحبا",
    ];
    expected.sort_unstable();
    assert_eq!(words, expected);
    let fonts = poppler::fonts(result.path());
    let fonts: Vec<&str> = fonts.lines().skip(2).collect();
    assert!(!fonts.is_empty());
    for font in fonts {
        assert!(font.contains("+") && font.contains("yes yes yes"), "{font}");
    }
    assert_eq!(result.bytes(), printed(&text).bytes(), "reproducible");
    // The whole fonts have megabytes.
    assert!(result.bytes().len() < 100_000, "{}", result.bytes().len());
}

#[test]
fn what_pdf_cannot_express_becomes_a_picture_in_its_place() {
    let content = r##"<filter id="f"><feGaussianBlur stdDeviation="4"/></filter>
        <radialGradient id="g" r=".2" spreadMethod="repeat"><stop stop-color="lime"/><stop offset="1" stop-color="blue"/></radialGradient>
        <rect x="20" y="20" width="60" height="60" fill="red" filter="url(#f)"/>
        <rect x="120" y="20" width="60" height="60" fill="url(#g)"/>
        <text x="10" y="120" font-size="20">words</text>"##;
    let text = svg(r#"width="200" height="130""#, content);
    let result = printed(&text);
    assert_eq!(poppler::words(result.path()), ["words"]);
    let images = poppler::images(result.path());
    let pictures = images.iter().filter(|image| image[2] == "image");
    assert_eq!(pictures.count(), 2, "{images:?}");
    let picture = poppler::picture(result.path(), 1, 96);
    assert_eq!(picture.get_pixel(50, 50).0, [255, 0, 0]);
    assert_eq!(picture.get_pixel(100, 50).0, [255; 3]);
    assert_eq!(result.warnings(), [""; 0]);
}

/// The warnings of a conversion to PDF, with their data.
fn warned(content: &str) -> Vec<(String, serde_json::Value)> {
    let result = printed(&svg(r#"width="200" height="130""#, content));
    let warnings = result.artifact.warnings.into_iter();
    let warnings = warnings.map(|warning| (warning.code, warning.data.into()));
    warnings.collect()
}

#[test]
fn words_that_become_shapes_or_pixels_are_counted() {
    let filter = r##"<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>"##;
    let gradient = r##"<radialGradient id="g" r=".2" spreadMethod="repeat"><stop stop-color="lime"/><stop offset="1" stop-color="blue"/></radialGradient>"##;
    for (content, words) in [
        (
            format!(
                r##"{filter}<g filter="url(#f)"><text y="30">two words</text></g><text y="90">kept</text>"##
            ),
            Some(2),
        ),
        (
            format!(r##"{gradient}<text y="60" font-size="40" fill="url(#g)">one</text>"##),
            Some(1),
        ),
        (
            format!(
                r##"{filter}<rect width="50" height="50" filter="url(#f)"/><text y="90">kept</text>"##
            ),
            None,
        ),
    ] {
        let expected = words.map(|words| {
            let data = serde_json::json!({"words": words});
            ("text_not_searchable".to_owned(), data)
        });
        assert_eq!(warned(&content), Vec::from_iter(expected), "{content}");
    }
}

#[test]
fn drawings_that_become_a_picture_get_a_warning() {
    // PDF has no addition of colors.
    let shape = r##"<rect width="200" height="130" fill="#888"/><text x="10" y="120" font-size="20">three more words</text>
        <rect width="200" height="100" fill="#888" style="mix-blend-mode:plus-lighter"/>"##;
    let expected = (
        "drawing_rasterized".to_owned(),
        serde_json::json!({"words": 3}),
    );
    assert_eq!(warned(shape), [expected]);
}

#[test]
fn pdf_pages_look_like_their_svg() {
    let mut sources: Vec<(String, String)> = Vec::new();
    for (entry, _) in corpus::entries(&["svg"], &["ok"]) {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        sources.push((entry.file.clone(), text));
    }
    let definitions = r##"<clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath>
        <clipPath id="n" clip-path="url(#c)"><path clip-rule="evenodd" d="M0 0h90v90h-90z M30 30h30v30h-30z"/></clipPath>
        <mask id="m"><rect width="50" height="100" fill="#888"/></mask>
        <linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity=".2"/></linearGradient>
        <linearGradient id="r" x2=".3" spreadMethod="reflect"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
        <pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><circle cx="10" cy="10" r="6"/></pattern>"##;
    for content in [
        r##"<rect width="100" height="100" clip-path="url(#c)"/>"##,
        r##"<rect width="100" height="100" clip-path="url(#n)"/>"##,
        r##"<rect width="100" height="100" mask="url(#m)" transform="rotate(10)"/>"##,
        r##"<rect width="100" height="100" fill="url(#g)" stroke="url(#p)" stroke-width="20"/>"##,
        r##"<circle cx="50" cy="50" r="40" fill="url(#r)"/>"##,
        r##"<g opacity=".5"><rect width="60" height="60"/><circle cx="60" cy="60" r="30" fill="red"/></g>"##,
        r##"<rect width="70" height="70" fill="aqua"/><circle cx="60" cy="60" r="40" fill="yellow" style="mix-blend-mode:multiply"/>"##,
        r##"<svg x="20" y="20" width="50" height="50" viewBox="0 0 10 10"><rect x="-5" width="10" height="10"/></svg>"##,
        r##"<text y="60" font-size="60" font-weight="bold" fill="url(#g)" stroke="black">Ab</text>"##,
    ] {
        let content = format!("<defs>{definitions}</defs>{content}");
        let text = svg(r#"width="100" height="100""#, &content);
        sources.push((content, text));
    }
    harness::each(sources, |(name, text)| {
        // The verification compares the renderings; poppler reads the page, too.
        let result = printed(&text);
        let (picture, _) = rendered(&text);
        let page = poppler::picture(result.path(), 1, 96);
        let (wide, high) = picture.dimensions();
        assert!(
            page.width().abs_diff(wide) <= 1 && page.height().abs_diff(high) <= 1,
            "{name}"
        );
        let ink = |shade: &dyn Fn(u32, u32) -> u32| {
            let places = (0..high).flat_map(|y| (0..wide).map(move |x| (x, y)));
            places.map(|(x, y)| u64::from(shade(x, y))).sum::<u64>() / u64::from(wide * high)
        };
        let expected = ink(&|x, y| {
            let [red, green, blue, alpha] = picture.get_pixel(x, y).0.map(u32::from);
            (765 - red - green - blue) * alpha / 255
        });
        let found = ink(&|x, y| {
            let shades = page
                .get_pixel_checked(x, y)
                .map_or([255; 3], |pixel| pixel.0);
            765 - shades.map(u32::from).iter().sum::<u32>()
        });
        assert!(found.abs_diff(expected) <= 25, "{name}: {found} {expected}");
    });
}
