//! What the processor and the zygote tell each other: one JSON text a packet, over a pair of local sockets that keep packets
//! apart.
//!
//! The zygote sends [`Answer::Ready`] once, or why it never will be. Then it answers each order with [`Answer::Taken`] before
//! it forks, with [`Answer::Began`] when there is a fork, and with [`Answer::Ended`] or [`Answer::Refused`] when the fork is
//! gone. Any packet that arrives before the last one, as well as the end of the connection, ends the fork early.

use std::path::PathBuf;
use std::time::Duration;

use sandbox::{Finished, Limits, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most bytes of a packet, well below what such a socket takes at once.
pub(crate) const PACKET: usize = 128 * 1024;
/// Most bytes of a fork's output that an answer repeats, from its end. JSON may take six for one; of errors there are fewer.
const OUTPUT: usize = 16 * 1024;

/// The entry that converts a tiny document of the zygote's own.
pub(crate) const HEALTH: &str = "health";

/// What the processor asks for.
#[derive(Serialize, Deserialize)]
pub(crate) enum Order {
    /// To run a job in a fork.
    Run(Box<Work>),
    /// To end the job that is running.
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

/// What the zygote tells.
#[derive(Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It takes orders from now on.
    Ready,
    /// It cannot begin LibreOffice, and ends.
    Failed(String),
    /// The order has arrived. Of a job without this answer nothing has begun.
    Taken,
    /// The job runs in this process, which leads a group.
    Began(u32),
    /// The job ended; what it did is here.
    Ended(Ended),
    /// The sandbox failed.
    Refused(String),
}

/// A job that ended; see [`Finished`].
#[derive(Serialize, Deserialize)]
pub(crate) struct Ended {
    outcome: Outcome,
    cpu: Duration,
    wall: Duration,
    peak_resident: u64,
    stdout: String,
    stderr_tail: String,
}

impl From<Finished> for Ended {
    fn from(finished: Finished) -> Self {
        let from = finished.stdout.len().saturating_sub(OUTPUT);
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

impl From<Ended> for Finished {
    fn from(ended: Ended) -> Self {
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
