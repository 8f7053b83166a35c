//! Watermarks and page numbers are laid over pages.

use std::path::Path;

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::operation::{
    Corner, DecryptOptions, Operation, PageNumbersOptions, PageRanges, WatermarkOptions,
    WatermarkText,
};
use image::RgbImage;

use crate::documents::{numbered, pdf, stream};
use crate::{corpus, poppler, qpdf, rig};

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

/// Left, upper, right and lower edge of what is darker than white in the picture of a page, as shares of its sides.
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

/// An empty page with these attributes.
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
fn a_text_lies_across_what_is_seen_of_every_page_however_it_is_turned() {
    let upright = rig::run_bytes(&empty(PAGES[0]), Format::Pdf, &[text("DRAFT", None)]).unwrap();
    let upright = poppler::picture(upright.path(), 1, 72);
    let [left, top, right, bottom] = marked(&upright);
    assert!(
        left > 0.05 && right < 0.95 && right - left > 0.2,
        "{left} {right}"
    );
    assert!((left + right - 1.0).abs() < 0.1 && (top + bottom - 1.0).abs() < 0.1);
    for page in PAGES {
        let made = rig::run_bytes(&empty(page), Format::Pdf, &[text("DRAFT", None)]);
        let made = made.unwrap_or_else(|error| panic!("{page}: {error:?}"));
        let found = poppler::picture(made.path(), 1, 72);
        let found = image::imageops::resize(
            &found,
            upright.width(),
            upright.height(),
            image::imageops::FilterType::Triangle,
        );
        let difference = crate::likeness::difference(&found, &upright, 100);
        assert!(difference < 1.5, "{page}: {difference}");
        qpdf::check(made.path(), "");
    }
}

#[test]
fn only_the_pages_asked_for_get_a_text_in_whatever_letters() {
    let step = text("ENTWURF – Черновик €", Some("2,last"));
    let made = rig::run_bytes(&numbered("page", 4), Format::Pdf, &[step]).unwrap();
    let texts = poppler::texts(made.path());
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    for (index, text) in texts.iter().enumerate() {
        assert!(
            squeezed(text).contains(&format!("page{}", index + 1)),
            "{text}"
        );
    }
    let raw = poppler::characters(made.path());
    assert_eq!(raw.matches('Ч').count(), 2, "{raw}");
    assert_eq!(raw.matches('€').count(), 2, "{raw}");
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), numbered("page", 4)).unwrap();
    for (page, has_mark) in [(1, false), (2, true), (3, false), (4, true)] {
        let seen = |file: &Path| poppler::picture(file, page, 72);
        let changed = seen(made.path()) != seen(source.path());
        assert_eq!(changed, has_mark, "page {page}");
    }
}

/// Texts, and the font that each is written with.
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
fn every_script_is_written_with_a_font_that_has_it_and_reads_back() {
    let blank = empty("/MediaBox[0 0 600 400]");
    rig::each(SCRIPTS.to_vec(), |(letters, font)| {
        let made = rig::run_bytes(&blank, Format::Pdf, &[text(letters, None)]);
        let made = made.unwrap_or_else(|error| panic!("{letters}: {error:?}"));
        let base = |text: &str| {
            let letters = text.chars().filter(|character| character.is_alphanumeric());
            let mut letters: Vec<char> = letters.collect();
            letters.sort_unstable();
            letters
        };
        // Along a diagonal, this reader takes each letter for a line of its own.
        let read = poppler::characters(made.path());
        assert_eq!(base(&read), base(letters), "{letters}: {read}");
        let fonts = poppler::fonts(made.path());
        assert!(
            fonts.contains(&format!("OCTAVO+{font}")),
            "{letters}: {fonts}"
        );
        assert!(made.bytes().len() < 40_000, "{letters}");
    });
}

#[test]
fn letters_join_and_stand_from_the_right_where_their_script_asks_for_it() {
    // The word and the same letters kept apart: joined, they take half the room.
    let sheet = empty("/MediaBox[0 0 600 600]");
    let width = |letters: &str| {
        let made = rig::run_bytes(&sheet, Format::Pdf, &[text(letters, None)]).unwrap();
        let [left, _, right, _] = marked(&poppler::picture(made.path(), 1, 72));
        right - left
    };
    let (joined, apart) = (width("ببب"), width("ب\u{200c}ب\u{200c}ب"));
    assert!(joined * 1.4 < apart, "{joined} and {apart}");
    // Numbers between them stand as they are read.
    let mixed = "\u{5d0} 12 \u{5d1}";
    let made = rig::run_bytes(&sheet, Format::Pdf, &[text(mixed, None)]).unwrap();
    let read = poppler::characters(made.path());
    let drawn: String = read.chars().filter(|read| read.is_alphanumeric()).collect();
    assert_eq!(drawn, "\u{5d1}12\u{5d0}");
}

