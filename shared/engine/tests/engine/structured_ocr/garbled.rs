//! Fonts without a mapping to Unicode: their pages go through OCR, or get a warning.

use std::fmt::Write as _;

use domain::format::Format;
use lopdf::{Document, Object};
use serde_json::json;

use super::{converted, warning_message};
use crate::structured::{known, reopened, step};
use crate::{corpus, harness};

/// A known document as PDF without structure tags.
fn untagged(name: &str) -> Vec<u8> {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let plain = step("pdf", json!({"tagged": false}));
    let pdf = harness::run(&source, Format::Docx, &[plain]).unwrap();
    pdf.bytes()
}

/// A known document as PDF with CID fonts without `ToUnicode`.
fn garbled(name: &str) -> Vec<u8> {
    let mut pdf = untagged(name);
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

/// A known document as PDF whose fonts map all codes to no-break spaces.
fn mapped_to_spaces(name: &str) -> Vec<u8> {
    let mut document = Document::load_mem(&untagged(name)).unwrap();
    let fonts = document.objects.values().filter_map(|object| {
        let map = object.as_dict().ok()?.get(b"ToUnicode").ok()?;
        map.as_reference().ok()
    });
    let maps: Vec<_> = fonts.collect();
    assert!(!maps.is_empty(), "no font has a map");
    for map in maps {
        let Some(Object::Stream(map)) = document.objects.get_mut(&map) else {
            panic!("a map is no stream");
        };
        let text = String::from_utf8(map.decompressed_content().unwrap()).unwrap();
        map.set_plain_content(to_spaces(&text).into_bytes());
    }
    let mut pdf = Vec::new();
    document.save_to(&mut pdf).unwrap();
    pdf
}

/// A character map with another target of all single codes.
fn to_spaces(map: &str) -> String {
    let (mut mapped, mut is_inside) = (String::new(), false);
    for line in map.lines() {
        is_inside = (is_inside || line.ends_with("beginbfchar")) && line != "endbfchar";
        match line.split_once('>').filter(|_| is_inside) {
            Some((code, _)) => writeln!(mapped, "{code}> <00A0>").unwrap(),
            None => writeln!(mapped, "{line}").unwrap(),
        }
    }
    assert!(mapped.contains("<00A0>") && !map.contains("beginbfrange"));
    mapped
}

/// Asserts that the text of a document is nearly that of a known one.
fn assert_has_words_of(name: &str, text: &str) {
    let plain = known(name, "docx", json!({}));
    let expected = reopened(plain.path(), "docx")["text"].to_string();
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (found, wanted) = (words(text), words(&expected));
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
fn pages_without_unicode_mapping_go_through_ocr() {
    let result = converted(&garbled("01-headings-eng"), "docx", json!({}));
    assert_eq!(result.warnings()[0], "text_recognized");
    assert!(
        !result.warnings().contains(&"characters_unknown"),
        "{:?}",
        result.warnings()
    );
    let text = reopened(result.path(), "docx")["text"].to_string();
    assert_has_words_of("01-headings-eng", &text);
}

#[test]
fn pages_of_fonts_that_map_to_spaces_go_through_ocr() {
    let result = converted(&mapped_to_spaces("01-headings-eng"), "docx", json!({}));
    assert_eq!(result.warnings(), ["text_recognized"]);
    let text = reopened(result.path(), "docx")["text"].to_string();
    assert_has_words_of("01-headings-eng", &text);
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
