//! Every PDF of the corpus keeps the words of each page on that page and within its bounds in every fixed-layout format.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use domain::job::JobErrorCode;
use serde::Deserialize;
use serde_json::json;

use super::{RENDERED_FORMATS, convert_fixed, printed};
use crate::structured::{KNOWN, step};
use crate::{corpus, harness, poppler};

/// Fixed-layout formats.
const TARGETS: [&str; 4] = ["docx", "pptx", "html", "txt"];

/// Pages checked per document.
const PAGES: usize = 2;

/// How far a box may exceed its page in points: line boxes at the edge do, too.
const BEYOND: f64 = 3.0;

/// A page as read by other libraries.
#[derive(Debug, Deserialize)]
struct Page {
    size: [f64; 2],
    texts: Vec<String>,
    /// Boxes by name: left, top, right and bottom.
    boxes: Vec<(String, f64, f64, f64, f64)>,
}

fn read(path: &Path, format: &str) -> Vec<Page> {
    let python = harness::checkout().join(".octavo/venv/tests/bin/python");
    let script = harness::checkout().join("shared/engine/tests/engine/fixed_layout.py");
    let mut command = Command::new(python);
    let output = command.arg(script).arg(path).arg(format).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn without_alef(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, 'ا' | 'أ' | 'إ' | 'آ'))
        .collect()
}

/// The words of a page that are missing from its texts, which may be right to left.
fn missing<'w>(words: &'w [(String, [f64; 4])], texts: &[String]) -> Vec<&'w str> {
    let said: String = texts.iter().map(|text| letters(text)).collect();
    let is_there = |word: &str| {
        let plain = [
            ("&quot;", "\""),
            ("&apos;", "'"),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&amp;", "&"),
        ];
        let word = plain.iter().fold(word.to_owned(), |word, (mark, sign)| {
            word.replace(mark, sign)
        });
        let word = letters(&word);
        let reversed: String = word.chars().rev().collect();
        // In reversed words, poppler keeps the letters of the ligature of lam and alef in order.
        let is_reversed = || without_alef(&said).contains(&without_alef(&reversed));
        said.contains(&word) || is_reversed()
    };
    let words = words.iter().map(|(word, _)| word.as_str());
    words.filter(|word| !is_there(word)).collect()
}

/// Document in which poppler reads a column of vertical text as one word.
const VERTICAL: &str = "pdf-text/vertical.pdf";

/// Whether a box is on its page. Right-to-left text has extra width at the left in some formats.
fn is_on(page: &Page, (kind, left, top, right, bottom): &(String, f64, f64, f64, f64)) -> bool {
    let [width, height] = page.size;
    let room = if kind == "Line" {
        (right - left) / 3.0
    } else {
        0.0
    };
    *left >= -BEYOND - room
        && *top >= -BEYOND
        && *right <= width + BEYOND
        && *bottom <= height + BEYOND
}

fn assert_kept(source: &Path, name: &str) {
    let words = poppler::word_boxes(source);
    let count = words.len().min(PAGES);
    for to in TARGETS {
        let options = json!({"mode": "layout", "ocr": "off", "pages": format!("1-{count}")});
        let steps = [step(to, options)];
        let result = harness::code(harness::run(source, Format::Pdf, &steps));
        let mut pages = words.iter().take(count);
        // Without OCR, a scan has no text.
        if pages.all(Vec::is_empty) && matches!(result, Err(JobErrorCode::OutputInvalid)) {
            continue;
        }
        let result = result.unwrap_or_else(|error| panic!("{name} to {to}: {error:?}"));
        let pages = read(result.path(), to);
        assert_eq!(pages.len(), count, "{name} to {to}");
        for (page, words) in pages.iter().zip(&words) {
            let missing = missing(words, &page.texts);
            assert!(
                missing.is_empty() || name == VERTICAL,
                "{name} to {to}: {missing:?}"
            );
            let mut outside = page
                .boxes
                .iter()
                .filter(|convert_fixed| !is_on(page, convert_fixed));
            assert_eq!(outside.next(), None, "{name} to {to}: {:?}", page.size);
        }
    }
}

#[test]
fn corpus_documents_keep_words_on_their_pages() {
    let known = KNOWN.map(|name| (name.to_owned(), None));
    let kinds = ["pdf-text", "pdf-forms", "pdf-scan"];
    let found = corpus::entries(&kinds, &["ok"]).into_iter();
    let found = found.map(|(entry, _)| (entry.file.clone(), Some(entry.path())));
    let all: Vec<(String, Option<PathBuf>)> = known.into_iter().chain(found).collect();
    let folder =
        |(name, _): &(String, _)| [name.split_once('/').map(|(folder, _)| folder.to_owned())];
    harness::sample(all, 0, folder, |(name, path)| match path {
        Some(path) => assert_kept(&path, &name),
        None => {
            let source = corpus::file(&format!("layout-truth/{name}.docx"));
            let result =
                harness::run(&source, Format::Docx, &[harness::convert(Format::Pdf)]).unwrap();
            assert_kept(result.path(), &name);
        }
    });
}

#[test]
fn libreoffice_renders_the_same_page_count() {
    let sources = ["pdf-text/basicapi.pdf", "pdf-text/rotation.pdf"];
    let each = sources
        .iter()
        .flat_map(|source| [(source, RENDERED_FORMATS[0]), (source, RENDERED_FORMATS[1])]);
    harness::each(each.collect(), |(source, (to, format))| {
        let source = corpus::file(source);
        let result = convert_fixed(&source, to);
        let visible = printed(&result, format);
        assert_eq!(
            poppler::pages(visible.path()),
            poppler::pages(&source),
            "{to}"
        );
    });
}
