//! Operation `compare`.

use std::path::Path;
use std::process::Command;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::json;
use task::comparison::{ChangedText, Comparison};
use tempfile::TempDir;

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

type Outcome = Result<harness::Converted, engine::EngineError>;

/// Compares an earlier and a later version.
fn run(before: &Path, after: &Path, output: &str) -> Outcome {
    let key = domain::id::SourceKey::mint(domain::timestamp::Timestamp(1), 1);
    let step = json!({"operation": "compare", "sourceKey": key, "output": output});
    let step = Operation::read(&step, "$").unwrap();
    let earlier = [(before, Format::Pdf)];
    harness::run_with_attachments((after, Format::Pdf), &earlier, step, harness::GENEROUS)
}

fn compare(before: &[u8], after: &[u8]) -> Comparison {
    let directory = TempDir::new().unwrap();
    let [before, after] = [("before", before), ("after", after)].map(|(name, bytes)| {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    });
    let result = run(&before, &after, "json").unwrap_or_else(|error| panic!("{error:?}"));
    let marked = run(&before, &after, "pdf").unwrap_or_else(|error| panic!("{error:?}"));
    qpdf::check(marked.path(), "");
    let comparison: Comparison = serde_json::from_slice(&result.bytes()).unwrap();
    let pages = usize::try_from(poppler::pages(marked.path())).unwrap();
    assert_eq!(pages, comparison.pages.len());
    comparison
}

/// A document whose pages have lines of text; `more` is content of each page.
fn document(pages: &[&[&str]], more: &str) -> Vec<u8> {
    let numbers = (0..pages.len()).map(|index| 4 + 2 * index);
    let kids: String = numbers.clone().map(|id| format!("{id} 0 R ")).collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len()).into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
    ];
    for (lines, id) in pages.iter().zip(numbers) {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents {} 0 R/Resources<</Font<</F 3 0 R>>>>>>",
            id + 1
        );
        objects.push(page.into_bytes());
        let lines = lines.iter().zip(1..);
        let text: String = lines
            .map(|(line, number)| {
                format!("BT /F 12 Tf 20 {} Td ({line}) Tj ET ", 400 - 20 * number)
            })
            .collect();
        objects.push(stream("", format!("{text}{more}").as_bytes()));
    }
    pdf(&objects)
}

fn texts(changes: &[ChangedText]) -> Vec<&str> {
    changes.iter().map(|change| change.text.as_str()).collect()
}

fn numbers(comparison: &Comparison) -> Vec<(u32, u32)> {
    let pairs = comparison.pages.iter();
    pairs
        .map(|pair| (pair.before.unwrap_or(0), pair.after.unwrap_or(0)))
        .collect()
}

#[test]
fn changed_words_are_reported_with_their_places() {
    let before = document(&[&["The fee is 100 EUR", "and is due today"]], "");
    let after = document(&[&["The fee is 250 EUR", "and is due at once today"]], "");
    let comparison = compare(&before, &after);
    assert!(!comparison.identical);
    assert_eq!(
        (comparison.words_deleted, comparison.words_inserted),
        (1, 3)
    );
    let pair = &comparison.pages[0];
    assert_eq!(texts(&pair.deleted), ["100"]);
    assert_eq!(texts(&pair.inserted), ["250", "at once"]);
    let area = pair.deleted[0].areas[0];
    // The first line is 20 points from the upper edge.
    assert!(area.top > 5.0 && area.bottom < 25.0, "{area:?}");
    assert!(area.left > 60.0 && area.right < 120.0, "{area:?}");
    assert!(pair.regions.iter().any(|region| {
        region.left <= area.left + 3.0 && region.top <= area.top + 6.0 && region.bottom < 30.0
    }));
    assert!(pair.changed_pixels > 0.0 && pair.changed_pixels < 0.05);
}

#[test]
fn equal_documents_are_identical_however_they_are_written() {
    let source = corpus::file("pdf-text/multi_page.pdf");
    let directory = TempDir::new().unwrap();
    let rewritten = directory.path().join("rewritten");
    let status = Command::new("qpdf")
        .args([
            "--warning-exit-0",
            "--linearize",
            "--object-streams=generate",
        ])
        .args([&source, &rewritten])
        .status()
        .unwrap();
    assert!(status.success());
    let result = run(&source, &rewritten, "json").unwrap();
    let comparison: Comparison = serde_json::from_slice(&result.bytes()).unwrap();
    assert!(comparison.identical, "{comparison:?}");
    assert_eq!(
        comparison.pages.len(),
        usize::try_from(poppler::pages(&source)).unwrap()
    );
}

