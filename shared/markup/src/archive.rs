//! Reads a ZIP archive as an adversary's: entries, inflated bytes and their ratio to the file are counted on the way.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::{MarkupError, Outcome};
use crate::limits::Limits;

/// Most inflated bytes for each byte of the file.
const RATIO: u64 = 200;
/// Inflated bytes below which the ratio does not matter: small files of real offices reach any ratio.
const RATIO_FLOOR: u64 = 10 * 1024 * 1024;

/// An archive, and how much of it may still be inflated.
pub(crate) struct Archive {
    zip: ZipArchive<BufReader<File>>,
    /// Index of each entry by its name in lower case, as offices look them up.
    names: HashMap<String, usize>,
    left: u64,
}

impl Archive {
    /// Opens an archive.
    pub(crate) fn open(path: &Path, limits: &Limits) -> Outcome<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let zip = ZipArchive::new(BufReader::new(file)).map_err(fault)?;
        if zip.len() as u64 > limits.entries {
            return Err(MarkupError::TooLarge("it has too many parts"));
        }
        let allowed = size.saturating_mul(RATIO).max(RATIO_FLOOR);
        let mut archive = Self {
            zip,
            names: HashMap::new(),
            left: allowed.min(limits.inflated_bytes),
        };
        archive.learn_names();
        Ok(archive)
    }

    /// Whether it has a part of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Whether two entries have the same name except for letter case, slashes and a leading slash.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.names.len() < self.zip.len()
    }

    /// The bytes of a part; `None` if there is none of this name.
    pub(crate) fn part(&mut self, name: &str) -> Outcome<Option<Vec<u8>>> {
        let Some(index) = self.index(name) else {
            return Ok(None);
        };
        let entry = self.zip.by_index(index).map_err(fault)?;
        let mut bytes = Vec::new();
        let read = entry.take(self.left + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > self.left {
            return Err(MarkupError::TooLarge(
                "it inflates to far more than its size",
            ));
        }
        self.left -= bytes.len() as u64;
        read.map_err(|_| MarkupError::Corrupt("a part cannot be inflated"))?;
        Ok(Some(bytes))
    }

    /// The first bytes of a part, at most so many: they do not count.
    pub(crate) fn head(&mut self, name: &str, most: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Some(entry) = self
            .index(name)
            .and_then(|index| self.zip.by_index(index).ok())
        {
            // What is damaged is told when all of it is read.
            entry.take(most).read_to_end(&mut bytes).ok();
        }
        bytes
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.names.get(&key(name)).copied()
    }

    fn learn_names(&mut self) {
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
        _ => MarkupError::Corrupt("its archive cannot be read"),
    }
}
