//! Real documents compared with golden files.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::Path;

use markup::{Options, read};

use crate::corpus::{self, FOLDERS};
use crate::outline;

/// Maximum number of lines in a golden file; a hash covers the rest.
const MAX_LINES: usize = 100;

#[test]
fn real_documents_match_their_golden_files() {
    let mut changed = Vec::new();
    for (name, path, format) in corpus::documents(&FOLDERS) {
        let found = match read(&path, format, &Options::default()) {
            Ok(document) => outline::of(&document),
            Err(error) => format!("{:?}: {error}\n", error.code()),
        };
        let file = name.replace('/', "-") + ".txt";
        if !matches_golden_file(&file, &shortened(&found)) {
            changed.push(name);
        }
    }
    assert!(
        changed.is_empty(),
        "differ from their golden files: {changed:#?}"
    );
}

fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (shown, rest) = lines.split_at(lines.len().min(MAX_LINES));
    let mut shortened = shown.join("\n") + "\n";
    if !rest.is_empty() {
        let mut hasher = DefaultHasher::new();
        rest.hash(&mut hasher);
        shortened += &format!("… {} lines, {:016x}\n", rest.len(), hasher.finish());
    }
    shortened
}

fn matches_golden_file(file: &str, found: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/read/golden")
        .join(file);
    if std::env::var("OCTAVO_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, found).unwrap();
    }
    std::fs::read_to_string(&path).is_ok_and(|golden| golden == found)
}
