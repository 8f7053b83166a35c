//! What can go wrong with the zygote, as opposed to what a fork does with a document.

use sandbox::SandboxError;
use thiserror::Error;

/// A failure of the zygote: the document is not to blame, and trying again may help.
#[derive(Debug, Error)]
pub enum OfficeError {
    /// It could not be started.
    #[error("the office zygote cannot be started: {0}")]
    Start(#[source] std::io::Error),
    /// It has no directory of its own.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// It did not come so far that it could take documents.
    #[error("the office zygote is not ready: {0}")]
    NotReady(String),
    /// It ended before it had taken the job, of which nothing has begun.
    #[error("the office zygote ended before it took the job")]
    NotTaken,
    /// It ended while a document was worked on, which ended with it.
    #[error("the office zygote ended while it was at work")]
    Died,
    /// It did not answer in time, and was ended with the document that was worked on.
    #[error("the office zygote does not answer")]
    Silent,
    /// It could not fork, or confine or watch the fork.
    #[error("the office zygote could not do a job: {0}")]
    Refused(String),
    /// It and this process do not understand each other.
    #[error("the office zygote is not understood: {0}")]
    Garbled(String),
    /// The caller raised its stop flag before the job began.
    #[error("stopped")]
    Stopped,
}
