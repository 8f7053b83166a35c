//! Reads streams of a compound file [MS-CFB].

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use cfb::CompoundFile;

use super::item::Unreadable;

/// A compound file.
pub(super) struct Compound {
    file: CompoundFile<File>,
    size: u64,
}

impl Compound {
    pub(super) fn open(path: &Path) -> Result<Self, Unreadable> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let file = CompoundFile::open(file)?;
        Ok(Self { file, size })
    }

    /// Reads a stream, if there is one.
    pub(super) fn optional(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        match self.file.is_stream(name) {
            true => self.stream(name).map(Some),
            false => Ok(None),
        }
    }

    /// The paths of the storages in the root whose names begin so.
    pub(super) fn storages(&self, start: &str) -> Vec<String> {
        let entries = self.file.read_root_storage();
        let entries = entries.filter(|entry| entry.is_storage() && entry.name().starts_with(start));
        entries.map(|entry| format!("/{}", entry.name())).collect()
    }

    /// Reads a stream, which cannot be longer than the file.
    pub(super) fn stream(&mut self, name: &str) -> Result<Vec<u8>, Unreadable> {
        let mut bytes = Vec::new();
        let stream = self.file.open_stream(name)?;
        stream.take(self.size).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
