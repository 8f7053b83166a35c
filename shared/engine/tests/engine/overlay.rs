//! Operations `watermark` and `page-numbers`.

use std::path::Path;

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::operation::{
    DecryptOptions, Operation, PageNumberPosition, PageNumbersOptions, PageRanges,
    WatermarkOptions, WatermarkText,
};
use image::RgbImage;

use crate::sample_documents::{numbered, pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

fn ranges(text: &str) -> Option<PageRanges> {
    PageRanges::try_from(text.to_owned()).ok()
}

fn text(text: &str, pages: Option<&str>) -> Operation {
    Operation::Watermark(WatermarkOptions {
        text: WatermarkText::try_from(text.to_owned()).ok(),
        pages: pages.and_then(ranges),
        ..WatermarkOptions::default()
    })
}

fn stamped(opacity: i64) -> Operation {
    let key = domain::id::SourceKey::mint(domain::timestamp::Timestamp(1), 1);
    Operation::Watermark(WatermarkOptions {
        source_key: Some(key),
        opacity: opacity.try_into().ok(),
        ..WatermarkOptions::default()
    })
}

/// Left, top, right and bottom edge of non-white pixels in a page image, as fractions of its size.
fn marked(picture: &RgbImage) -> [f64; 4] {
    let dark = picture
        .enumerate_pixels()
        .filter(|(_, _, pixel)| pixel.0[1] < 250);
    let places: Vec<(u32, u32)> = dark.map(|(x, y, _)| (x, y)).collect();
    assert!(!places.is_empty(), "nothing is drawn");
    let share = |value: u32, side: u32| f64::from(value) / f64::from(side);
    let (wide, high) = (picture.width(), picture.height());
    [
        share(places.iter().map(|place| place.0).min().unwrap(), wide),
        share(places.iter().map(|place| place.1).min().unwrap(), high),
        share(places.iter().map(|place| place.0).max().unwrap(), wide),
        share(places.iter().map(|place| place.1).max().unwrap(), high),
    ]
}

/// An empty page with these entries.
fn empty(attributes: &str) -> Vec<u8> {
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R{attributes}>>"),
    ])
}

const PAGES: [&str; 6] = [
    "/MediaBox[0 0 300 500]",
    "/MediaBox[0 0 500 300]/Rotate 90",
    "/MediaBox[0 0 300 500]/Rotate 180",
    "/MediaBox[0 0 500 300]/Rotate 270",
    "/MediaBox[0 0 900 900]/CropBox[400 300 700 800]",
    "/MediaBox[-50 -50 100 200]/UserUnit 2",
];

#[test]
fn text_watermark_spans_the_visible_area_of_rotated_and_cropped_pages() {
    let upright =
        harness::run_bytes(&empty(PAGES[0]), Format::Pdf, &[text("DRAFT", None)]).unwrap();
    let upright = poppler::picture(upright.path(), 1, 72);
    let [left, top, right, bottom] = marked(&upright);
    assert!(
        left > 0.05 && right < 0.95 && right - left > 0.2,
        "{left} {right}"
    );
    assert!((left + right - 1.0).abs() < 0.1 && (top + bottom - 1.0).abs() < 0.1);
    for page in PAGES {
        let result = harness::run_bytes(&empty(page), Format::Pdf, &[text("DRAFT", None)]);
        let result = result.unwrap_or_else(|error| panic!("{page}: {error:?}"));
        let found = poppler::picture(result.path(), 1, 72);
        let found = image::imageops::resize(
            &found,
            upright.width(),
            upright.height(),
            image::imageops::FilterType::Triangle,
        );
        let difference = crate::similarity::difference(&found, &upright, 100);
        assert!(difference < 1.5, "{page}: {difference}");
        qpdf::check(result.path(), "");
    }
}

#[test]
fn watermark_is_limited_to_selected_pages_in_every_script() {
    let step = text("ENTWURF – Черновик €", Some("2,last"));
    let result = harness::run_bytes(&numbered("page", 4), Format::Pdf, &[step]).unwrap();
    let texts = poppler::texts(result.path());
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    for (index, text) in texts.iter().enumerate() {
        assert!(
            squeezed(text).contains(&format!("page{}", index + 1)),
            "{text}"
        );
    }
    let raw = poppler::characters(result.path());
    assert_eq!(raw.matches('Ч').count(), 2, "{raw}");
    assert_eq!(raw.matches('€').count(), 2, "{raw}");
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), numbered("page", 4)).unwrap();
    for (page, has_mark) in [(1, false), (2, true), (3, false), (4, true)] {
        let decoded = |file: &Path| poppler::picture(file, page, 72);
        let changed = decoded(result.path()) != decoded(source.path());
        assert_eq!(changed, has_mark, "page {page}");
    }
}

