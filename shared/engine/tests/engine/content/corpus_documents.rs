//! Mutations of results of the corpus: an element, a line or a page is removed from a good result, or two elements are swapped.

use std::io::Write as _;

use domain::format::Format;
use domain::operation::{Operation, PageRanges, PagesOptions};

use super::{Found, convert, found};
use crate::sample_documents::with_part;
use crate::{corpus, harness};

/// Documents and the formats of their results.
const CASES: [(&str, Format, &[Format]); 7] = [
    (
        "docx/pages_12.docx",
        Format::Docx,
        &[
            Format::Txt,
            Format::Markdown,
            Format::Html,
            Format::Odt,
            Format::Pdf,
        ],
    ),
    (
        "odt/Electra.odt",
        Format::Odt,
        &[Format::Txt, Format::Docx, Format::Html],
    ),
    (
        "rtf/testRTFVarious.rtf",
        Format::Rtf,
        &[Format::Txt, Format::Docx, Format::Odt],
    ),
    (
        "doc/greek_heading_styles.doc",
        Format::Doc,
        &[Format::Txt, Format::Odt],
    ),
    (
        "xlsx/SampleSS.strict.xlsx",
        Format::Xlsx,
        &[Format::Csv, Format::Markdown, Format::Html],
    ),
    (
        "pptx/powerpoint_sample.pptx",
        Format::Pptx,
        &[Format::Txt, Format::Markdown, Format::Pdf],
    ),
    (
        "csv/csv-semicolon.csv",
        Format::Csv,
        &[Format::Markdown, Format::Html],
    ),
];

#[test]
fn mutations_of_results_of_the_corpus_are_found() {
    let cases = CASES
        .iter()
        .flat_map(|(file, from, targets)| targets.iter().map(move |to| (*file, *from, *to)));
    harness::each(cases.collect(), |(file, from, to)| {
        let source = corpus::file(file);
        let made = convert(&source, from, to);
        let verify = |result: &[u8]| {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), result).unwrap();
            found(file.path(), (&source, from), to)
        };
        let Found {
            words, reordered, ..
        } = verify(&made.bytes());
        assert_eq!((words, reordered), (0, 0), "{file} to {to}");
        let removed = verify(&mutated(&made.bytes(), to, without_longest));
        let line = format!("{file} to {to}: {removed:?}");
        writeln!(std::io::stdout(), "{line}").ok();
        assert!(removed.words + removed.numbers > 0, "{line}");
    });
}

/// A result with a changed text, or a PDF without its first page.
fn mutated(
    result: &[u8],
    format: Format,
    change: impl FnOnce(&str, (&str, &str)) -> String,
) -> Vec<u8> {
    let text = || std::str::from_utf8(result).unwrap();
    match format {
        Format::Pdf => {
            let pages = PageRanges::try_from("1".to_owned()).unwrap();
            let step = Operation::DeletePages(PagesOptions { pages });
            harness::run_bytes(result, Format::Pdf, &[step])
                .unwrap()
                .bytes()
        }
        Format::Docx => with_part(result, "word/document.xml", |part| {
            change(part, ("<w:p>", "</w:p>"))
        }),
        Format::Odt => with_part(result, "content.xml", |part| {
            change(part, ("<text:p ", "</text:p>"))
        }),
        Format::Html if text().contains("<tr") => change(text(), ("<tr", "</tr>")).into_bytes(),
        Format::Html => change(text(), ("<p", "</p>")).into_bytes(),
        _ => change(text(), ("", "\n")).into_bytes(),
    }
}

/// The number of letters of a text outside tags.
fn count_letters(text: &str) -> usize {
    let texts = text
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    texts
        .flat_map(str::chars)
        .filter(|letter| letter.is_alphabetic())
        .count()
}

/// The text without the element that has most letters.
fn without_longest(text: &str, (open, close): (&str, &str)) -> String {
    let parts: Vec<&str> = text.split_inclusive(close).collect();
    let letters = |part: &&&str| match open {
        "" => count_letters(part),
        open => part
            .rsplit_once(open)
            .map_or(0, |(_, text)| count_letters(text)),
    };
    let longest = parts
        .iter()
        .filter(|part| part.contains(open))
        .max_by_key(letters);
    let longest = *longest.unwrap();
    let before = longest.rsplit_once(open).map_or("", |(before, _)| before);
    let without = parts.iter().map(|part| match std::ptr::eq(*part, longest) {
        true if open.is_empty() => "",
        true => before,
        false => part,
    });
    without.collect()
}
