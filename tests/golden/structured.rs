//! Results that are made of the structure of a PDF, opened by libraries that did not make them.

use crate::run::Outcome;
use crate::{office, poppler, words};

/// The share of the words that poppler finds which are found here, too, in percent.
const WORDS: usize = 95;

/// What holds tables only.
const TABLES: [&str; 2] = ["xlsx", "csv"];

/// As many parts as the job tells, the words of the source, and no others.
pub(crate) fn check(outcome: &Outcome) {
    let read = office::reopened(outcome);
    let pages = &outcome.job["output"]["pages"];
    assert_eq!(&read["parts"], pages, "{outcome}");
    let (found, shown) = (
        read["text"].as_str().unwrap(),
        poppler::text(outcome.source_file.path()),
    );
    let invented = words::of_text(found);
    let invented = words::missing(&invented, &shown);
    assert!(invented.is_empty(), "{outcome}: {invented:?}");
    if !TABLES.contains(&outcome.pair.to.as_str()) {
        let wanted = words::of_text(&shown);
        let missing = words::missing(&wanted, found);
        assert!(
            (wanted.len() - missing.len()) * 100 >= wanted.len() * WORDS,
            "{outcome}: without {missing:?}"
        );
    }
}
