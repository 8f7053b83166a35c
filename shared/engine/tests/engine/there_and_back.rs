//! Word documents become PDF, Word and PDF again: as many pages but for one, and 999 of 1,000 words. Poppler counts the words.

use std::collections::BTreeMap;

use domain::format::Format;
use serde_json::json;

use crate::structured::step;
use crate::{corpus, poppler, rig};

/// Of known structure, with headers that differ from page to page, and with pages on which nothing but a header stands.
const DOCUMENTS: [&str; 10] = [
    "layout-truth/02-lists-deu",
    "layout-truth/03-tables-eng",
    "layout-truth/04-images-fra",
    "layout-truth/05-report-eng",
    "layout-truth/07-sections-deu",
    "layout-truth/08-scripts-mul",
    "docx/PageSpecificHeadFoot",
    "docx/docx_page_header_footer_first_page",
    "docx/docx_rich_cells",
    "docx/pages_12",
];

#[test]
fn tagged_documents_come_back_with_their_pages_and_words() {
    rig::each(DOCUMENTS.to_vec(), |name| there_and_back(name, true));
}

#[test]
fn untagged_documents_come_back_with_their_pages_and_words() {
    rig::each(DOCUMENTS.to_vec(), |name| there_and_back(name, false));
}

fn there_and_back(name: &str, tagged: bool) {
    let source = corpus::file(&format!("{name}.docx"));
    let first = rig::run(
        &source,
        Format::Docx,
        &[step("pdf", json!({"tagged": tagged}))],
    )
    .unwrap();
    let steps = ["docx", "pdf"].map(|to| step(to, json!({})));
    let second = rig::run(first.path(), Format::Pdf, &steps).unwrap();
    let pages = [&first, &second].map(|made| made.artifact.pages);
    assert!(pages[0].abs_diff(pages[1]) <= 1, "{name}: {pages:?}");
    let (before, after) = (words(&first), words(&second));
    let lost = before
        .iter()
        .map(|(word, count)| (word, count.saturating_sub(*after.get(word).unwrap_or(&0))));
    let lost: BTreeMap<_, _> = lost.filter(|(_, count)| *count > 0).collect();
    let gone: usize = lost.values().sum();
    assert!(
        gone * 1_000 <= before.values().sum(),
        "{name} without {lost:?}"
    );
}

/// How often each word stands there.
fn words(made: &rig::Made) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for word in poppler::texts(made.path())
        .join(" ")
        .split(|sign: char| !sign.is_alphanumeric())
    {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words.remove("");
    words
}
