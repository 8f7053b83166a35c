//! Messages between engine function and zygote: one JSON message per packet, over a Unix `SOCK_SEQPACKET` socket pair.
//!
//! The zygote sends [`Response::Ready`] or [`Response::NotReady`] once. It responds to each job with [`Response::Accepted`]
//! (or [`Response::ProfileChanged`], and exits) before it forks, [`Response::Started`] after the fork, and
//! [`Response::Finished`] or [`Response::Failed`] when the fork has ended. Any packet that the zygote receives while the fork
//! runs, or the end of the connection, ends the fork early.

use std::path::PathBuf;
use std::time::Duration;

use sandbox::{FinishedChild, Limits, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum size of a packet in bytes, well below the kernel's limit for such sockets.
pub(crate) const MAX_PACKET: usize = 128 * 1024;
/// Maximum size of the fork's output in a response, from its end, in bytes. JSON escapes may need six bytes for one.
const MAX_OUTPUT: usize = 16 * 1024;

/// A message to the zygote.
#[derive(Serialize, Deserialize)]
pub(crate) enum Request {
    /// Run a job in a fork.
    Run(Box<Work>),
    /// End the running job.
    Stop,
}

/// A job for a fork; see [`sandbox::Job`].
#[derive(Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) entry: String,
    pub(crate) request: Value,
    pub(crate) scratch: PathBuf,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) limits: Limits,
}

/// A message from the zygote.
#[derive(Serialize, Deserialize)]
pub(crate) enum Response {
    /// It accepts jobs, with this version of LibreOffice.
    Ready(String),
    /// LibreOffice failed to initialize; the zygote exits.
    NotReady(String),
    /// The job was received. Without this response the job was not started.
    Accepted,
    /// The job was not started, because a fork or another process has changed the files of the profile; the zygote exits.
    ProfileChanged,
    /// The job runs in the process with this id, which leads a process group.
    Started(u32),
    /// The job ended with this result.
    Finished(JobResult),
    /// The sandbox failed.
    Failed(String),
}

/// The result of a job; see [`FinishedChild`].
#[derive(Serialize, Deserialize)]
pub(crate) struct JobResult {
    outcome: Outcome,
    cpu: Duration,
    wall: Duration,
    peak_resident: u64,
    stdout: String,
    stderr_tail: String,
}

impl From<FinishedChild> for JobResult {
    fn from(finished: FinishedChild) -> Self {
        let from = finished.stdout.len().saturating_sub(MAX_OUTPUT);
        let stdout = finished.stdout.get(from..).unwrap_or_default();
        Self {
            outcome: finished.outcome,
            cpu: finished.cpu,
            wall: finished.wall,
            peak_resident: finished.peak_resident,
            stdout: String::from_utf8_lossy(stdout).into_owned(),
            stderr_tail: finished.stderr_tail,
        }
    }
}

impl From<JobResult> for FinishedChild {
    fn from(ended: JobResult) -> Self {
        Self {
            outcome: ended.outcome,
            cpu: ended.cpu,
            wall: ended.wall,
            peak_resident: ended.peak_resident,
            stdout: ended.stdout.into_bytes(),
            stdout_truncated: false,
            stderr_tail: ended.stderr_tail,
        }
    }
}
