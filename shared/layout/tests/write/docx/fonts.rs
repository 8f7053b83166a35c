//! Fonts of DOCX: the font table, and what other programs know of them.

use std::collections::BTreeSet;

use layout::{Content, Item, Page};
use serde_json::json;

use super::made;
use crate::archive::{assert_consistent, parts};
use crate::document::{PORTRAIT, block, item, page, paragraph, run};
use crate::office::{converted, reopened};

/// A page with runs in named fonts, in fonts of equal widths that are unnamed, rare and common, and in the font of its header.
fn in_fonts() -> Vec<Page> {
    let in_font = |text: &str, font: &str, monospaced| {
        let mut run = run(text);
        run.style.font = font.to_owned();
        run.style.monospaced = monospaced;
        run
    };
    let paragraph = paragraph(vec![
        in_font("Usual text", "Helvetica", false),
        in_font("serif", "Minion & Co", false),
        in_font("code", "", true),
        in_font("code", "M+ 1mn", true),
        in_font("code", "DejaVuSansMono", true),
    ]);
    let list = block(Content::List {
        items: vec![Item {
            runs: vec![in_font("Item", "Zapf Grotesk", false)],
            ..item(0, "•", "")
        }],
    });
    let note = block(Content::Footnote {
        label: "1".to_owned(),
        runs: vec![in_font("Note", "Carlito", false)],
    });
    vec![page(1, PORTRAIT, vec![paragraph, list, note])]
}

/// Asserts that the font table has an entry for each font that a part names.
pub(crate) fn assert_font_table(made: &[u8]) {
    assert_consistent(made);
    let mut named = BTreeSet::new();
    for (_, text) in parts(made) {
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let fonts = parsed
            .descendants()
            .filter(|node| node.tag_name().name() == "rFonts");
        named.extend(
            fonts
                .flat_map(|font| font.attributes())
                .map(|attribute| attribute.value().to_owned()),
        );
    }
    let read = reopened(made, "docx");
    let table = read["fonts"].as_object().unwrap();
    let entries: BTreeSet<String> = table.keys().cloned().collect();
    assert_eq!(entries, named);
    assert!(!entries.is_empty());
}

#[test]
fn the_font_table_has_each_font_with_its_alternatives() {
    let made = made(in_fonts());
    assert_font_table(&made);
    assert_eq!(
        reopened(&made, "docx")["fonts"],
        json!({
            "Carlito": {"altName": "Calibri", "family": "swiss", "pitch": "variable"},
            "Courier New": {"altName": "Liberation Mono,Cousine", "family": "modern", "pitch": "fixed"},
            "DejaVu Sans Mono": {"altName": "Courier New,Liberation Mono", "family": "modern", "pitch": "fixed"},
            "Helvetica": {"altName": "Arial,Liberation Sans", "family": "swiss", "pitch": "variable"},
            "Liberation Serif": {"altName": "Times New Roman,Tinos", "family": "roman", "pitch": "variable"},
            "Minion & Co": {"family": "roman", "pitch": "variable"},
            "Zapf Grotesk": {"family": "swiss", "pitch": "variable"},
        })
    );
}

#[test]
fn libreoffice_knows_the_families_of_fonts() {
    let read = converted(&made(in_fonts()), "docx", "fodt");
    let parsed = roxmltree::Document::parse(&read).unwrap();
    let value = |node: &roxmltree::Node<'_, '_>, name: &str| {
        let mut attributes = node.attributes();
        attributes
            .find(|one| one.name() == name)
            .map(|one| one.value().trim_matches('\'').to_owned())
    };
    for (font, family) in [("Zapf Grotesk", "swiss"), ("Minion & Co", "roman")] {
        let mut found = parsed
            .descendants()
            .filter(|node| value(node, "font-family").as_deref() == Some(font))
            .map(|node| value(&node, "font-family-generic"));
        assert_eq!(found.next(), Some(Some(family.to_owned())), "{font}");
    }
}
