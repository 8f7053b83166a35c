//! Checks text extracted from PDF.

use serde_json::Value;

use crate::run::Outcome;
use crate::{poppler, words};

/// Smallest share of poppler's words in the result.
const WORDS: f64 = 0.95;

/// Expects UTF-8, a form feed between pages, and poppler's words.
pub(crate) fn check(outcome: &Outcome) {
    assert_eq!(
        outcome.job["output"]["contentType"], "text/plain",
        "{outcome}"
    );
    assert_eq!(outcome.job["files"], Value::Null, "{outcome}");
    let text = std::str::from_utf8(&outcome.result).unwrap();
    let pages = poppler::page_sizes(outcome.source_file.path()).len();
    assert_eq!(outcome.job["output"]["pages"], pages, "{outcome}");
    assert_eq!(text.split('\u{c}').count(), pages, "{outcome}");
    let wanted = words::of_text(&poppler::text(outcome.source_file.path()));
    let missing = words::missing(&wanted, text);
    let share = 1.0 - missing.len() as f64 / wanted.len().max(1) as f64;
    assert!(
        share >= WORDS,
        "{outcome}: {share:.2} of the words, without {missing:?}"
    );
}
