//! Reads an untrusted ZIP archive: entries, inflated bytes and the compression ratio are limited (zip bombs).

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::{MarkupError, Result};
use crate::limits::Limits;

/// Maximum compression ratio: inflated bytes per byte of the file.
const RATIO: u64 = 200;
/// Inflated bytes below which the ratio is not checked: small genuine files reach any ratio.
const RATIO_FLOOR: u64 = 10 * 1024 * 1024;

/// A ZIP archive with its remaining budget of inflated bytes.
pub(crate) struct Archive {
    zip: ZipArchive<BufReader<File>>,
    /// Entry index by lowercase name; Office looks names up case-insensitively.
    names: HashMap<String, usize>,
    left: u64,
}

impl Archive {
    /// Opens an archive.
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let zip = ZipArchive::new(BufReader::new(file)).map_err(fault)?;
        if zip.len() as u64 > limits.entries {
            return Err(MarkupError::TooLarge("the archive has too many entries"));
        }
        let allowed = size.saturating_mul(RATIO).max(RATIO_FLOOR);
        let mut archive = Self {
            zip,
            names: HashMap::new(),
            left: allowed.min(limits.inflated_bytes),
        };
        archive.index_names();
        Ok(archive)
    }

    /// Whether an entry with this name exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Whether two entries have the same name, ignoring letter case, the kind of slashes and a leading slash.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.names.len() < self.zip.len()
    }

    /// Returns the bytes of an entry; `None` if it does not exist.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(index) = self.index(name) else {
            return Ok(None);
        };
        let entry = self.zip.by_index(index).map_err(fault)?;
        let mut bytes = Vec::new();
        let read = entry.take(self.left + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > self.left {
            return Err(MarkupError::TooLarge(
                "the compression ratio of the archive is too high",
            ));
        }
        self.left -= bytes.len() as u64;
        read.map_err(|_| MarkupError::Corrupt("an entry of the archive cannot be inflated"))?;
        Ok(Some(bytes))
    }

    /// Returns at most the first `most` bytes of an entry. They do not count against the budget.
    pub(crate) fn head(&mut self, name: &str, most: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Some(entry) = self
            .index(name)
            .and_then(|index| self.zip.by_index(index).ok())
        {
            // Damage is reported when the whole entry is read.
            entry.take(most).read_to_end(&mut bytes).ok();
        }
        bytes
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.names.get(&key(name)).copied()
    }

    fn index_names(&mut self) {
        for index in 0..self.zip.len() {
            if let Some(Ok(name)) = self.zip.name_for_index(index) {
                self.names.entry(key(&name)).or_insert(index);
            }
        }
    }
}

fn key(name: &str) -> String {
    let name = name.replace('\\', "/").to_ascii_lowercase();
    name.trim_start_matches('/').to_owned()
}

fn fault(error: ZipError) -> MarkupError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => MarkupError::PasswordRequired,
        _ => MarkupError::Corrupt("the archive cannot be read"),
    }
}
