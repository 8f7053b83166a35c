//! Checks documents made from the structure of a PDF, with independent libraries.

use crate::run::Outcome;
use crate::{office, poppler, words};

/// Smallest percentage of poppler's words in the result.
const WORDS: usize = 95;

/// Formats that contain tables only.
const TABLES: [&str; 2] = ["xlsx", "csv"];

/// Expects the job's number of parts, the words of the source, and no others.
pub(crate) fn check(outcome: &Outcome) {
    let read = office::reopened(outcome);
    let pages = &outcome.job["output"]["pages"];
    assert_eq!(&read["parts"], pages, "{outcome}");
    let (found, visible) = (
        read["text"].as_str().unwrap(),
        poppler::text(outcome.source_file.path()),
    );
    let invented = words::of_text(found);
    let invented = words::missing(&invented, &visible);
    assert!(invented.is_empty(), "{outcome}: {invented:?}");
    if !TABLES.contains(&outcome.pair.to.as_str()) {
        let wanted = words::of_text(&visible);
        let missing = words::missing(&wanted, found);
        assert!(
            (wanted.len() - missing.len()) * 100 >= wanted.len() * WORDS,
            "{outcome}: without {missing:?}"
        );
    }
}
