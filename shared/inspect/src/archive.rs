//! Reads a ZIP archive as an adversary's: entries, inflated bytes and their ratio to the file are counted on the way.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use domain::limits::{ARCHIVE_ENTRIES, INFLATED_BYTES};
use task::{Fault, Outcome};
use zip::ZipArchive;
use zip::result::ZipError;

/// Most inflated bytes for each byte of the file.
const RATIO: u64 = 200;
/// Inflated bytes below which the ratio does not matter: small files of real offices reach any ratio.
const RATIO_FLOOR: u64 = 10 * 1024 * 1024;

/// An archive, and how much of it was inflated so far.
pub(super) struct Archive {
    zip: ZipArchive<BufReader<File>>,
    size: u64,
    inflated: u64,
}

impl Archive {
    /// Opens an archive.
    pub(super) fn open(path: &Path) -> Outcome<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let zip = ZipArchive::new(BufReader::new(file)).map_err(fault)?;
        if zip.len() as u64 > ARCHIVE_ENTRIES {
            return Err(Fault::too_large(
                "The document consists of more than 10,000 parts.",
            ));
        }
        Ok(Self {
            zip,
            size,
            inflated: 0,
        })
    }

    /// How many entries it has.
    pub(super) fn len(&self) -> usize {
        self.zip.len()
    }

    /// The name of an entry, as its bytes say.
    pub(super) fn name(&self, index: usize) -> String {
        let name = self.zip.name_for_index(index).and_then(Result::ok);
        name.map(|name| name.into_owned()).unwrap_or_default()
    }

    /// Inflates an entry to its end and gives the bytes to `read`, which may stop earlier.
    pub(super) fn read<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut dyn Read) -> Outcome<T>,
    ) -> Outcome<T> {
        let entry = self.zip.by_index(index).map_err(fault)?;
        let left = allowance(self.size).saturating_sub(self.inflated);
        let mut counted = Counted {
            inner: entry,
            left,
            count: 0,
            spent: false,
        };
        let result = read(&mut counted);
        let drained = std::io::copy(&mut counted, &mut std::io::sink());
        self.inflated += counted.count;
        if counted.spent {
            return Err(Fault::too_large(
                "The document inflates to far more than its size.",
            ));
        }
        drained.map_err(Fault::reading)?;
        result
    }
}

/// Inflated bytes that an archive of this size may hold.
fn allowance(size: u64) -> u64 {
    size.saturating_mul(RATIO)
        .clamp(RATIO_FLOOR, INFLATED_BYTES)
}

fn fault(error: ZipError) -> Fault {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Fault::password_required(),
        ZipError::Io(error) => Fault::reading(error),
        _ => Fault::corrupt(),
    }
}

/// Counts what passes, and ends with an error when there is more than is left.
struct Counted<R> {
    inner: R,
    left: u64,
    count: u64,
    spent: bool,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)? as u64;
        self.count += count;
        if self.count > self.left {
            self.spent = true;
            return Err(std::io::Error::other("more than is allowed"));
        }
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }
}
