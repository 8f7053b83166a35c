//! Temporary directories, removed when dropped.

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::fs::DirBuilder;

const PREFIX: &str = "worker-";

/// Numbers the directories of this process.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Number of names that are tried for a directory.
const MAX_TRIES: u32 = 1_000;

/// A new private directory. Its name contains the id of the process.
#[derive(Debug)]
pub(crate) struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// Creates a directory in `base`.
    pub(crate) async fn create(base: &Path) -> Result<Self> {
        for _ in 0..MAX_TRIES {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path).await {
                // Left behind by an earlier process with the same id.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => return created.map(|()| Self(path)),
            }
        }
        Err(Error::from(ErrorKind::AlreadyExists))
    }

    /// Returns the path of a file in the directory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::error!(%error, "temporary directory could not be removed");
        }
    }
}

/// Removes the temporary directories in `base` whose processes have ended, and returns their number. Call it at start: a
/// process that is killed leaves its directory behind.
///
/// # Errors
/// If `base` cannot be listed or a directory cannot be removed.
pub fn remove_stale_directories(base: &Path) -> Result<usize> {
    let mut removed = 0;
    for entry in std::fs::read_dir(base)? {
        let entry = entry?;
        if is_stale(&entry) {
            std::fs::remove_dir_all(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

fn is_stale(entry: &std::fs::DirEntry) -> bool {
    let is_directory = entry.file_type().is_ok_and(|found| found.is_dir());
    let name = entry.file_name();
    let owner = name.to_str().and_then(|name| {
        let (id, number) = name.strip_prefix(PREFIX)?.split_once('-')?;
        number.parse::<u32>().ok()?;
        id.parse::<u32>().ok()
    });
    // This process has no directory yet: one with its id is left from an earlier process.
    let has_ended =
        |id: u32| id == std::process::id() || !Path::new(&format!("/proc/{id}")).exists();
    is_directory && owner.is_some_and(has_ended)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn names(base: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(base).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn directories_are_private_and_removed_with_their_files() {
        let base = tempfile::tempdir().unwrap();
        let first = TemporaryDirectory::create(base.path()).await.unwrap();
        let second = TemporaryDirectory::create(base.path()).await.unwrap();
        std::fs::write(first.file("source"), "words").unwrap();
        assert_eq!(names(base.path()).len(), 2);
        let mode = std::fs::metadata(&first.0).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        drop(first);
        drop(second);
        assert_eq!(names(base.path()), Vec::<String>::new());
    }

    #[tokio::test]
    async fn without_a_base_no_directory_is_created() {
        let base = tempfile::tempdir().unwrap();
        let missing = base.path().join("missing");
        assert!(TemporaryDirectory::create(&missing).await.is_err());
    }

    #[test]
    fn only_directories_of_ended_processes_are_stale() {
        let base = tempfile::tempdir().unwrap();
        let own = format!("{PREFIX}{}-0", std::process::id());
        for name in [
            "worker-4294967295-7",
            "worker-1-0",
            "worker-x-1",
            "other-1-1",
            &own,
        ] {
            std::fs::create_dir(base.path().join(name)).unwrap();
        }
        std::fs::write(base.path().join("worker-4294967295-8"), "a file").unwrap();
        assert_eq!(remove_stale_directories(base.path()).unwrap(), 2);
        let kept = [
            "other-1-1",
            "worker-1-0",
            "worker-4294967295-8",
            "worker-x-1",
        ];
        assert_eq!(names(base.path()), kept);
    }
}
