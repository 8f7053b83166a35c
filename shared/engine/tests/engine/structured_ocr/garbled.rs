//! Fonts that do not tell what their letters say: pages of such text are read by OCR, or it is told that nobody knows.

use domain::format::Format;
use serde_json::json;

use super::{made, told};
use crate::structured::{known, reopened, step};
use crate::{corpus, rig};

/// A known document as PDF whose fonts are numbered and have no map to letters.
fn garbled(name: &str) -> Vec<u8> {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let plain = step("pdf", json!({"tagged": false}));
    let mut pdf = rig::run(&source, Format::Docx, &[plain]).unwrap().bytes();
    let map = b"/ToUnicode";
    let places: Vec<usize> = (0..pdf.len().saturating_sub(map.len()))
        .filter(|place| pdf[*place..].starts_with(map))
        .collect();
    assert!(!places.is_empty(), "no font has a map");
    for place in places {
        pdf[place + map.len() - 1] = b'x';
    }
    pdf
}

#[test]
fn what_fonts_do_not_tell_is_read() {
    let made = made(&garbled("01-headings-eng"), "docx", json!({}));
    assert_eq!(made.warnings()[0], "text_recognised");
    assert!(
        !made.warnings().contains(&"characters_unknown"),
        "{:?}",
        made.warnings()
    );
    let text = reopened(made.path(), "docx")["text"].to_string();
    let plain = known("01-headings-eng", "docx", json!({}));
    let expected = reopened(plain.path(), "docx")["text"].to_string();
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (found, wanted) = (words(&text), words(&expected));
    let missed = wanted.iter().filter(|word| !found.contains(word)).count();
    assert!(
        missed * 20 < wanted.len(),
        "{missed} of {}: {text}",
        wanted.len()
    );
    assert!(
        found.len() < wanted.len() * 11 / 10,
        "{} {}",
        found.len(),
        wanted.len()
    );
}

#[test]
fn without_ocr_it_is_told_that_they_are_unknown() {
    let made = made(&garbled("01-headings-eng"), "txt", json!({"ocr": "off"}));
    assert!(
        told(&made, "characters_unknown").contains("page 1"),
        "{:?}",
        made.artifact.warnings
    );
    let text = String::from_utf8(made.bytes()).unwrap();
    assert!(
        text.chars().all(|c| c.is_whitespace() || c == '\u{fffd}'),
        "{text}"
    );
}
