//! What parent and child tell each other before the work begins: an anonymous file in memory, handed over as standard input.
//!
//! The parent writes the whole description before the child exists, so neither side ever waits for the other, and
//! neither a command line nor an environment shows it. The child appends its reports, and gives the file up before
//! it touches the document.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};
use serde::{Deserialize, Serialize};

use crate::containment::Containment;
use crate::error::SandboxError;
use crate::job::{Job, Limits, Network, Work};

/// What the child needs to know.
#[derive(Serialize, Deserialize)]
pub(crate) struct Description {
    pub(crate) parent: u32,
    /// Another process that the child must not reach: the parent of a parent that was forked for it.
    pub(crate) guarded: Option<u32>,
    pub(crate) allow_weak: bool,
    pub(crate) scratch: PathBuf,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) network: Network,
    pub(crate) limits: KernelLimits,
    pub(crate) task: Task,
}

/// What the child is for.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// To find out how well it is confined.
    Probe,
    /// To do a job's work.
    Work(Work),
}

/// The limits that the kernel holds for each process.
#[derive(Serialize, Deserialize)]
pub(crate) struct KernelLimits {
    /// Seconds.
    pub(crate) cpu: u64,
    /// Bytes.
    pub(crate) address_space: u64,
    /// Bytes.
    pub(crate) file_size: u64,
    pub(crate) open_files: u64,
    /// Whether it may start others.
    pub(crate) alone: bool,
}

impl From<&Limits> for KernelLimits {
    fn from(limits: &Limits) -> Self {
        let partial_second = u64::from(limits.cpu.subsec_nanos() > 0);
        Self {
            cpu: limits.cpu.as_secs().saturating_add(partial_second),
            address_space: limits.address_space,
            file_size: limits.file_size,
            open_files: limits.open_files,
            alone: limits.processes <= 1,
        }
    }
}

/// What the child reports, one JSON text a line.
#[derive(Serialize, Deserialize)]
pub(crate) enum Report {
    /// It is confined and about to begin.
    Confined(Containment),
    /// It gave up before the work began.
    Failed(String),
}

/// The parent's end.
pub(crate) struct Channel {
    file: File,
    described: u64,
}

impl Channel {
    /// Writes the description of a job.
    pub(crate) fn describe(
        job: &Job<'_>,
        task: Task,
        allow_weak: bool,
        guarded: Option<u32>,
    ) -> Result<Self, SandboxError> {
        let description = Description {
            parent: std::process::id(),
            guarded,
            allow_weak,
            scratch: job.scratch.to_owned(),
            readable: job.readable.to_vec(),
            network: job.network,
            limits: KernelLimits::from(&job.limits),
            task,
        };
        Self::write(&description).map_err(SandboxError::Describe)
    }

    fn write(description: &Description) -> std::io::Result<Self> {
        let mut file = File::from(memfd_create("sandbox", MemfdFlags::CLOEXEC)?);
        let text = serde_json::to_vec(description)?;
        file.write_all(&text)?;
        file.rewind()?;
        Ok(Self {
            file,
            described: text.len() as u64,
        })
    }

    /// The child's end: the same open file, so the child starts to read at the description.
    pub(crate) fn child_end(&self) -> Result<File, SandboxError> {
        self.file.try_clone().map_err(SandboxError::Describe)
    }

    /// What the child reported; only to be called when the child is gone.
    ///
    /// # Errors
    /// [`SandboxError::Confine`] if it never began or said that it failed.
    pub(crate) fn containment(mut self) -> Result<Containment, SandboxError> {
        let mut text = String::new();
        self.file
            .seek(SeekFrom::Start(self.described))
            .and_then(|_| self.file.read_to_string(&mut text))
            .map_err(SandboxError::Watch)?;
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
