//! Prewarmed children: started before their work is known, to hide the start-up time of slow programs such as browsers.
//!
//! A prewarmed child is confined from its start like any other child, has its own scratch directory and does one piece of
//! work. Its standard output is one end of a Unix socket pair: an empty line is a readiness check, any other line is the
//! request in JSON.

mod child;
mod spawner;

use std::fmt;
use std::io::{Error, ErrorKind, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;

pub use self::child::await_work;
use self::spawner::SpawnerThread;
use crate::channel::{Channel, Task};
use crate::error::SandboxError;
use crate::job::{Job, Limits, Network, Work};
use crate::launcher::Launcher;
use crate::outcome::FinishedChild;
use crate::run::Running;
use crate::scratch::Scratch;
use crate::strays;

/// CPU time allowed for start-up, in addition to the limit of the work.
const STARTUP_CPU: Duration = Duration::from_secs(15);
/// Maximum time to send the request.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval at which the caller's stop flag is checked.
const TICK: Duration = Duration::from_millis(25);
/// Response to a readiness check.
const READY: &[u8] = b"\nready\n";
/// Maximum number of bytes read from a child before its work begins.
const MAX_STARTUP_OUTPUT: usize = 64 * 1024;

/// A started child that waits for its work. Dropping it kills the child and wipes its scratch directory.
pub struct PrewarmedChild {
    // Fields drop in this order: the processes must end before the thread that spawned them, and before their scratch
    // directory is wiped.
    running: Running,
    spawner: SpawnerThread,
    channel: Channel,
    socket: UnixStream,
    job: PrewarmedJob,
    scratch: Scratch,
}

/// The part of a [`Job`] that is known before its request.
#[derive(Clone, Debug)]
pub struct PrewarmedJob {
    /// The entry, which initializes and calls [`await_work`].
    pub work: Work,
    /// As [`Job::readable`].
    pub readable: Vec<PathBuf>,
    /// As [`Job::network`].
    pub network: Network,
    /// Limits of the work. Time limits start when the request is sent.
    pub limits: Limits,
}

impl PrewarmedJob {
    fn to_job<'a>(&'a self, scratch: &'a Path, limits: Limits) -> Job<'a> {
        Job {
            work: self.work.clone(),
            scratch,
            readable: &self.readable,
            network: self.network,
            limits,
        }
    }
}

impl PrewarmedChild {
    /// Starts a child with a scratch directory in `base`, without waiting for it to become ready.
    ///
    /// # Errors
    /// [`SandboxError`] if it cannot be started.
    pub fn start(
        launcher: &Launcher,
        job: PrewarmedJob,
        base: Option<&Path>,
    ) -> Result<Self, SandboxError> {
        let scratch = Scratch::create(base)?;
        let failed = |source| SandboxError::start_failed(launcher.program(), source);
        let (socket, child_end) = UnixStream::pair().map_err(failed)?;
        let limits = Limits {
            cpu: job.limits.cpu + STARTUP_CPU,
            ..job.limits
        };
        let job_at_start = job.to_job(scratch.path(), limits);
        let task = Task::Work(job.work.clone());
        let channel = Channel::create(&job_at_start, task, None)?;
        let stdout = Stdio::from(OwnedFd::from(child_end));
        let command = launcher.child(&job_at_start, channel.child_end()?, stdout);
        let _starting = strays::starting();
        let (spawner, running) = SpawnerThread::start(command, &socket).map_err(failed)?;
        Ok(Self {
            running: running?,
            spawner,
            channel,
            socket,
            job,
            scratch,
        })
    }

    /// The scratch directory. The caller puts the work's files there before [`PrewarmedChild::claim`].
    #[must_use]
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Whether the child is alive and within its limits.
    #[must_use]
    pub fn is_within_limits(&self) -> bool {
        let limits = &self.job.limits;
        self.running.usage().is_some_and(|usage| {
            usage.cpu < STARTUP_CPU
                && usage.resident <= limits.resident
                && usage.processes <= limits.processes
        })
    }

    /// Checks that the child has initialized and can work. Blocks for at most `timeout`.
    pub fn is_ready(&mut self, timeout: Duration, stop: &AtomicBool) -> bool {
        let until = Instant::now() + timeout;
        self.send(b"\n", until).is_ok() && self.receives_ready(until, stop)
    }

    /// Sends the request and waits until the child and all its descendants have ended. Returns the outcome and the scratch
    /// directory. Blocks; `stop` ends the work early, and `wall` is its limit of wall-clock time from now on.
    ///
    /// # Errors
    /// [`SandboxError`] if the sandbox failed. Failures of the child are a [`crate::Outcome`] instead.
    pub fn claim(
        mut self,
        request: &serde_json::Value,
        wall: Duration,
        stop: &AtomicBool,
    ) -> Result<(FinishedChild, Scratch), SandboxError> {
        self.running.reset_time_limits();
        let line = format!("{request}\n");
        let sent = self.send(line.as_bytes(), Instant::now() + SEND_TIMEOUT);
        sent.map_err(SandboxError::PassJob)?;
        let limits = Limits {
            wall,
            ..self.job.limits
        };
        let job = self.job.to_job(self.scratch.path(), limits);
        let stop = || stop.load(Ordering::Relaxed);
        let directory = Some(job.scratch);
        let finished = self.running.finish(&job, directory, self.channel, &stop);
        drop(self.spawner);
        finished.map(|(finished, _)| (finished, self.scratch))
    }

    fn receives_ready(&mut self, until: Instant, stop: &AtomicBool) -> bool {
        let mut received = Vec::new();
        while !stop.load(Ordering::Relaxed)
            && Instant::now() < until
            && received.len() < MAX_STARTUP_OUTPUT
        {
            let mut chunk = [0; 1024];
            match self.socket.read(&mut chunk) {
                Ok(0) => return false,
                Ok(count) => received.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) if is_transient(&error) => drop(self.wait(PollFlags::IN)),
                Err(_) => return false,
            }
            if received.ends_with(READY) {
                return true;
            }
        }
        false
    }

    fn send(&mut self, mut bytes: &[u8], until: Instant) -> std::io::Result<()> {
        while !bytes.is_empty() {
            match self.socket.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if is_transient(&error) => self.wait(PollFlags::OUT)?,
                Err(error) => return Err(error),
            }
            if Instant::now() >= until {
                return Err(Error::from(ErrorKind::TimedOut));
            }
        }
        Ok(())
    }

    /// Waits up to [`TICK`] until the socket is ready.
    fn wait(&self, wanted: PollFlags) -> std::io::Result<()> {
        let time = Timespec::try_from(TICK).unwrap_or_default();
        let mut waited = [PollFd::new(&self.socket, wanted)];
        retry_on_intr(|| poll(&mut waited, Some(&time)))?;
        Ok(())
    }
}

impl fmt::Debug for PrewarmedChild {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PrewarmedChild")
            .field("leader", &self.running.leader())
            .field("job", &self.job)
            .finish_non_exhaustive()
    }
}

fn is_transient(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
