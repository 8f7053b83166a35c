//! Real documents are read as they were.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::Path;

use markup::{Options, read};

use crate::corpus::{self, FOLDERS};
use crate::outline;

/// Lines that are written down; what follows them is told by a number.
const LINES: usize = 100;

#[test]
fn real_documents_are_read_as_they_were() {
    let mut changed = Vec::new();
    for (name, path, format) in corpus::documents(&FOLDERS) {
        let said = match read(&path, format, &Options::default()) {
            Ok(document) => outline::of(&document),
            Err(error) => format!("{:?}: {error}\n", error.code()),
        };
        let file = name.replace('/', "-") + ".txt";
        if !is_as_it_was(&file, &short(&said)) {
            changed.push(name);
        }
    }
    assert!(changed.is_empty(), "are read otherwise: {changed:#?}");
}

fn short(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (shown, rest) = lines.split_at(lines.len().min(LINES));
    let mut short = shown.join("\n") + "\n";
    if !rest.is_empty() {
        let mut hasher = DefaultHasher::new();
        rest.hash(&mut hasher);
        short += &format!("… {} lines, {:016x}\n", rest.len(), hasher.finish());
    }
    short
}

fn is_as_it_was(file: &str, said: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/read/golden")
        .join(file);
    if std::env::var("OCTAVO_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, said).unwrap();
    }
    std::fs::read_to_string(&path).is_ok_and(|before| before == said)
}
