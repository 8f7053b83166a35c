//! A hostile document and the ends that it may come to.

use tests::corpus::{self, Entry};

/// How a job on a hostile document may end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// `failed` with one of these codes.
    Fails(&'static [&'static str]),
    /// `completed`, or `failed` with one of these codes.
    CompletesOrFails(&'static [&'static str]),
    /// `completed`.
    Completes,
}

pub(crate) const CORRUPT: End = End::Fails(&["input_corrupt"]);
pub(crate) const EMPTY: End = End::Fails(&["input_empty"]);
pub(crate) const MISMATCH: End = End::Fails(&["content_mismatch"]);
pub(crate) const TOO_LARGE: End = End::Fails(&["input_too_large"]);
pub(crate) const PASSWORD: End = End::Fails(&["password_required"]);

/// Bytes of no known format are damaged or something else; nobody can tell.
pub(crate) const NOISE: End = End::Fails(&["input_corrupt", "content_mismatch"]);

/// Readers may repair it or refuse it.
pub(crate) const REPAIRABLE: End = End::CompletesOrFails(&["input_corrupt"]);

/// A text goes on making sense, unless a character is cut in two.
pub(crate) const TEXT: End = End::CompletesOrFails(&["content_mismatch"]);

/// Any end with a clear code.
pub(crate) const SAFE: End = End::CompletesOrFails(&[
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
    /// The format that it claims to have.
    pub(crate) from: String,
    pub(crate) end: End,
}

impl Attack {
    pub(crate) fn new(name: &str, from: &str, bytes: Vec<u8>, end: End) -> Self {
        Self {
            name: name.to_owned(),
            bytes,
            from: from.to_owned(),
            end,
        }
    }
}

/// The smallest sound document of a format.
pub(crate) fn sound(format: &str) -> Entry {
    let kind = if format == "pdf" { "pdf-text" } else { format };
    let good = corpus::good(kind);
    let smallest = good.iter().min_by_key(|entry| entry.bytes().len());
    smallest
        .unwrap_or_else(|| panic!("no sound {format} in the corpus"))
        .clone()
}

/// The first half of a sound document, nothing at all, and noise, all claiming to be of `format`.
pub(crate) fn damaged(format: &str, half: End) -> Vec<Attack> {
    let mut bytes = sound(format).bytes();
    bytes.truncate(bytes.len() / 2);
    vec![
        Attack::new("half", format, bytes, half),
        Attack::new("empty", format, Vec::new(), EMPTY),
        Attack::new("noise", format, tests::documents::noise(50_000), NOISE),
    ]
}

/// The hostile, broken and encrypted documents of the corpus in these formats.
pub(crate) fn known(formats: &[&str]) -> Vec<Attack> {
    let mut entries = corpus::entries();
    entries.retain(|entry| {
        ["hostile", "pdf-broken", "pdf-encrypted", "office-encrypted"]
            .contains(&entry.kind.as_str())
    });
    let attack = |entry: &Entry| {
        let (_, extension) = entry.file.rsplit_once('.')?;
        let format = formats.iter().find(|format| **format == extension)?;
        Some(Attack::new(&entry.file, format, entry.bytes(), end(entry)))
    };
    entries.iter().filter_map(attack).collect()
}

/// What the manifest expects.
fn end(entry: &Entry) -> End {
    match entry.expect.as_str() {
        "ok" => End::Completes,
        "password_required" => PASSWORD,
        "input_corrupt" => CORRUPT,
        "limit_exceeded" => End::Fails(&["input_too_large", "input_corrupt"]),
        "repairable" => REPAIRABLE,
        "safe" => SAFE,
        other => panic!("the manifest expects {other} of {}", entry.file),
    }
}
