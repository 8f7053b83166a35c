//! Every PDF of the corpus keeps the words of each page on that page, and everything within it, whatever it becomes.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use serde::Deserialize;
use serde_json::json;

use super::{SHOWN, placed, printed};
use crate::structured::{KNOWN, step};
use crate::{corpus, poppler, rig};

/// What keeps places.
const TARGETS: [&str; 4] = ["docx", "pptx", "html", "txt"];

/// Most pages of a document that are looked at.
const PAGES: usize = 2;

/// How far a box may reach beyond its page, points: letters of lines at its edge do, too.
const BEYOND: f64 = 3.0;

/// A page as other libraries read it.
#[derive(Debug, Deserialize)]
struct Page {
    size: [f64; 2],
    texts: Vec<String>,
    /// What stands where: left, top, right and bottom.
    boxes: Vec<(String, f64, f64, f64, f64)>,
}

fn read(path: &Path, format: &str) -> Vec<Page> {
    let python = rig::checkout().join(".octavo/venv/tests/bin/python");
    let script = rig::checkout().join("shared/engine/tests/engine/placed.py");
    let mut command = Command::new(python);
    let told = command.arg(script).arg(path).arg(format).output().unwrap();
    assert!(
        told.status.success(),
        "{}",
        String::from_utf8_lossy(&told.stderr)
    );
    serde_json::from_slice(&told.stdout).unwrap()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The words of a page that are not among its texts, which may be read from the other side.
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
        said.contains(&word) || said.contains(&reversed)
    };
    let words = words.iter().map(|(word, _)| word.as_str());
    words.filter(|word| !is_there(word)).collect()
}

/// What poppler reads a column of vertical text of as one word.
const VERTICAL: &str = "pdf-text/vertical.pdf";

/// Whether a box lies on its page. Those of text from the right have room at their left in some formats.
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
        let made = rig::run(source, Format::Pdf, &[step(to, options)]);
        let made = made.unwrap_or_else(|error| panic!("{name} to {to}: {error:?}"));
        let pages = read(made.path(), to);
        assert_eq!(pages.len(), count, "{name} to {to}");
        for (page, words) in pages.iter().zip(&words) {
            let missing = missing(words, &page.texts);
            assert!(
                missing.is_empty() || name == VERTICAL,
                "{name} to {to}: {missing:?}"
            );
            let mut outside = page.boxes.iter().filter(|placed| !is_on(page, placed));
            assert_eq!(outside.next(), None, "{name} to {to}: {:?}", page.size);
        }
    }
}

#[test]
fn documents_of_the_corpus_keep_their_words_and_pages() {
    let known = KNOWN.map(|name| (name.to_owned(), None));
    let kinds = ["pdf-text", "pdf-forms", "pdf-scan"];
    let found = corpus::entries(&kinds, &["ok"]).into_iter();
    let found = found.map(|(entry, _)| (entry.file.clone(), Some(entry.path())));
    let all: Vec<(String, Option<PathBuf>)> = known.into_iter().chain(found).collect();
    let folder =
        |(name, _): &(String, _)| [name.split_once('/').map(|(folder, _)| folder.to_owned())];
    rig::sample(all, 0, folder, |(name, path)| match path {
        Some(path) => assert_kept(&path, &name),
        None => {
            let source = corpus::file(&format!("layout-truth/{name}.docx"));
            let made = rig::run(&source, Format::Docx, &[rig::convert(Format::Pdf)]).unwrap();
            assert_kept(made.path(), &name);
        }
    });
}

#[test]
fn libreoffice_shows_as_many_pages() {
    let sources = ["pdf-text/basicapi.pdf", "pdf-text/rotation.pdf"];
    let each = sources
        .iter()
        .flat_map(|source| [(source, SHOWN[0]), (source, SHOWN[1])]);
    rig::each(each.collect(), |(source, (to, format))| {
        let source = corpus::file(source);
        let made = placed(&source, to);
        let shown = printed(&made, format);
        assert_eq!(
            poppler::pages(shown.path()),
            poppler::pages(&source),
            "{to}"
        );
    });
}
