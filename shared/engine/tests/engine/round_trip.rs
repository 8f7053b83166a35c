//! Round trip of Word documents: DOCX → PDF → DOCX → PDF keeps the page count within one page and 99.9 % of the words, as
//! counted by poppler.

use std::collections::BTreeMap;

use domain::format::Format;
use serde_json::json;

use crate::structured::step;
use crate::{corpus, harness, poppler};

/// Documents with known structure, with varying headers, and with pages that contain only a header.
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
fn tagged_documents_keep_pages_and_words() {
    harness::each(DOCUMENTS.to_vec(), |name| assert_round_trip(name, true));
}

#[test]
fn untagged_documents_keep_pages_and_words() {
    harness::each(DOCUMENTS.to_vec(), |name| assert_round_trip(name, false));
}

fn assert_round_trip(name: &str, tagged: bool) {
    let source = corpus::file(&format!("{name}.docx"));
    let first = harness::run(
        &source,
        Format::Docx,
        &[step("pdf", json!({"tagged": tagged}))],
    )
    .unwrap();
    let steps = ["docx", "pdf"].map(|to| step(to, json!({})));
    let second = harness::run(first.path(), Format::Pdf, &steps).unwrap();
    let pages = [&first, &second].map(|result| result.artifact.pages);
    assert!(pages[0].abs_diff(pages[1]) <= 1, "{name}: {pages:?}");
    let (before, after) = (words(&first), words(&second));
    let lost = before
        .iter()
        .map(|(word, count)| (word, count.saturating_sub(*after.get(word).unwrap_or(&0))));
    let lost: BTreeMap<_, _> = lost.filter(|(_, count)| *count > 0).collect();
    let missing: usize = lost.values().sum();
    assert!(
        missing * 1_000 <= before.values().sum(),
        "{name} without {lost:?}"
    );
}

/// Frequency of each word.
fn words(result: &harness::Converted) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for word in poppler::texts(result.path())
        .join(" ")
        .split(|sign: char| !sign.is_alphanumeric())
    {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words.remove("");
    words
}