/// Texts, and the font that is used for each.
const SCRIPTS: [(&str, &str); 19] = [
    ("機密文書", "wqy"),
    ("ひみつ カタカナ", "wqy"),
    ("비밀 문서", "wqy"),
    ("סודי ביותר", "DejaVuSans"),
    ("سري للغاية", "DejaVuSans"),
    ("Հայերեն", "DejaVuSans"),
    ("საიდუმლო", "DejaVuSans"),
    ("गोपनीय क्षि", "NotoSansDevanagari"),
    ("গোপনীয়", "NotoSansBengali"),
    ("ਗੁਪਤ", "NotoSansGurmukhi"),
    ("ગોપનીય", "NotoSansGujarati"),
    ("மிக இரகசியம்", "NotoSansTamil"),
    ("రహస్యం", "NotoSansTelugu"),
    ("ಗೌಪ್ಯ", "NotoSansKannada"),
    ("രഹസ്യം", "NotoSansMalayalam"),
    ("රහස්‍ය", "NotoSansSinhala"),
    ("ความลับ ที่", "NotoSansThai"),
    ("ሚስጥር", "NotoSansEthiopic"),
    ("លម្ងាត់", "NotoSansKhmer"),
];

#[test]
fn every_script_uses_a_covering_font_and_extracts_correctly() {
    let blank = empty("/MediaBox[0 0 600 400]");
    harness::each(SCRIPTS.to_vec(), |(letters, font)| {
        let result = harness::run_bytes(&blank, Format::Pdf, &[text(letters, None)]);
        let result = result.unwrap_or_else(|error| panic!("{letters}: {error:?}"));
        let base = |text: &str| {
            let letters = text.chars().filter(|character| character.is_alphanumeric());
            let mut letters: Vec<char> = letters.collect();
            letters.sort_unstable();
            letters
        };
        // On a diagonal, poppler reads each letter as its own line.
        let read = poppler::characters(result.path());
        assert_eq!(base(&read), base(letters), "{letters}: {read}");
        let fonts = poppler::fonts(result.path());
        assert!(
            fonts.contains(&format!("OCTAVO+{font}")),
            "{letters}: {fonts}"
        );
        assert!(result.bytes().len() < 40_000, "{letters}");
    });
}

#[test]
fn scripts_are_shaped_and_set_right_to_left() {
    // The word and the same letters unjoined: joined, they are half as wide.
    let sheet = empty("/MediaBox[0 0 600 600]");
    let width = |letters: &str| {
        let result = harness::run_bytes(&sheet, Format::Pdf, &[text(letters, None)]).unwrap();
        let [left, _, right, _] = marked(&poppler::picture(result.path(), 1, 72));
        right - left
    };
    let (joined, distance) = (width("ببب"), width("ب\u{200c}ب\u{200c}ب"));
    assert!(joined * 1.4 < distance, "{joined} and {distance}");
    // Digits between them stay left to right.
    let mixed = "\u{5d0} 12 \u{5d1}";
    let result = harness::run_bytes(&sheet, Format::Pdf, &[text(mixed, None)]).unwrap();
    let read = poppler::characters(result.path());
    let rendered: String = read.chars().filter(|read| read.is_alphanumeric()).collect();
    assert_eq!(rendered, "\u{5d1}12\u{5d0}");
}

#[test]
fn characters_without_a_font_are_named() {
    let rejected = harness::run_bytes(&numbered("p", 1), Format::Pdf, &[text("a🙈\u{e000}", None)]);
    let expected = "No available font has these characters of the text: 🙈 (U+1F648), \u{e000} (U+E000). Remove them, or use an image.";
    let expected = JobError::new(JobErrorCode::OutputInvalid, expected);
    assert_eq!(
        rejected.err(),
        Some(engine::EngineError::Document(expected))
    );
    let rejected = harness::run_bytes(&numbered("p", 1), Format::Pdf, &[text("a", Some("2"))]);
    assert_eq!(
        harness::code(rejected).err(),
        Some(JobErrorCode::PageRangeInvalid)
    );
}

fn with_stamp(source: &Path, stamp: &[u8], format: Format, step: Operation) -> harness::Converted {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), stamp).unwrap();
    harness::run_with_attachments(
        (source, Format::Pdf),
        &[(file.path(), format)],
        step,
        harness::GENEROUS,
    )
    .unwrap()
}

