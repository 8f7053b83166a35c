//! Checks PDF with the program qpdf, a different release from the library linked into the engine.

use std::path::Path;
use std::process::{Command, Output};

/// Panics unless the file is valid.
pub(crate) fn check(pdf: &Path, password: &str) {
    let output = run(pdf, &["--check", &format!("--password={password}")]);
    assert!(output.status.success(), "{output:?}");
}

/// Panics unless the file can be read; warnings are allowed.
pub(crate) fn read(pdf: &Path) {
    const WITH_WARNINGS: i32 = 3;
    let output = run(pdf, &["--check"]);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | WITH_WARNINGS)), "{output:?}");
}

/// The file's encryption as reported by qpdf.
pub(crate) fn encryption(pdf: &Path, password: &str) -> String {
    text(
        pdf,
        &["--show-encryption", &format!("--password={password}")],
    )
}

/// A part of qpdf's JSON output for the file.
pub(crate) fn json(pdf: &Path, part: &str) -> serde_json::Value {
    let text = text(
        pdf,
        &["--json=2", "--no-warn", &format!("--json-key={part}")],
    );
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value[part].take()
}

/// Titles of the outline with their target pages from 1, depth first.
pub(crate) fn outline(pdf: &Path) -> Vec<(String, Option<u64>)> {
    fn gather(items: &serde_json::Value, found: &mut Vec<(String, Option<u64>)>) {
        for item in items.as_array().unwrap() {
            let title = item["title"].as_str().unwrap().to_owned();
            found.push((title, item["destpageposfrom1"].as_u64()));
            gather(&item["kids"], found);
        }
    }
    let mut found = Vec::new();
    gather(&json(pdf, "outlines"), &mut found);
    found
}

fn text(pdf: &Path, arguments: &[&str]) -> String {
    String::from_utf8(run(pdf, arguments).stdout).unwrap()
}

fn run(pdf: &Path, arguments: &[&str]) -> Output {
    Command::new("qpdf")
        .args(arguments)
        .arg(pdf)
        .output()
        .unwrap()
}
