//! Errors of the sandbox itself, as opposed to failures of a child.

use std::path::{Path, PathBuf};

/// A failure of the sandbox: the work was not done, for reasons unrelated to the document.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The job could not be passed to the child.
    #[error("cannot pass the job to the child: {0}")]
    PassJob(#[source] std::io::Error),
    /// The launcher could not be started.
    #[error("cannot start the launcher {program}: {source}", program = program.display())]
    Start {
        /// The executable.
        program: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// This process could not fork.
    #[error("cannot fork: {0}")]
    Fork(#[source] std::io::Error),
    /// The child could not confine itself or execute its program.
    #[error("the child failed to start its work: {0}")]
    Confine(String),
    /// A system call on the child or its process group failed.
    #[error("cannot monitor the child: {0}")]
    LimitMonitor(#[source] std::io::Error),
    /// Processes of the group were still alive after SIGKILL.
    #[error("processes of the process group survived SIGKILL")]
    Survivors,
    /// A scratch directory could not be created.
    #[error("cannot create a scratch directory in {base}: {source}", base = base.display())]
    MakeScratch {
        /// The parent directory.
        base: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// A scratch directory could not be removed and may still contain document data.
    #[error("cannot wipe the scratch directory {path}: {source}", path = path.display())]
    Wipe {
        /// The directory.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

impl SandboxError {
    /// The launcher could not be started.
    pub(crate) fn start_failed(program: &Path, source: std::io::Error) -> Self {
        Self::Start {
            program: program.to_owned(),
            source,
        }
    }
}
