//! Conversions of PDF to images and text.

use std::io::Read as _;

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::{corpus, harness, poppler, similarity};

const KINDS: &[&str] = &["pdf-text", "pdf-scan", "pdf-forms"];

#[test]
fn every_page_becomes_a_matching_image() {
    let cases: Vec<_> = corpus::good(KINDS, 3)
        .into_iter()
        .flat_map(|(entry, _)| [Format::Png, Format::Jpeg].map(|to| (entry.clone(), to)))
        .collect();
    harness::each(cases, |(entry, to)| {
        let result = harness::run(&entry.path(), Format::Pdf, &[harness::convert(to)]).unwrap();
        let pages = poppler::pages(&entry.path());
        assert_eq!(result.artifact.pages, pages, "{}", entry.file);
        let pictures = pictures(&result, pages, to);
        assert_eq!(pictures.len(), pages as usize);
        let first = image::load_from_memory(&pictures[0]).unwrap().to_rgb8();
        let expected = poppler::picture(&entry.path(), 1, 150);
        let distance = |a: u32, b: u32| a.abs_diff(b);
        assert!(
            distance(first.width(), expected.width()) <= 1,
            "{}",
            entry.file
        );
        assert!(
            distance(first.height(), expected.height()) <= 1,
            "{}",
            entry.file
        );
        let difference = similarity::difference(&first, &expected, 60);
        assert!(
            difference < 12.0,
            "{} as {to}: differs by {difference:.1}",
            entry.file
        );
    });
}

/// The images, single or in an archive.
fn pictures(result: &harness::Converted, pages: u32, to: Format) -> Vec<Vec<u8>> {
    if pages == 1 {
        assert_eq!(result.artifact.content_type, to.mime_type());
        assert_eq!(result.artifact.contents, None);
        return vec![result.bytes()];
    }
    assert_eq!(result.artifact.content_type, "application/zip");
    assert_eq!(result.artifact.extension, "zip");
    let file = std::fs::File::open(result.path()).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let contents = result.artifact.contents.as_ref().unwrap();
    assert_eq!(
        (contents.format, contents.sizes.len()),
        (to, pages as usize)
    );
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let name = format!("Übersicht 1-{:04}.{}", index + 1, to.extension());
            assert_eq!(entry.name().unwrap(), name);
            assert_eq!(entry.size(), contents.sizes[index]);
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            bytes
        })
        .collect()
}

#[test]
fn every_page_becomes_text() {
    harness::each(corpus::good(KINDS, 4), |(entry, _)| {
        let result =
            harness::run(&entry.path(), Format::Pdf, &[harness::convert(Format::Txt)]).unwrap();
        let text = String::from_utf8(result.bytes()).unwrap();
        let pages = poppler::pages(&entry.path());
        assert_eq!(result.artifact.pages, pages);
        assert_eq!(
            text.split('\u{c}').count(),
            pages as usize,
            "{}",
            entry.file
        );
        assert!(!text.contains('\r'), "{}", entry.file);
        let squeezed: String = text.split_whitespace().collect();
        let wanted = poppler::words(&entry.path());
        let latin =
            |word: &&String| word.len() > 3 && word.chars().all(|c| c.is_ascii_alphanumeric());
        let wanted: Vec<_> = wanted.iter().filter(latin).collect();
        let missing = wanted
            .iter()
            .filter(|word| !squeezed.contains(word.as_str()));
        let missing: Vec<_> = missing.collect();
        assert!(
            missing.len() * 20 <= wanted.len(),
            "{}: {missing:?}",
            entry.file
        );
    });
}

#[test]
fn page_limit_applies_and_progress_increases_to_100() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let steps = [harness::convert(Format::Jpeg)];
    let result = harness::run(&source, Format::Pdf, &steps).unwrap();
    assert!(result.progress.is_sorted(), "{:?}", result.progress);
    assert_eq!(result.progress.last(), Some(&100));
    let limits = domain::job::JobLimits {
        pages: 29,
        ..harness::GENEROUS
    };
    let rejected = harness::code(harness::run_within(&source, Format::Pdf, &steps, limits));
    assert_eq!(rejected.err(), Some(JobErrorCode::TooManyPages));
}

#[test]
fn output_is_deterministic() {
    let source = corpus::file("pdf-text/multi_page.pdf");
    for to in [Format::Png, Format::Jpeg, Format::Txt] {
        let make = || harness::run(&source, Format::Pdf, &[harness::convert(to)]).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{to}");
    }
}
