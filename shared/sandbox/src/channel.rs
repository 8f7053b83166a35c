//! Setup channel between parent and child: a file in memory that the child inherits as standard input, and the parent's
//! lifeline.
//!
//! The parent writes the whole setup before it starts the child, so neither side waits for the other, and nothing appears on
//! a command line or in an environment. The child appends its reports and closes the file before it reads the document.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::fd::{BorrowedFd, RawFd};
use std::path::{Path, PathBuf};

use rustix::fs::{MemfdFlags, memfd_create};
use serde::{Deserialize, Serialize};

use crate::containment::Containment;
use crate::error::SandboxError;
use crate::job::{Job, Limits, Network, Work};
use crate::lifeline::Lifeline;

/// The child's configuration, serialized as JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChildSetup {
    pub(crate) parent: u32,
    /// Another process that the child must not signal, such as its zygote.
    pub(crate) protected_pid: Option<u32>,
    /// The inherited descriptor of the lifeline.
    pub(crate) lifeline: RawFd,
    pub(crate) scratch: PathBuf,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) network: Network,
    pub(crate) limits: Rlimits,
    pub(crate) task: Task,
}

/// The child's task.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// Report the containment and exit.
    Probe,
    /// Do a job's work.
    Work(Work),
}

/// The resource limits that the kernel enforces per process (setrlimit(2)).
#[derive(Serialize, Deserialize)]
pub(crate) struct Rlimits {
    /// Seconds.
    pub(crate) cpu: u64,
    /// Bytes.
    pub(crate) address_space: u64,
    /// Bytes.
    pub(crate) file_size: u64,
    pub(crate) open_files: u64,
    /// Whether seccomp denies starting other processes.
    pub(crate) single_process: bool,
}

impl From<&Limits> for Rlimits {
    fn from(limits: &Limits) -> Self {
        let partial_second = u64::from(limits.cpu.subsec_nanos() > 0);
        Self {
            cpu: limits.cpu.as_secs().saturating_add(partial_second),
            address_space: limits.address_space,
            file_size: limits.file_size,
            open_files: limits.open_files,
            single_process: limits.processes <= 1,
        }
    }
}

/// A report of the child: one line of JSON.
#[derive(Serialize, Deserialize)]
pub(crate) enum Report {
    /// It is confined and starts its work.
    Confined(Containment),
    /// It failed before starting its work.
    Failed(String),
}

/// The parent's end.
pub(crate) struct Channel {
    file: File,
    setup_len: u64,
    lifeline: Lifeline,
}

impl Channel {
    /// Writes the setup of a job.
    pub(crate) fn create(
        job: &Job<'_>,
        task: Task,
        protected_pid: Option<u32>,
    ) -> Result<Self, SandboxError> {
        let lifeline = Lifeline::create().map_err(SandboxError::PassJob)?;
        let setup = ChildSetup {
            parent: std::process::id(),
            protected_pid,
            lifeline: lifeline.child_number(),
            scratch: job.scratch.to_owned(),
            readable: job.readable.to_vec(),
            network: job.network,
            limits: Rlimits::from(&job.limits),
            task,
        };
        Self::write(&setup, lifeline).map_err(SandboxError::PassJob)
    }

    fn write(setup: &ChildSetup, lifeline: Lifeline) -> std::io::Result<Self> {
        let mut file = anonymous_file(&setup.scratch)?;
        let text = serde_json::to_vec(setup)?;
        file.write_all(&text)?;
        file.rewind()?;
        Ok(Self {
            file,
            setup_len: text.len() as u64,
            lifeline,
        })
    }

    /// The child's end of the lifeline, for a child that does not inherit it.
    pub(crate) fn lifeline(&self) -> BorrowedFd<'_> {
        self.lifeline.child_end()
    }

    /// The child's end: the same open file description, positioned at the setup.
    pub(crate) fn child_end(&self) -> Result<File, SandboxError> {
        self.file.try_clone().map_err(SandboxError::PassJob)
    }

    /// The containment that the child reported. Call it only after the child has ended.
    ///
    /// # Errors
    /// [`SandboxError::Confine`] if the child reported a failure or nothing.
    pub(crate) fn containment(mut self) -> Result<Containment, SandboxError> {
        let mut text = String::new();
        self.file
            .seek(SeekFrom::Start(self.setup_len))
            .and_then(|_| self.file.read_to_string(&mut text))
            .map_err(SandboxError::LimitMonitor)?;
        let mut confined = None;
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(Report::Confined(containment)) => confined = Some(containment),
                Ok(Report::Failed(reason)) => return Err(SandboxError::Confine(reason)),
                Err(error) => return Err(SandboxError::Confine(error.to_string())),
            }
        }
        confined.ok_or_else(|| SandboxError::Confine("it ended before it was confined".to_owned()))
    }
}

/// A file without a name: in memory, or where the platform refuses memory files, in the scratch directory. The directory for
/// temporary files is read-only in a zygote; a probe has no scratch directory.
fn anonymous_file(scratch: &Path) -> std::io::Result<File> {
    match memfd_create("sandbox", MemfdFlags::CLOEXEC) {
        Ok(file) => Ok(File::from(file)),
        Err(_) => tempfile::tempfile_in(scratch).or_else(|_| tempfile::tempfile()),
    }
}
