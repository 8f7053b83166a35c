//! The corpus: real documents and their known properties.

use std::path::PathBuf;

use domain::format::Format;
use serde::Deserialize;

use crate::harness::{checkout, runs_all_cases};

/// The corpus contains no XLSB.
pub(crate) const XLSB: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/golden/workbooks/report.xlsb"
);

/// A file of the corpus.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Entry {
    pub(crate) file: String,
    pub(crate) kind: String,
    pub(crate) expect: String,
    pub(crate) pages: Option<u32>,
    pub(crate) pages_libreoffice: Option<u32>,
    pub(crate) password: Option<String>,
    #[serde(default)]
    pub(crate) facts: Facts,
}

/// Known properties of an image.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Facts {
    pub(crate) frames: Option<u32>,
}

impl Entry {
    pub(crate) fn path(&self) -> PathBuf {
        directory().join(&self.file)
    }

    /// The format of the file's extension, if supported.
    pub(crate) fn format(&self) -> Option<Format> {
        match self.file.rsplit('.').next().unwrap() {
            "xlsm" => Some(Format::Xlsx),
            extension => Format::from_extension(extension),
        }
    }
}

/// Files of some kinds and expectations.
pub(crate) fn entries(kinds: &[&str], expect: &[&str]) -> Vec<(Entry, Format)> {
    let text = std::fs::read_to_string(directory().join("manifest.json"));
    let text = text.expect("no corpus: set OCTAVO_CORPUS");
    let entries: Vec<Entry> = serde_json::from_str(&text).unwrap();
    entries
        .into_iter()
        .filter(|entry| kinds.contains(&entry.kind.as_str()))
        .filter(|entry| expect.contains(&entry.expect.as_str()))
        .filter_map(|entry| entry.format().map(|format| (entry, format)))
        .collect()
}

/// A few valid files of each kind, or all of them.
pub(crate) fn good(kinds: &[&str], few: usize) -> Vec<(Entry, Format)> {
    let of_kind = |kind: &&str| {
        let entries = entries(&[kind], &["ok"]).into_iter();
        entries
            .take(if runs_all_cases() { usize::MAX } else { few })
            .collect::<Vec<_>>()
    };
    kinds.iter().flat_map(of_kind).collect()
}

/// One file.
pub(crate) fn file(name: &str) -> PathBuf {
    directory().join(name)
}

fn directory() -> PathBuf {
    let named = std::env::var_os("OCTAVO_CORPUS").map(PathBuf::from);
    named.unwrap_or_else(|| checkout().join("../shared/corpus"))
}
