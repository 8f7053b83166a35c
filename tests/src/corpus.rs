//! Corpus of real documents with known truth, next to the checkout or where `OCTAVO_CORPUS` points.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::stack::checkout;

/// A corpus file with its known properties.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    pub file: String,
    pub kind: String,
    pub expect: String,
    #[serde(default)]
    pub pages: Option<u32>,
    #[serde(default)]
    pub pages_libreoffice: Option<u32>,
    #[serde(default)]
    pub facts: Value,
}

impl Entry {
    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(directory().join(&self.file)).unwrap()
    }

    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap()
    }
}

pub fn directory() -> PathBuf {
    std::env::var_os("OCTAVO_CORPUS")
        .map_or_else(|| checkout().join("../shared/corpus"), PathBuf::from)
}

/// Every file of the corpus.
pub fn entries() -> Vec<Entry> {
    let manifest = directory().join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap_or_else(|error| {
        panic!(
            "no corpus at {} ({error}): set OCTAVO_CORPUS",
            manifest.display()
        )
    });
    serde_json::from_str(&text).unwrap()
}

/// The files of a kind that must open without loss.
pub fn good(kind: &str) -> Vec<Entry> {
    entries()
        .into_iter()
        .filter(|entry| entry.kind == kind && entry.expect == "ok")
        .collect()
}

/// Whether tests run all cases (`OCTAVO_CASES=all`) instead of a sample.
pub fn runs_all_cases() -> bool {
    std::env::var("OCTAVO_CASES").is_ok_and(|value| value == "all")
}
