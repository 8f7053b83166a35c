//! Fonts without a mapping to Unicode: their pages go through OCR, or get a warning.

use domain::format::Format;
use serde_json::json;

use super::{converted, warning_message};
use crate::structured::{known, reopened, step};
use crate::{corpus, harness};

/// A known document as PDF with CID fonts without `ToUnicode`.
fn garbled(name: &str) -> Vec<u8> {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let plain = step("pdf", json!({"tagged": false}));
    let mut pdf = harness::run(&source, Format::Docx, &[plain])
        .unwrap()
        .bytes();
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
fn pages_without_unicode_mapping_go_through_ocr() {
    let result = converted(&garbled("01-headings-eng"), "docx", json!({}));
    assert_eq!(result.warnings()[0], "text_recognized");
    assert!(
        !result.warnings().contains(&"characters_unknown"),
        "{:?}",
        result.warnings()
    );
    let text = reopened(result.path(), "docx")["text"].to_string();
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
fn without_ocr_unknown_characters_get_a_warning() {
    let result = converted(&garbled("01-headings-eng"), "txt", json!({"ocr": "off"}));
    assert!(
        warning_message(&result, "characters_unknown").contains("page 1"),
        "{:?}",
        result.artifact.warnings
    );
    let text = String::from_utf8(result.bytes()).unwrap();
    assert!(
        text.chars().all(|c| c.is_whitespace() || c == '\u{fffd}'),
        "{text}"
    );
}
