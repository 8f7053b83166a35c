//! Files that LibreOffice holds open, such as its archive of icons: the sandbox closes all descriptors of a fork, so each fork
//! opens these files again under the same descriptor numbers.

use std::fs::{File, read_dir, read_link};
use std::os::fd::{AsRawFd as _, IntoRawFd as _, RawFd};
use std::path::{Path, PathBuf};

use rustix::io::fcntl_dupfd_cloexec;

/// The regular files outside the zygote's own directory that are open in the zygote, with their descriptor numbers. They belong
/// to the installation, because the zygote never opens a customer's document.
pub(super) struct OpenFiles(Vec<(RawFd, PathBuf)>);

impl OpenFiles {
    /// Lists the files open in this process.
    pub(super) fn list(home: &Path) -> std::io::Result<Self> {
        let files = read_dir("/proc/self/fd")?.filter_map(|entry| {
            let entry = entry.ok()?;
            let number = entry.file_name().to_str()?.parse().ok()?;
            let path = read_link(entry.path()).ok()?;
            (path.is_file() && !path.starts_with(home)).then_some((number, path))
        });
        Ok(Self(files.collect()))
    }

    /// Opens the files again in a fork, for reading. A file whose number is in use, or that is gone, stays closed.
    pub(super) fn reopen(&self) {
        for (number, path) in &self.0 {
            let again = File::open(path).and_then(|file| match file.as_raw_fd() == *number {
                true => Ok(file.into()),
                false => Ok(fcntl_dupfd_cloexec(file, *number)?),
            });
            match again {
                // LibreOffice owns the descriptor.
                Ok(descriptor) if descriptor.as_raw_fd() == *number => {
                    _ = descriptor.into_raw_fd();
                }
                _ => {}
            }
        }
    }
}
