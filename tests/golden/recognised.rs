//! Results that are made of what OCR reads in a picture, opened by libraries that did not make them.

use crate::office;
use crate::run::Outcome;

/// What the picture says outside of its table.
const TEXT: [&str; 2] = [
    "Ferry fares",
    "Bicycles travel free of charge on every line.",
];
/// What it says in its table; of a price as much as a number keeps of it.
const CELLS: [&str; 6] = ["Line", "Departure", "Harbour", "07:15", "Island", "6.8"];

/// What holds tables only.
const TABLES: [&str; 2] = ["xlsx", "csv"];

/// As many parts as the job tells, what the picture says, and that it was read by OCR.
pub(crate) fn check(outcome: &Outcome) {
    let read = office::reopened(outcome);
    let output = &outcome.job["output"];
    assert_eq!(read["parts"], output["pages"], "{outcome}");
    let found = read["text"].as_str().unwrap();
    let text = match TABLES.contains(&outcome.pair.to.as_str()) {
        true => &[][..],
        false => &TEXT,
    };
    for said in text.iter().chain(&CELLS) {
        assert!(found.contains(said), "{outcome}: {said} is not in {found}");
    }
    let warnings = outcome.job["warnings"].as_array().unwrap();
    let codes: Vec<_> = warnings.iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, ["text_recognised"], "{outcome}");
}