#[test]
fn letters_that_no_font_has_are_named() {
    let refused = rig::run_bytes(&numbered("p", 1), Format::Pdf, &[text("a🙈\u{e000}", None)]);
    let expected = "No font here has these characters of the text: 🙈 (U+1F648), \u{e000} (U+E000). Leave them out, or use a picture.";
    let expected = JobError::new(JobErrorCode::OutputInvalid, expected);
    assert_eq!(refused.err(), Some(engine::EngineError::Document(expected)));
    let refused = rig::run_bytes(&numbered("p", 1), Format::Pdf, &[text("a", Some("2"))]);
    assert_eq!(
        rig::code(refused).err(),
        Some(JobErrorCode::PageRangeInvalid)
    );
}

fn beside(source: &Path, stamp: &[u8], format: Format, step: Operation) -> rig::Made {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), stamp).unwrap();
    rig::run_beside(
        (source, Format::Pdf),
        &[(file.path(), format)],
        step,
        rig::GENEROUS,
    )
    .unwrap()
}

#[test]
fn a_picture_is_laid_over_the_middle_as_transparent_as_asked() {
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
            let made = beside(source.path(), &file, format, stamped(opacity));
            let picture = poppler::picture(made.path(), 1, 72);
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
fn the_first_page_of_a_pdf_is_laid_over_every_page() {
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), numbered("page", 2)).unwrap();
    let stamp = numbered("stamp", 3);
    let made = beside(source.path(), &stamp, Format::Pdf, stamped(100));
    let words = poppler::words(made.path()).concat();
    assert_eq!(words.matches("stamp").count(), 2, "{words}");
    assert_eq!(made.artifact.pages, 2);
    let turned = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Rotate 90/MediaBox[100 100 300 400]/Contents 4 0 R>>".to_vec(),
        // The lower left corner, which is the upper left one of the page as it is shown.
        stream("", b"0 0 1 rg 100 100 50 50 re f"),
    ]);
    let blank = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(blank.path(), empty("/MediaBox[0 0 300 200]")).unwrap();
    let made = beside(blank.path(), &turned, Format::Pdf, stamped(100));
    let [left, top, right, bottom] = marked(&poppler::picture(made.path(), 1, 72));
    assert!(left < 0.01 && top < 0.01, "{left} {top}");
    assert!((right - 50.0 / 300.0).abs() < 0.02 && (bottom - 0.25).abs() < 0.02);
}

#[test]
fn a_stamp_that_cannot_be_read_is_named() {
    let source = corpus::file("pdf-text/vector.pdf");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"noise").unwrap();
    let refused = rig::run_beside(
        (&source, Format::Pdf),
        &[(file.path(), Format::Png)],
        stamped(50),
        rig::GENEROUS,
    );
    match refused {
        Err(engine::EngineError::Document(error)) => {
            assert_eq!(error.code, JobErrorCode::InputCorrupt);
            assert!(error.message.starts_with("The watermark: "), "{error:?}");
        }
        other => panic!("{:?}", other.map(|made| made.artifact)),
    }
}

#[test]
fn pages_are_numbered_where_and_from_what_was_asked_for() {
    let step = |position, start: i64, pages| {
        Operation::PageNumbers(PageNumbersOptions {
            position,
            start: start.try_into().ok(),
            pages,
        })
    };
    for page in PAGES {
        for (position, right, low) in [
            (Some(Corner::TopLeft), false, false),
            (Some(Corner::TopRight), true, false),
            (Some(Corner::BottomLeft), false, true),
            (Some(Corner::BottomRight), true, true),
        ] {
            let made = rig::run_bytes(&empty(page), Format::Pdf, &[step(position, 7, None)]);
            let made = made.unwrap_or_else(|error| panic!("{page}: {error:?}"));
            let edges = marked(&poppler::picture(made.path(), 1, 72));
            let [left, top, _, _] = edges;
            assert_eq!(
                (left > 0.5, top > 0.5),
                (right, low),
                "{page} {position:?} {edges:?}"
            );
            assert_eq!(poppler::texts(made.path()), ["7"], "{page}");
        }
    }
    let step = step(None, 1, ranges("2-3"));
    let made = rig::run_bytes(&numbered("page", 3), Format::Pdf, &[step]).unwrap();
    assert_eq!(
        poppler::texts(made.path()),
        ["page 1", "page 2 1", "page 3 2"]
    );
}

#[test]
fn real_documents_bear_marks() {
    let kinds = ["pdf-text", "pdf-scan", "pdf-forms"];
    rig::each(corpus::good(&kinds, 16), |(entry, _)| {
        for step in [
            text("COPY", None),
            Operation::PageNumbers(PageNumbersOptions::default()),
        ] {
            // Some forbid it, and can be opened by anybody.
            let steps = [Operation::Decrypt(DecryptOptions::default()), step];
            let made = rig::run(&entry.path(), Format::Pdf, &steps);
            let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
            assert_eq!(poppler::pages(made.path()), poppler::pages(&entry.path()));
            qpdf::check(made.path(), "");
        }
    });
}

#[test]
fn the_same_document_becomes_the_same_bytes() {
    let document = numbered("page", 3);
    for step in [
        text("DRAFT", None),
        Operation::PageNumbers(PageNumbersOptions::default()),
    ] {
        let make = || rig::run_bytes(&document, Format::Pdf, std::slice::from_ref(&step)).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256);
    }
}
