//! Running headers of a PDF, and results that lost the one of a chapter.

use domain::format::Format;

use super::{convert, found};
use crate::harness;

const HEADERS: [&str; 2] = [
    "Timetables of the northern islands",
    "Rates for passengers and freight",
];
/// Words of the second header that are not parts of other words.
const LOST_WORDS: u64 = 4;

/// A PDF with chapters of two pages each.
fn chapters() -> Vec<u8> {
    let page = |(number, header): (usize, &str)| {
        let lines = (0..12).map(|line| {
            let words = ["boats", "sail", "while", "tides", "permit", "landing"];
            let words = words.map(|word| format!("{word}{}", ["a", "e", "i", "o"][number]));
            format!("<p>{} {}</p>", words.join(" "), "xyzq".repeat(line % 3 + 1))
        });
        format!(
            "<div style='break-after: page'><p style='color: gray; font-size: 9pt'>{header}</p><h2>Part {number}</h2>{}</div>",
            lines.collect::<String>()
        )
    };
    let pages = [HEADERS[0], HEADERS[0], HEADERS[1], HEADERS[1]];
    let pages: String = pages.into_iter().enumerate().map(page).collect();
    harness::run_bytes(
        pages.as_bytes(),
        Format::Html,
        &[harness::convert(Format::Pdf)],
    )
    .unwrap()
    .bytes()
}

#[test]
fn a_running_header_that_a_result_lost_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source.pdf");
    std::fs::write(&source, chapters()).unwrap();
    let formats = [Format::Markdown, Format::Html, Format::Txt, Format::Json];
    harness::each(formats.to_vec(), |to| {
        let made = convert(&source, Format::Pdf, to);
        assert!(!made.warnings().contains(&"content_missing"), "{to}");
        let text = String::from_utf8(made.bytes()).unwrap();
        assert!(text.contains(HEADERS[1]), "{to}: {text}");
        let path = directory.path().join(to.extension());
        std::fs::write(&path, text.replace(HEADERS[1], "")).unwrap();
        let found = found(&path, (&source, Format::Pdf), to);
        assert!(found.words >= LOST_WORDS, "{to}: {found:?}");
    });
}
