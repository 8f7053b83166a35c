//! Hostile documents and their allowed outcomes.

use tests::corpus::{self, Entry};

/// Allowed outcomes of a job on a hostile document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// `failed` with one of these codes.
    Fails(&'static [&'static str]),
    /// `completed`, or `failed` with one of these codes.
    CompletesOrFails(&'static [&'static str]),
    /// `completed`.
    Completes,
}

pub(crate) const CORRUPT: Expected = Expected::Fails(&["input_corrupt"]);
pub(crate) const EMPTY: Expected = Expected::Fails(&["input_empty"]);
pub(crate) const MISMATCH: Expected = Expected::Fails(&["content_mismatch"]);
pub(crate) const TOO_LARGE: Expected = Expected::Fails(&["input_too_large"]);
pub(crate) const PASSWORD: Expected = Expected::Fails(&["password_required"]);

/// Noise can be a damaged document or another format.
pub(crate) const NOISE: Expected = Expected::Fails(&["input_corrupt", "content_mismatch"]);

/// Readers may repair or reject it.
pub(crate) const REPAIRABLE: Expected = Expected::CompletesOrFails(&["input_corrupt"]);

/// Truncated text is valid unless a character is split.
pub(crate) const TEXT: Expected = Expected::CompletesOrFails(&["content_mismatch"]);

/// Completion, or failure with any specific code.
pub(crate) const SAFE: Expected = Expected::CompletesOrFails(&[
    "input_corrupt",
    "content_mismatch",
    "input_too_large",
    "password_required",
    "engine_crashed",
    "engine_timeout",
    "engine_out_of_memory",
    "output_too_large",
]);

/// A hostile document.
pub(crate) struct Attack {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The declared format.
    pub(crate) from: String,
    pub(crate) expected: Expected,
}

impl Attack {
    pub(crate) fn new(name: &str, from: &str, bytes: Vec<u8>, expected: Expected) -> Self {
        Self {
            name: name.to_owned(),
            bytes,
            from: from.to_owned(),
            expected,
        }
    }
}

/// The smallest valid document of a format.
pub(crate) fn valid(format: &str) -> Entry {
    let kind = if format == "pdf" { "pdf-text" } else { format };
    let good = corpus::good(kind);
    let smallest = good.iter().min_by_key(|entry| entry.bytes().len());
    smallest
        .unwrap_or_else(|| panic!("no valid {format} in the corpus"))
        .clone()
}

/// A truncated document, an empty file, and noise, all declared as `format`.
pub(crate) fn damaged(format: &str, half: Expected) -> Vec<Attack> {
    let mut bytes = valid(format).bytes();
    bytes.truncate(bytes.len() / 2);
    vec![
        Attack::new("half", format, bytes, half),
        Attack::new("empty", format, Vec::new(), EMPTY),
        Attack::new("noise", format, tests::documents::noise(50_000), NOISE),
    ]
}

/// The hostile, damaged and encrypted documents of the corpus in these formats.
pub(crate) fn from_corpus(formats: &[&str]) -> Vec<Attack> {
    let mut entries = corpus::entries();
    entries.retain(|entry| {
        ["hostile", "pdf-broken", "pdf-encrypted", "office-encrypted"]
            .contains(&entry.kind.as_str())
    });
    let attack = |entry: &Entry| {
        let (_, extension) = entry.file.rsplit_once('.')?;
        let format = formats.iter().find(|format| **format == extension)?;
        Some(Attack::new(
            &entry.file,
            format,
            entry.bytes(),
            expected(entry),
        ))
    };
    entries.iter().filter_map(attack).collect()
}

/// The outcome that the manifest expects.
fn expected(entry: &Entry) -> Expected {
    match entry.expect.as_str() {
        "ok" => Expected::Completes,
        "password_required" => PASSWORD,
        "input_corrupt" => CORRUPT,
        "limit_exceeded" => Expected::Fails(&["input_too_large", "input_corrupt"]),
        "repairable" => REPAIRABLE,
        "safe" => SAFE,
        other => panic!("the manifest expects {other} of {}", entry.file),
    }
}
