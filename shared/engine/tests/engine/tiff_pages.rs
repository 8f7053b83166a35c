//! Operation `extract-pages` on TIFF.

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{OcrOptions, OcrOutput, Operation, PageRanges, PagesOptions};
use image::RgbImage;

use crate::{corpus, harness, poppler};

fn extract(pages: &str) -> Operation {
    Operation::ExtractPages(PagesOptions {
        pages: PageRanges::try_from(pages.to_owned()).unwrap(),
    })
}

/// Pages of one color each, 10 pixels wide; the height is the page number.
const COLORS: [[u8; 3]; 3] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];

/// An uncompressed TIFF of these pages [TIFF 6.0, section 6].
fn tiff() -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let mut link = 4;
    for (color, height) in COLORS.iter().zip(1_u32..) {
        let pixels = file.len() as u32;
        file.extend(color.repeat(10 * height as usize));
        file.resize(file.len().next_multiple_of(2), 0);
        let bits = file.len() as u32;
        file.extend([8, 0, 8, 0, 8, 0]);
        let directory = file.len() as u32;
        file[link..link + 4].copy_from_slice(&directory.to_le_bytes());
        let tags = [
            (256_u16, 4_u16, 1_u32, 10),
            (257, 4, 1, height),
            (258, 3, 3, bits),
            (259, 3, 1, 1),
            (262, 3, 1, 2),
            (273, 4, 1, pixels),
            (277, 3, 1, 3),
            (278, 4, 1, height),
            (279, 4, 1, 30 * height),
        ];
        file.extend((tags.len() as u16).to_le_bytes());
        for (tag, kind, count, value) in tags {
            file.extend(tag.to_le_bytes());
            file.extend(kind.to_le_bytes());
            file.extend(count.to_le_bytes());
            file.extend(value.to_le_bytes());
        }
        link = file.len();
        file.extend([0; 4]);
    }
    file
}

/// The first page of a TIFF, by a decoder that ignores the others.
fn first(file: &[u8]) -> RgbImage {
    image::load_from_memory(file).unwrap().into_rgb8()
}

#[test]
fn pages_are_extracted_in_the_requested_order() {
    for (pages, expected) in [("1", vec![1]), ("3,1", vec![3, 1]), ("last,2", vec![3, 2])] {
        let result = harness::run_bytes(&tiff(), Format::Tiff, &[extract(pages)]).unwrap();
        assert_eq!(result.artifact.pages as usize, expected.len(), "{pages}");
        assert_eq!(result.artifact.content_type, "image/tiff");
        assert_eq!(result.warnings(), Vec::<&str>::new());
        for (place, number) in (1..).zip(expected) {
            let at = place.to_string();
            let page = harness::run(result.path(), Format::Tiff, &[extract(&at)]).unwrap();
            let color = image::Rgb(COLORS[number - 1]);
            let original = RgbImage::from_pixel(10, number as u32, color);
            assert_eq!(first(&page.bytes()), original, "{pages}: {place}");
        }
    }
}

#[test]
fn missing_and_too_many_pages_are_rejected() {
    let rejected = |pages, most| {
        let limits = JobLimits {
            pages: most,
            ..harness::GENEROUS
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), tiff()).unwrap();
        harness::code(harness::run_within(
            file.path(),
            Format::Tiff,
            &[extract(pages)],
            limits,
        ))
        .err()
    };
    assert_eq!(rejected("4", 5), Some(JobErrorCode::PageRangeInvalid));
    assert_eq!(rejected("1-3,1-3", 5), Some(JobErrorCode::TooManyPages));
    assert_eq!(rejected("1-3,1-2", 5), None);
}

#[test]
fn extracted_pages_keep_their_size() {
    let limits = JobLimits {
        image_side: 100,
        ..harness::GENEROUS
    };
    let source = corpus::file("images/tiff/g4-multi.tiff");
    let result = harness::run_within(&source, Format::Tiff, &[extract("2")], limits).unwrap();
    assert_eq!(result.warnings(), Vec::<&str>::new());
    assert!(first(&result.bytes()).width() > 1_000);
}

#[test]
fn every_page_of_real_scans_can_be_extracted() {
    let scans = corpus::entries(&["tiff"], &["ok"]).into_iter();
    let scans = scans.filter(|(entry, _)| entry.facts.frames.is_some_and(|frames| frames > 1));
    harness::each(scans.collect(), |(entry, format)| {
        let name = &entry.file;
        let original =
            harness::run(&entry.path(), format, &[harness::convert(Format::Pdf)]).unwrap();
        let pages = entry.facts.frames.unwrap().min(5);
        for page in 1..=pages {
            let steps = [extract(&page.to_string()), harness::convert(Format::Pdf)];
            let result = harness::run(&entry.path(), format, &steps);
            let result = result.unwrap_or_else(|error| panic!("{name}: {error:?}"));
            assert_eq!(result.artifact.pages, 1, "{name}");
            let expected = poppler::picture(original.path(), page, 72);
            let found = poppler::picture(result.path(), 1, 72);
            assert_eq!(
                found.dimensions(),
                expected.dimensions(),
                "{name}, page {page}"
            );
            let difference = crate::similarity::difference(&found, &expected, 100);
            assert!(difference < 0.5, "{name}, page {page}: {difference}");
        }
    });
}

#[test]
fn extracted_page_can_be_recognized() {
    let source = corpus::file("images/tiff/g4-multi.tiff");
    let text = |steps: &[Operation]| {
        let result = harness::run(&source, Format::Tiff, steps).unwrap();
        String::from_utf8(result.bytes()).unwrap()
    };
    let read = Operation::Ocr(OcrOptions {
        output: Some(OcrOutput::Text),
        ..OcrOptions::default()
    });
    let all = text(std::slice::from_ref(&read));
    let pages: Vec<&str> = all.split('\u{c}').collect();
    assert!(pages[0].trim() != pages[1].trim());
    for (page, expected) in ["1", "2", "3"].iter().zip(pages) {
        let found = text(&[extract(page), read.clone()]);
        assert_eq!(found.trim_matches('\u{c}').trim(), expected.trim());
    }
}