#[test]
fn image_watermark_is_centered_with_the_requested_opacity() {
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), empty("/MediaBox[0 0 300 200]")).unwrap();
    let red = RgbImage::from_pixel(400, 400, image::Rgb([255, 0, 0]));
    for (format, codec) in [
        (Format::Png, image::ImageFormat::Png),
        (Format::Jpeg, image::ImageFormat::Jpeg),
    ] {
        let mut file = std::io::Cursor::new(Vec::new());
        red.write_to(&mut file, codec).unwrap();
        let file = file.into_inner();
        for (opacity, expected) in [(100, 0), (40, 153)] {
            let result = with_stamp(source.path(), &file, format, stamped(opacity));
            let picture = poppler::picture(result.path(), 1, 72);
            let [red, green, _] = picture.get_pixel(150, 100).0;
            assert!(
                red > 250 && green.abs_diff(expected) < 4,
                "{format} {opacity}: {green}"
            );
            let [left, top, right, bottom] = marked(&picture);
            let near = |a: f64, b: f64| (a - b).abs() < 0.02;
            assert!(
                near(left, 1.0 / 3.0) && near(right, 2.0 / 3.0),
                "{left} {right}"
            );
            assert!(near(top, 0.25) && near(bottom, 0.75), "{top} {bottom}");
        }
    }
}

#[test]
fn pdf_watermark_uses_its_first_page() {
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), numbered("page", 2)).unwrap();
    let stamp = numbered("stamp", 3);
    let result = with_stamp(source.path(), &stamp, Format::Pdf, stamped(100));
    let words = poppler::words(result.path()).concat();
    assert_eq!(words.matches("stamp").count(), 2, "{words}");
    assert_eq!(result.artifact.pages, 2);
    let turned = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Rotate 90/MediaBox[100 100 300 400]/Contents 4 0 R>>".to_vec(),
        // The lower left corner of the page is the upper left one as displayed.
        stream("", b"0 0 1 rg 100 100 50 50 re f"),
    ]);
    let blank = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(blank.path(), empty("/MediaBox[0 0 300 200]")).unwrap();
    let result = with_stamp(blank.path(), &turned, Format::Pdf, stamped(100));
    let [left, top, right, bottom] = marked(&poppler::picture(result.path(), 1, 72));
    assert!(left < 0.01 && top < 0.01, "{left} {top}");
    assert!((right - 50.0 / 300.0).abs() < 0.02 && (bottom - 0.25).abs() < 0.02);
}

#[test]
fn errors_name_an_unreadable_stamp() {
    let source = corpus::file("pdf-text/vector.pdf");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"noise").unwrap();
    let rejected = harness::run_with_attachments(
        (&source, Format::Pdf),
        &[(file.path(), Format::Png)],
        stamped(50),
        harness::GENEROUS,
    );
    match rejected {
        Err(engine::EngineError::Document(error)) => {
            assert_eq!(error.code, JobErrorCode::InputCorrupt);
            assert!(error.message.starts_with("The watermark: "), "{error:?}");
        }
        other => panic!("{:?}", other.map(|result| result.artifact)),
    }
}

#[test]
fn page_numbers_have_the_requested_position_and_start() {
    let step = |position, start: i64, pages| {
        Operation::PageNumbers(PageNumbersOptions {
            position,
            start: start.try_into().ok(),
            pages,
        })
    };
    for page in PAGES {
        for (position, right, low) in [
            (Some(PageNumberPosition::TopLeft), false, false),
            (Some(PageNumberPosition::TopRight), true, false),
            (Some(PageNumberPosition::BottomLeft), false, true),
            (Some(PageNumberPosition::BottomRight), true, true),
        ] {
            let result = harness::run_bytes(&empty(page), Format::Pdf, &[step(position, 7, None)]);
            let result = result.unwrap_or_else(|error| panic!("{page}: {error:?}"));
            let edges = marked(&poppler::picture(result.path(), 1, 72));
            let [left, top, _, _] = edges;
            assert_eq!(
                (left > 0.5, top > 0.5),
                (right, low),
                "{page} {position:?} {edges:?}"
            );
            assert_eq!(poppler::texts(result.path()), ["7"], "{page}");
        }
    }
    let step = step(None, 1, ranges("2-3"));
    let result = harness::run_bytes(&numbered("page", 3), Format::Pdf, &[step]).unwrap();
    assert_eq!(
        poppler::texts(result.path()),
        ["page 1", "page 2 1", "page 3 2"]
    );
}

#[test]
fn real_documents_get_watermarks() {
    let kinds = ["pdf-text", "pdf-scan", "pdf-forms"];
    harness::each(corpus::good(&kinds, 16), |(entry, _)| {
        for step in [
            text("COPY", None),
            Operation::PageNumbers(PageNumbersOptions::default()),
        ] {
            // Some forbid the operation and open without a password.
            let steps = [Operation::Decrypt(DecryptOptions::default()), step];
            let result = harness::run(&entry.path(), Format::Pdf, &steps);
            let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
            assert_eq!(poppler::pages(result.path()), poppler::pages(&entry.path()));
            qpdf::check(result.path(), "");
        }
    });
}

#[test]
fn output_is_deterministic() {
    let document = numbered("page", 3);
    for step in [
        text("DRAFT", None),
        Operation::PageNumbers(PageNumbersOptions::default()),
    ] {
        let make =
            || harness::run_bytes(&document, Format::Pdf, std::slice::from_ref(&step)).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256);
    }
}
