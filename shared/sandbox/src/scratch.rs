//! Scratch directories: private to one job, wiped afterwards.

pub(crate) mod usage;
mod wipe;

pub use self::wipe::remove_tree;

use std::hash::{BuildHasher as _, RandomState};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rustix::process::{Pid, geteuid, getpid};

use crate::error::SandboxError;
use crate::statistics::Statistics;

const PREFIX: &str = "sandbox";

/// Distinguishes this program from one that the same process executed before.
static PROGRAM: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(PREFIX));

/// A new directory with mode 0700, wiped when dropped. Its name identifies the owning process and
/// its program.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    wiped: bool,
}

impl Scratch {
    /// Creates a scratch directory in `base`, or in the system's temporary directory.
    ///
    /// # Errors
    /// [`SandboxError::MakeScratch`], for example if the disk is full.
    pub fn create(base: Option<&Path>) -> Result<Self, SandboxError> {
        let base = base.map_or_else(std::env::temp_dir, Path::to_owned);
        let made = Statistics::of(getpid())
            .ok_or_else(|| std::io::Error::other("cannot read /proc"))
            .and_then(|own| {
                let owner = Owner::of(getpid(), &own);
                tempfile::Builder::new()
                    .prefix(&owner.prefix())
                    .rand_bytes(12)
                    .permissions(std::fs::Permissions::from_mode(0o700))
                    .tempdir_in(&base)
            });
        match made {
            Ok(directory) => Ok(Self {
                path: directory.keep(),
                wiped: false,
            }),
            Err(source) => Err(SandboxError::MakeScratch { base, source }),
        }
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Disk usage in bytes.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        usage::bytes_used(&self.path)
    }

    /// Removes the directory and its content, regardless of permissions and depth.
    ///
    /// # Errors
    /// [`SandboxError::Wipe`] if something could not be removed.
    pub fn wipe(mut self) -> Result<(), SandboxError> {
        self.wiped = true;
        remove(&self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.wiped {
            return;
        }
        if let Err(error) = remove(&self.path) {
            tracing::error!(%error, "a scratch directory could not be wiped");
        }
    }
}

/// Removes the scratch directories in `base` whose owning processes have ended, and those of programs that this process
/// executed before; returns their number. Call it when the parent starts: a killed parent could not wipe its own directories.
///
/// # Errors
/// [`SandboxError::Wipe`] if `base` cannot be listed or a directory cannot be removed.
pub fn remove_stale_scratch(base: &Path) -> Result<usize, SandboxError> {
    let failed = |source| SandboxError::Wipe {
        path: base.to_owned(),
        source,
    };
    let mut removed = 0;
    for entry in std::fs::read_dir(base).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if is_stale(&entry) {
            remove(&entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

fn is_stale(entry: &std::fs::DirEntry) -> bool {
    let own_directory = entry
        .metadata()
        .is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw());
    let name = entry.file_name();
    let owner = name.to_str().and_then(Owner::parse);
    own_directory && owner.is_some_and(|owner| !owner.is_alive())
}

fn remove(path: &Path) -> Result<(), SandboxError> {
    match remove_tree(path) {
        // The child may have removed the directory itself.
        Err(error) if error.kind() == ErrorKind::NotFound && !path.exists() => Ok(()),
        removed => removed.map_err(|source| SandboxError::Wipe {
            path: path.to_owned(),
            source,
        }),
    }
}

/// The process and program that created a directory. Process ids are reused; id and start time together are unique until
/// reboot.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    pid: i32,
    started: u64,
    program: u64,
}

impl Owner {
    fn of(pid: Pid, statistics: &Statistics) -> Self {
        Self {
            pid: pid.as_raw_nonzero().get(),
            started: statistics.started,
            program: *PROGRAM,
        }
    }

    fn prefix(&self) -> String {
        format!("{PREFIX}-{}-{}-{}-", self.pid, self.started, self.program)
    }

    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-');
        let owner = Self {
            pid: parts.next()?.parse().ok()?,
            started: parts.next()?.parse().ok()?,
            program: parts.next()?.parse().ok()?,
        };
        let random = parts.next()?;
        (!random.is_empty() && parts.next().is_none()).then_some(owner)
    }

    fn is_alive(&self) -> bool {
        let process = Pid::from_raw(self.pid).and_then(Statistics::of);
        let is_running = process.is_some_and(|found| found.alive && found.started == self.started);
        let is_this_process = self.pid == getpid().as_raw_nonzero().get();
        is_running && (!is_this_process || self.program == *PROGRAM)
    }
}

#[cfg(test)]
mod tests;
