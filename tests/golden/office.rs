//! Checks office documents with independent libraries.

use std::process::Command;

use serde_json::Value;

use crate::run::Outcome;
use crate::words;

/// Smallest percentage of the source's words in the result; CSV and TSV contain only the first sheet.
fn required_percentage(format: &str) -> usize {
    match format {
        "csv" | "tsv" => 50,
        _ => 90,
    }
}

/// A workbook whose words are in charts, which CSV and TSV cannot contain, and whose cells are numbers.
const CHARTS: &str = "xls/WithThreeCharts.xls";

/// The cells of its first sheet, row by row.
const CELLS: [[&str; 4]; 6] = [
    ["1", "10", "5", "25"],
    ["2", "12", "6", "36"],
    ["3", "14", "7", "49"],
    ["4", "9", "8", "64"],
    ["5", "15", "9", "81"],
    ["6", "17", "10", "100"],
];

fn assert_cells(outcome: &Outcome, text: &str) {
    let mut numbers = text.split(|character: char| !character.is_ascii_digit());
    for cell in CELLS.iter().flatten() {
        let is_there = numbers.any(|number| number == *cell);
        assert!(is_there, "{outcome}: no {cell} at its place in {text}");
    }
}

/// Expects the job's number of sheets or slides, and the words of the source.
pub(crate) fn check(outcome: &Outcome) {
    let read = reopened(outcome);
    let pages = &outcome.job["output"]["pages"];
    assert_eq!(&read["parts"], pages, "{outcome}");
    let text = read["text"].as_str().unwrap();
    if matches!(outcome.pair.to.as_str(), "csv" | "tsv") && outcome.source.file == CHARTS {
        assert_cells(outcome, text);
        return;
    }
    let wanted = words::of_source(
        &outcome.pair.from,
        &outcome.source.file,
        &outcome.source.bytes(),
    );
    let missing = words::missing(&wanted, text);
    let found = wanted.len() - missing.len();
    assert!(
        found * 100 >= wanted.len() * required_percentage(&outcome.pair.to),
        "{outcome}: {found} of {} words, without {missing:?}",
        wanted.len()
    );
}

/// Formats that contain tables only.
const TABLES: [&str; 2] = ["xlsx", "csv"];

/// Expects the job's number of parts, and the words of the source unless the format contains tables only.
pub(crate) fn check_parsed(outcome: &Outcome) {
    let read = reopened(outcome);
    let text = read["text"].as_str().unwrap();
    let pages = &outcome.job["output"]["pages"];
    assert_eq!(&read["parts"], pages, "{outcome}");
    if outcome.source.file == CHARTS {
        assert_cells(outcome, text);
        return;
    }
    if TABLES.contains(&outcome.pair.to.as_str()) {
        assert!(!text.trim().is_empty(), "{outcome}");
        return;
    }
    let wanted = words::of_source(
        &outcome.pair.from,
        &outcome.source.file,
        &outcome.source.bytes(),
    );
    let missing = words::missing(&wanted, text);
    assert!(
        (wanted.len() - missing.len()) * 100
            >= wanted.len() * required_percentage(&outcome.pair.to),
        "{outcome}: without {missing:?}"
    );
}

/// The text of the result and its number of parts.
pub(crate) fn reopened(outcome: &Outcome) -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let output = Command::new(format!("{root}/.octavo/venv/tests/bin/python"))
        .arg(format!("{root}/shared/engine/tests/engine/reopen.py"))
        .arg(outcome.result_file.path())
        .arg(&outcome.pair.to)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{outcome}: {complaint}");
    serde_json::from_slice(&output.stdout).unwrap()
}