#[test]
fn inserted_and_deleted_pages_are_found_and_moved_text_is_no_change() {
    let (one, two, three): (&[&str], &[&str], &[&str]) = (
        &["one alpha", "beta gamma"],
        &["two delta", "epsilon"],
        &["three zeta", "eta theta"],
    );
    let (two_pages, three_pages) = (
        document(&[one, three], ""),
        document(&[one, two, three], ""),
    );
    let inserted = compare(&two_pages, &three_pages);
    assert_eq!(numbers(&inserted), [(1, 1), (0, 2), (2, 3)]);
    assert_eq!(texts(&inserted.pages[1].inserted), ["two delta epsilon"]);
    assert_eq!((inserted.words_deleted, inserted.words_inserted), (0, 3));
    let deleted = compare(&three_pages, &two_pages);
    assert_eq!(numbers(&deleted), [(1, 1), (2, 0), (3, 2)]);
    assert_eq!(texts(&deleted.pages[1].deleted), ["two delta epsilon"]);
    let moved = compare(
        &document(&[&["a b c", "d e f"], &["g h i"]], ""),
        &document(&[&["a b c"], &["d e f", "g h i"]], ""),
    );
    assert_eq!((moved.words_deleted, moved.words_inserted), (0, 0));
    assert!(!moved.identical);
}

#[test]
fn changed_drawings_are_reported_without_words() {
    let before = document(&[&["same words"]], "0.5 g 50 50 100 80 re f");
    let after = document(&[&["same words"]], "1 0 0 rg 50 50 100 80 re f");
    let comparison = compare(&before, &after);
    assert_eq!(
        (comparison.words_deleted, comparison.words_inserted),
        (0, 0)
    );
    let [region] = comparison.pages[0].regions.as_slice() else {
        panic!("{comparison:?}");
    };
    let close = |a: f32, b: f32| (a - b).abs() < 5.0;
    assert!(
        close(region.left, 50.0)
            && close(region.right, 150.0)
            && close(region.top, 270.0)
            && close(region.bottom, 350.0),
        "{region:?}"
    );
}

#[test]
fn characters_outside_of_the_basic_plane_and_text_outside_of_the_page_are_compared() {
    let converted = |text: &str| {
        let convert = harness::convert(Format::Pdf);
        let result = harness::run_bytes(text.as_bytes(), Format::Txt, &[convert]);
        result.unwrap().bytes()
    };
    let comparison = compare(&converted("\u{20bb7}野家"), &converted("\u{20bbe}野家"));
    assert_eq!(texts(&comparison.pages[0].deleted), ["\u{20bb7}"]);
    assert_eq!(texts(&comparison.pages[0].inserted), ["\u{20bbe}"]);
    let outside = |text: &str| {
        let more = format!("BT /F 12 Tf 400 100 Td ({text}) Tj ET");
        document(&[&["inside"]], &more)
    };
    let comparison = compare(&outside("one"), &outside("other"));
    assert_eq!(texts(&comparison.pages[0].deleted), ["one"]);
    assert_eq!(texts(&comparison.pages[0].inserted), ["other"]);
}

#[test]
fn marked_pages_show_both_versions() {
    let directory = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let before = write("before", &document(&[&["kept gone"], &["last"]], ""));
    let after = document(&[&["kept new"]], "");
    let after = String::from_utf8(after).unwrap();
    // A rotated page that is cropped.
    let after = after.replace("/MediaBox[0 0 300 400]", "/Rotate 90/MediaBox[0 0 300 400]");
    let after = write("after", after.as_bytes());
    let result = run(&before, &after, "pdf").unwrap();
    assert_eq!(
        poppler::page_sizes(result.path()),
        [(712.0, 400.0), (612.0, 400.0)]
    );
    let mut words = poppler::words(result.path());
    words.sort();
    assert_eq!(words, ["gone", "kept", "kept", "last", "new"]);
    let picture = poppler::picture(result.path(), 1, 72);
    let has = |area: std::ops::Range<u32>, color: fn([u8; 3]) -> bool| {
        let mut pixels = picture.enumerate_pixels();
        pixels.any(|(x, _, pixel)| area.contains(&x) && color(pixel.0))
    };
    let red = |[r, g, b]: [u8; 3]| r > 240 && g < 200 && g > 150 && b < 200 && b > 150;
    let green = |[r, g, b]: [u8; 3]| g > 240 && r < 200 && r > 150 && b < 200 && b > 150;
    assert!(has(0..300, red) && !has(0..300, green));
    assert!(has(312..712, green) && !has(312..712, red));
}

#[test]
fn bad_documents_are_named() {
    let good = corpus::file("pdf-text/multi_page.pdf");
    let directory = TempDir::new().unwrap();
    let bad = directory.path().join("bad");
    std::fs::write(&bad, b"no document").unwrap();
    let code = |outcome| harness::code(outcome).err();
    assert_eq!(
        code(run(&bad, &good, "json")),
        Some(JobErrorCode::InputCorrupt)
    );
    let Err(engine::EngineError::Document(error)) = run(&bad, &good, "json") else {
        panic!("accepted");
    };
    assert!(error.message.contains("The earlier version"), "{error:?}");
    assert!(Operation::read(&json!({"operation": "compare"}), "$").is_err());
}
