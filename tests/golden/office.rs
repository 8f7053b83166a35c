//! Results that are office documents, opened by libraries that did not make them.

use std::process::Command;

use serde_json::Value;

use crate::run::Outcome;
use crate::words;

/// The share of the source's words that are found in the result, in percent; only the first sheet becomes a table in text.
fn least(format: &str) -> usize {
    match format {
        "csv" | "tsv" => 50,
        _ => 90,
    }
}

/// Its words stand in charts, which no table in text holds, and its cells hold numbers.
const CHARTS: &str = "xls/WithThreeCharts.xls";

/// What the cells of its first sheet hold, row by row.
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

/// As many sheets or slides as the job tells, and the words of the source.
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
        found * 100 >= wanted.len() * least(&outcome.pair.to),
        "{outcome}: {found} of {} words, without {missing:?}",
        wanted.len()
    );
}

/// What holds tables only.
const TABLES: [&str; 2] = ["xlsx", "csv"];

/// As many parts as the job tells, and the words of the source, but where tables alone are kept.
pub(crate) fn check_retold(outcome: &Outcome) {
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
        (wanted.len() - missing.len()) * 100 >= wanted.len() * least(&outcome.pair.to),
        "{outcome}: without {missing:?}"
    );
}

/// The text of the result and its number of parts.
pub(crate) fn reopened(outcome: &Outcome) -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let told = Command::new(format!("{root}/.octavo/venv/tests/bin/python"))
        .arg(format!("{root}/shared/engine/tests/engine/reopen.py"))
        .arg(outcome.result_file.path())
        .arg(&outcome.pair.to)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{outcome}: {complaint}");
    serde_json::from_slice(&told.stdout).unwrap()
}
