//! Reads a ZIP archive defensively: limits the number of entries, the inflated size, and the compression ratio.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use domain::limits::{ARCHIVE_ENTRIES, INFLATED_BYTES};
use task::{TaskError, TaskResult};
use zip::ZipArchive;
use zip::result::ZipError;

/// Maximum inflated bytes per byte of the file.
const MAX_RATIO: u64 = 200;
/// Inflated size up to which any ratio is accepted: small files of real office applications can have any.
const RATIO_EXEMPT_SIZE: u64 = 10 * 1024 * 1024;

/// An archive, and the number of bytes inflated so far.
pub(super) struct Archive {
    zip: ZipArchive<BufReader<File>>,
    size: u64,
    inflated: u64,
}

impl Archive {
    /// Opens an archive.
    pub(super) fn open(path: &Path) -> TaskResult<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let zip = ZipArchive::new(BufReader::new(file)).map_err(zip_error)?;
        if zip.len() as u64 > ARCHIVE_ENTRIES {
            return Err(TaskError::too_large(
                "The document has more than 10,000 parts.",
            ));
        }
        Ok(Self {
            zip,
            size,
            inflated: 0,
        })
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.zip.len()
    }

    /// Returns the name of an entry, decoded from its bytes.
    pub(super) fn name(&self, index: usize) -> String {
        let name = self.zip.name_for_index(index).and_then(Result::ok);
        name.map(|name| name.into_owned()).unwrap_or_default()
    }

    /// Inflates an entry completely and passes the data to `read`, which may stop earlier.
    pub(super) fn read<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut dyn Read) -> TaskResult<T>,
    ) -> TaskResult<T> {
        let entry = self.zip.by_index(index).map_err(zip_error)?;
        let left = max_inflated(self.size).saturating_sub(self.inflated);
        let mut counted = LimitedReader {
            inner: entry,
            left,
            count: 0,
            limit_exceeded: false,
        };
        let result = read(&mut counted);
        let drained = std::io::copy(&mut counted, &mut std::io::sink());
        self.inflated += counted.count;
        if counted.limit_exceeded {
            return Err(TaskError::too_large(
                "The inflated size of the document is far larger than the file (zip bomb).",
            ));
        }
        drained.map_err(TaskError::from_read_error)?;
        result
    }
}

/// Maximum inflated size of an archive of this size.
fn max_inflated(size: u64) -> u64 {
    size.saturating_mul(MAX_RATIO)
        .clamp(RATIO_EXEMPT_SIZE, INFLATED_BYTES)
}

fn zip_error(error: ZipError) -> TaskError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => TaskError::password_required(),
        ZipError::Io(error) => TaskError::from_read_error(error),
        _ => TaskError::input_corrupt(),
    }
}

/// Counts the bytes read and fails above the limit.
struct LimitedReader<R> {
    inner: R,
    left: u64,
    count: u64,
    limit_exceeded: bool,
}

impl<R: Read> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)? as u64;
        self.count += count;
        if self.count > self.left {
            self.limit_exceeded = true;
            return Err(std::io::Error::other("limit of inflated bytes exceeded"));
        }
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }
}
