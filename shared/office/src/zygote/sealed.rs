//! Seals the zygote's directory, so that no fork changes files that a later fork uses: all of it becomes read-only, and its
//! hash is compared before each fork.

use std::ffi::OsString;
use std::fs::{Metadata, Permissions};
use std::io::{Error, Result};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// Permissions of sealed files and directories. They hold for root, too: a fork has no capabilities.
const FILE_MODE: u32 = 0o444;
const DIRECTORY_MODE: u32 = 0o555;
/// Maximum size of all files in bytes, and number of entries: several times what LibreOffice creates.
const MAX_BYTES: u64 = 32 << 20;
const MAX_ENTRIES: usize = 10_000;

/// A sealed directory. Its hash is in the memory of the zygote, which no fork can change.
pub(super) struct SealedProfile {
    directory: PathBuf,
    hash: [u8; 32],
}

impl SealedProfile {
    /// Makes everything in a directory read-only and hashes it. No process may write to it meanwhile.
    pub(super) fn seal(directory: &Path) -> Result<Self> {
        for (path, found) in entries(directory)? {
            let mode = match (found.is_dir(), found.is_file()) {
                (true, _) => DIRECTORY_MODE,
                (_, true) => FILE_MODE,
                // A symbolic link has no mode.
                _ => continue,
            };
            std::fs::set_permissions(path, Permissions::from_mode(mode))?;
        }
        Ok(Self {
            directory: directory.to_owned(),
            hash: hash(directory)?,
        })
    }

    /// Whether nothing was added, removed or changed, neither content nor permissions.
    pub(super) fn is_unchanged(&self) -> bool {
        hash(&self.directory).is_ok_and(|found| found == self.hash)
    }
}

/// Hashes names, types, permissions and contents of everything in a directory, and its own permissions.
fn hash(directory: &Path) -> Result<[u8; 32]> {
    let mut hash = Sha256::new();
    let mut field = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    };
    let mut total = 0_u64;
    for (path, found) in entries(directory)? {
        field(path.as_os_str().as_bytes());
        // Includes the type.
        field(&found.mode().to_be_bytes());
        field(&found.uid().to_be_bytes());
        total = total.saturating_add(found.len());
        if total > MAX_BYTES {
            return Err(Error::other("its files are too large"));
        }
        if found.is_file() {
            field(&std::fs::read(&path)?);
        } else if found.is_symlink() {
            field(std::fs::read_link(&path)?.as_os_str().as_bytes());
        }
    }
    Ok(hash.finalize().into())
}

/// The directory and everything in it, sorted. Symbolic links are not followed.
fn entries(directory: &Path) -> Result<Vec<(PathBuf, Metadata)>> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        let metadata = std::fs::symlink_metadata(&path)?;
        if metadata.is_dir() {
            let mut names: Vec<OsString> = std::fs::read_dir(&path)?
                .map(|entry| Ok(entry?.file_name()))
                .collect::<Result<_>>()?;
            names.sort_unstable();
            pending.extend(names.iter().map(|name| path.join(name)));
        }
        found.push((path, metadata));
        if found.len() + pending.len() > MAX_ENTRIES {
            return Err(Error::other("it has too many files"));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with a file, an inner directory with a file, and a link.
    fn directory() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::create_dir(path("user")).unwrap();
        std::fs::write(path("user/settings"), "safe").unwrap();
        std::fs::write(path("fonts"), "fonts").unwrap();
        std::os::unix::fs::symlink("fonts", path("link")).unwrap();
        directory
    }

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn everything_is_read_only() {
        let directory = directory();
        SealedProfile::seal(directory.path()).unwrap();
        for (name, mode) in [
            ("", 0o40555),
            ("user", 0o40555),
            ("user/settings", 0o100_444),
            ("fonts", 0o100_444),
        ] {
            let path = directory.path().join(name);
            let found = std::fs::symlink_metadata(path).unwrap();
            assert_eq!(found.mode(), mode, "{name}");
        }
        set_mode(directory.path(), 0o755);
    }

    /// A change of a directory.
    type Change = fn(&Path) -> Result<()>;

    #[test]
    fn every_change_is_noticed() {
        let changes: [(&str, Change); 8] = [
            ("content of the same size", |path| {
                set_mode(&path.join("fonts"), 0o644);
                std::fs::write(path.join("fonts"), "stnof")?;
                set_mode(&path.join("fonts"), FILE_MODE);
                Ok(())
            }),
            ("permissions", |path| {
                set_mode(&path.join("fonts"), 0o644);
                Ok(())
            }),
            ("a new file", |path| std::fs::write(path.join("new"), "")),
            ("a new directory", |path| {
                std::fs::create_dir(path.join("new"))
            }),
            ("a removed file", |path| {
                std::fs::remove_file(path.join("fonts"))
            }),
            ("a moved file", |path| {
                std::fs::rename(path.join("fonts"), path.join("fants"))
            }),
            ("another link", |path| {
                std::fs::remove_file(path.join("link"))?;
                std::os::unix::fs::symlink("user", path.join("link"))
            }),
            ("a link to a copy", |path| {
                std::fs::rename(path.join("fonts"), path.join("user/fonts"))?;
                std::os::unix::fs::symlink("user/fonts", path.join("fonts"))
            }),
        ];
        for (name, change) in changes {
            let directory = directory();
            let sealed = SealedProfile::seal(directory.path()).unwrap();
            assert!(sealed.is_unchanged());
            for inner in ["", "user"] {
                set_mode(&directory.path().join(inner), 0o755);
            }
            change(directory.path()).unwrap();
            for inner in ["user", ""] {
                set_mode(&directory.path().join(inner), DIRECTORY_MODE);
            }
            assert!(!sealed.is_unchanged(), "{name}");
            set_mode(directory.path(), 0o755);
            set_mode(&directory.path().join("user"), 0o755);
        }
        // The same content again is not a change.
        let directory = directory();
        let sealed = SealedProfile::seal(directory.path()).unwrap();
        let file = directory.path().join("fonts");
        set_mode(directory.path(), 0o755);
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, "fonts").unwrap();
        set_mode(&file, FILE_MODE);
        assert!(!sealed.is_unchanged());
        set_mode(directory.path(), DIRECTORY_MODE);
        assert!(sealed.is_unchanged());
        set_mode(directory.path(), 0o755);
    }
}
