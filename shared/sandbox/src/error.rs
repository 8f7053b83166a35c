//! What can go wrong with the sandbox itself, as opposed to what a child does inside it.

use std::path::{Path, PathBuf};

/// A failure of the sandbox: the work was not done, and the document is not to blame.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The job could not be handed to the child.
    #[error("cannot describe the job to the child: {0}")]
    Describe(#[source] std::io::Error),
    /// The launcher could not be started.
    #[error("cannot start the launcher {program}: {source}", program = program.display())]
    Start {
        /// The executable that was to be started.
        program: PathBuf,
        /// Why it was not.
        #[source]
        source: std::io::Error,
    },
    /// This process could not be split in two.
    #[error("cannot fork: {0}")]
    Fork(#[source] std::io::Error),
    /// The child could not confine itself or execute its program.
    #[error("the child did not begin: {0}")]
    Confine(String),
    /// The kernel refused an operation on the child or its process group.
    #[error("cannot watch the child: {0}")]
    Watch(#[source] std::io::Error),
    /// Processes of the group were still alive after they had been killed.
    #[error("processes of the group survived being killed")]
    Survivors,
    /// A scratch directory could not be made.
    #[error("cannot make a scratch directory in {base}: {source}", base = base.display())]
    MakeScratch {
        /// The directory that was to hold it.
        base: PathBuf,
        /// Why it could not.
        #[source]
        source: std::io::Error,
    },
    /// A scratch directory could not be removed, so something of the document may be left.
    #[error("cannot wipe the scratch directory {path}: {source}", path = path.display())]
    Wipe {
        /// The directory that is left.
        path: PathBuf,
        /// Why it is.
        #[source]
        source: std::io::Error,
    },
    /// The parent could not be made unreadable for its children.
    #[error("cannot harden the parent: {0}")]
    Harden(#[source] std::io::Error),
}

impl SandboxError {
    /// The launcher could not be started.
    pub(crate) fn starting(program: &Path, source: std::io::Error) -> Self {
        Self::Start {
            program: program.to_owned(),
            source,
        }
    }
}
