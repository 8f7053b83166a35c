//! What the program qpdf says of a PDF, which is another release than the library that the engine is linked with.

use std::path::Path;
use std::process::{Command, Output};

/// Panics unless the file is whole.
pub(crate) fn check(pdf: &Path, password: &str) {
    let output = run(pdf, &["--check", &format!("--password={password}")]);
    assert!(output.status.success(), "{output:?}");
}

/// Panics unless the file can be read, whatever is odd about what its source held.
pub(crate) fn read(pdf: &Path) {
    const WITH_WARNINGS: i32 = 3;
    let output = run(pdf, &["--check"]);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | WITH_WARNINGS)), "{output:?}");
}

/// What it tells of the file's encryption.
pub(crate) fn encryption(pdf: &Path, password: &str) -> String {
    text(
        pdf,
        &["--show-encryption", &format!("--password={password}")],
    )
}

/// A part of what it tells of the file as JSON.
pub(crate) fn json(pdf: &Path, part: &str) -> serde_json::Value {
    let text = text(
        pdf,
        &["--json=2", "--no-warn", &format!("--json-key={part}")],
    );
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value[part].take()
}

/// Titles of the outline with the pages, from 1, that they lead to, in order and with those below them.
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
