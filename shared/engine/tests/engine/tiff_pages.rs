//! Pages are taken out of a TIFF.

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{OcrOptions, OcrOutput, Operation, PageRanges, PagesOptions};
use image::RgbImage;

use crate::{corpus, poppler, rig};

fn extract(pages: &str) -> Operation {
    Operation::ExtractPages(PagesOptions {
        pages: PageRanges::try_from(pages.to_owned()).unwrap(),
    })
}

/// Pages of one colour each, 10 pixels wide and as high as their number.
const COLOURS: [[u8; 3]; 3] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];

/// A TIFF of these pages, not compressed [TIFF 6.0, section 6].
fn tiff() -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let mut link = 4;
    for (colour, height) in COLOURS.iter().zip(1_u32..) {
        let pixels = file.len() as u32;
        file.extend(colour.repeat(10 * height as usize));
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

/// The first page of a TIFF, by a decoder that looks at no other.
fn first(file: &[u8]) -> RgbImage {
    image::load_from_memory(file).unwrap().into_rgb8()
}

#[test]
fn pages_come_in_the_order_in_which_they_are_named() {
    for (pages, expected) in [("1", vec![1]), ("3,1", vec![3, 1]), ("last,2", vec![3, 2])] {
        let made = rig::run_bytes(&tiff(), Format::Tiff, &[extract(pages)]).unwrap();
        assert_eq!(made.artifact.pages as usize, expected.len(), "{pages}");
        assert_eq!(made.artifact.content_type, "image/tiff");
        assert_eq!(made.warnings(), Vec::<&str>::new());
        for (place, number) in (1..).zip(expected) {
            let at = place.to_string();
            let page = rig::run(made.path(), Format::Tiff, &[extract(&at)]).unwrap();
            let colour = image::Rgb(COLOURS[number - 1]);
            let whole = RgbImage::from_pixel(10, number as u32, colour);
            assert_eq!(first(&page.bytes()), whole, "{pages}: {place}");
        }
    }
}

#[test]
fn pages_that_are_not_there_or_too_many_are_refused() {
    let refused = |pages, most| {
        let limits = JobLimits {
            pages: most,
            ..rig::GENEROUS
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), tiff()).unwrap();
        rig::code(rig::run_within(
            file.path(),
            Format::Tiff,
            &[extract(pages)],
            limits,
        ))
        .err()
    };
    assert_eq!(refused("4", 5), Some(JobErrorCode::PageRangeInvalid));
    assert_eq!(refused("1-3,1-3", 5), Some(JobErrorCode::TooManyPages));
    assert_eq!(refused("1-3,1-2", 5), None);
}

#[test]
fn a_page_is_as_large_as_it_was_whatever_the_plan_allows_of_results() {
    let limits = JobLimits {
        image_side: 100,
        ..rig::GENEROUS
    };
    let source = corpus::file("images/tiff/g4-multi.tiff");
    let made = rig::run_within(&source, Format::Tiff, &[extract("2")], limits).unwrap();
    assert_eq!(made.warnings(), Vec::<&str>::new());
    assert!(first(&made.bytes()).width() > 1_000);
}

#[test]
fn every_page_of_real_scans_can_be_had_by_itself() {
    let scans = corpus::entries(&["tiff"], &["ok"]).into_iter();
    let scans = scans.filter(|(entry, _)| entry.facts.frames.is_some_and(|frames| frames > 1));
    rig::each(scans.collect(), |(entry, format)| {
        let name = &entry.file;
        let whole = rig::run(&entry.path(), format, &[rig::convert(Format::Pdf)]).unwrap();
        let pages = entry.facts.frames.unwrap().min(5);
        for page in 1..=pages {
            let steps = [extract(&page.to_string()), rig::convert(Format::Pdf)];
            let made = rig::run(&entry.path(), format, &steps);
            let made = made.unwrap_or_else(|error| panic!("{name}: {error:?}"));
            assert_eq!(made.artifact.pages, 1, "{name}");
            let expected = poppler::picture(whole.path(), page, 72);
            let found = poppler::picture(made.path(), 1, 72);
            assert_eq!(
                found.dimensions(),
                expected.dimensions(),
                "{name}, page {page}"
            );
            let difference = crate::likeness::difference(&found, &expected, 100);
            assert!(difference < 0.5, "{name}, page {page}: {difference}");
        }
    });
}

#[test]
fn the_text_of_one_page_is_read() {
    let source = corpus::file("images/tiff/g4-multi.tiff");
    let text = |steps: &[Operation]| {
        let made = rig::run(&source, Format::Tiff, steps).unwrap();
        String::from_utf8(made.bytes()).unwrap()
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
