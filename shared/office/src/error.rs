//! Errors of the zygote, as opposed to failures of a fork that processes a document.

use sandbox::SandboxError;
use thiserror::Error;

/// A failure of the zygote, unrelated to the document. A retry may help.
#[derive(Debug, Error)]
pub enum OfficeError {
    /// The process could not be started.
    #[error("the office zygote cannot be started: {0}")]
    Start(#[source] std::io::Error),
    /// Its directory could not be created.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// It failed before it accepted jobs.
    #[error("the office zygote is not ready: {0}")]
    NotReady(String),
    /// It exited before it accepted the job, which was not started.
    #[error("the office zygote exited before it accepted the job")]
    NotAccepted,
    /// Its profile was changed, so it did not start the job.
    #[error("the files of the office zygote's profile were changed")]
    ProfileChanged,
    /// It exited during the job, which ended with it.
    #[error("the office zygote exited during the job")]
    Died,
    /// It did not respond in time and was killed with its job.
    #[error("the office zygote does not respond")]
    NoResponse,
    /// It could not start, confine or monitor the fork.
    #[error("the office zygote could not run the job: {0}")]
    Job(String),
    /// It sent an invalid message.
    #[error("the office zygote violated the protocol: {0}")]
    Protocol(String),
    /// The caller set the stop flag before the job started.
    #[error("stopped")]
    Stopped,
}
