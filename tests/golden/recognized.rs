//! Checks documents made from images by OCR, with independent libraries.

use crate::office;
use crate::run::Outcome;

/// The image's text outside its table.
const TEXT: [&str; 2] = [
    "Ferry fares",
    "Bicycles travel free of charge on every line.",
];
/// The text of its table; of prices, the part that remains in a number.
const CELLS: [&str; 6] = ["Line", "Departure", "Harbour", "07:15", "Island", "6.8"];

/// Formats that contain tables only.
const TABLES: [&str; 2] = ["xlsx", "csv"];

/// Expects the job's number of parts, the image's text, and warnings about OCR and the text that formats of tables leave out.
pub(crate) fn check(outcome: &Outcome) {
    let read = office::reopened(outcome);
    let output = &outcome.job["output"];
    assert_eq!(read["parts"], output["pages"], "{outcome}");
    let found = read["text"].as_str().unwrap();
    let (text, warned) = match TABLES.contains(&outcome.pair.to.as_str()) {
        true => (&[][..], &["text_recognized", "text_outside_tables"][..]),
        false => (&TEXT[..], &["text_recognized"][..]),
    };
    for printed in text.iter().chain(&CELLS) {
        assert!(
            found.contains(printed),
            "{outcome}: {printed} is not in {found}"
        );
    }
    let warnings = outcome.job["warnings"].as_array().unwrap();
    let codes: Vec<_> = warnings.iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, warned, "{outcome}");
}
