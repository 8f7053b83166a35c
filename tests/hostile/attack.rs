//! Hostile documents and their allowed outcomes.

use tests::corpus::{self, Entry};
use tests::documents::noise;

/// Number of documents of each format that are altered if all cases run.
const ALTERED: usize = 2;

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
    "input_empty",
    "content_mismatch",
    "input_too_large",
    "too_many_pages",
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
    let smallest = all_valid(format).into_iter().next();
    smallest.unwrap_or_else(|| panic!("no valid {format} in the corpus"))
}

/// The valid documents of a format, smallest first.
fn all_valid(format: &str) -> Vec<Entry> {
    let mut valid = corpus::good(if format == "pdf" { "pdf-text" } else { format });
    valid.sort_by_cached_key(|entry| entry.bytes().len());
    valid
}

/// A truncated document, an empty file, and noise, all declared as `format`.
pub(crate) fn damaged(format: &str, half: Expected) -> Vec<Attack> {
    let mut bytes = valid(format).bytes();
    bytes.truncate(bytes.len() / 2);
    vec![
        Attack::new("half", format, bytes, half),
        Attack::new("empty", format, Vec::new(), EMPTY),
        Attack::new("noise", format, noise(50_000), NOISE),
    ]
}

/// The valid documents that are altered, in addition to those of the sample.
pub(crate) fn all_altered(formats: &[&str]) -> Vec<Attack> {
    if !corpus::runs_all_cases() {
        return Vec::new();
    }
    let documents = |format: &&str| {
        let format = (*format).to_owned();
        let valid = all_valid(&format).into_iter().take(ALTERED);
        valid.flat_map(move |entry| altered(&entry, &format, SAFE))
    };
    formats.iter().flat_map(documents).collect()
}

/// A document truncated to a quarter, truncated by one byte, and with single bits flipped.
pub(crate) fn altered(entry: &Entry, format: &str, expected: Expected) -> Vec<Attack> {
    let original = entry.bytes();
    let mut variants = vec![
        (
            "a quarter".to_owned(),
            original[..original.len() / 4].to_vec(),
        ),
        (
            "all but a byte".to_owned(),
            original[..original.len() - 1].to_vec(),
        ),
    ];
    for (index, positions) in noise(6 * 64).chunks(64).enumerate() {
        let mut bytes = original.clone();
        for (number, position) in positions.chunks_exact(4).enumerate() {
            let position = u32::from_le_bytes(position.try_into().unwrap()) as usize;
            bytes[position % original.len()] ^= 1 << (number % 8);
        }
        variants.push((format!("bits flipped, {}", index + 1), bytes));
    }
    let attack = |(variant, bytes)| {
        let name = format!("{} of {}", variant, entry.name());
        Attack::new(&name, format, bytes, expected)
    };
    variants.into_iter().map(attack).collect()
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
