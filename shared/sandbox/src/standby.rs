//! A child that is begun before its work is known, so that what takes long to begin is there when the work comes.
//!
//! It is confined from its first moment as any other child is, in a scratch directory of its own, and does one piece of work,
//! once. Its standard output is one end of a pair of sockets, over which it is told its work: an empty line asks for a sign
//! of life, any other line is what it is asked.

mod inside;
mod keeper;

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

pub use self::inside::await_work;
use self::keeper::Keeper;
use crate::channel::{Channel, Task};
use crate::error::SandboxError;
use crate::job::{Job, Limits, Network, Work};
use crate::launcher::Launcher;
use crate::outcome::Finished;
use crate::run::Running;
use crate::scratch::Scratch;

/// Processor time that its beginning may take, beside what its work may.
const BEGINNING: Duration = Duration::from_secs(15);
/// How long its work may take to be handed over.
const HANDED_WITHIN: Duration = Duration::from_secs(5);
/// How often the caller's stop flag is looked at.
const TICK: Duration = Duration::from_millis(25);
/// What an empty line is answered with.
const SIGN_OF_LIFE: &[u8] = b"\nready\n";
/// More than a child says before it is told its work.
const SAID: usize = 64 * 1024;

/// A child that waits for its work. Dropping it ends it and wipes its scratch directory.
pub struct Standby {
    // Dropped in this order: whoever started the processes outlives them, and nobody writes to a directory that is wiped.
    running: Running,
    keeper: Keeper,
    channel: Channel,
    line: UnixStream,
    job: StandbyJob,
    scratch: Scratch,
}

/// What is known of a job before its work is.
#[derive(Clone, Debug)]
pub struct StandbyJob {
    /// The entry that begins and calls [`await_work`].
    pub work: Work,
    /// As [`Job::readable`].
    pub readable: Vec<PathBuf>,
    /// As [`Job::network`].
    pub network: Network,
    /// What its work may use; those that count time do so from when it is told its work.
    pub limits: Limits,
}

impl StandbyJob {
    fn within<'a>(&'a self, scratch: &'a Path, limits: Limits) -> Job<'a> {
        Job {
            work: self.work.clone(),
            scratch,
            readable: &self.readable,
            network: self.network,
            limits,
        }
    }
}

impl Standby {
    /// Begins a child and does not wait for it; its scratch directory lies in `base`.
    ///
    /// # Errors
    /// [`SandboxError`] if it cannot be started.
    pub fn begin(
        launcher: &Launcher,
        job: StandbyJob,
        base: Option<&Path>,
    ) -> Result<Self, SandboxError> {
        let scratch = Scratch::create(base)?;
        let failed = |source| SandboxError::starting(launcher.program(), source);
        let (line, theirs) = UnixStream::pair().map_err(failed)?;
        let limits = Limits {
            cpu: job.limits.cpu + BEGINNING,
            ..job.limits
        };
        let begun = job.within(scratch.path(), limits);
        let task = Task::Work(job.work.clone());
        let channel = Channel::describe(&begun, task, launcher.weak_is_allowed(), None)?;
        let stdout = Stdio::from(OwnedFd::from(theirs));
        let command = launcher.child(&begun, channel.child_end()?, stdout);
        let (keeper, running) = Keeper::start(command, &line).map_err(failed)?;
        Ok(Self {
            running: running?,
            keeper,
            channel,
            line,
            job,
            scratch,
        })
    }

    /// Its scratch directory, where its work's files are put before it is told.
    #[must_use]
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Whether it is alive, and uses no more than it may.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let limits = &self.job.limits;
        self.running.usage().is_some_and(|usage| {
            usage.cpu < BEGINNING
                && usage.resident <= limits.resident
                && usage.processes <= limits.processes
        })
    }

    /// Asks for a sign of life, which it gives when it has begun and can do its work. Blocks, no longer than this.
    pub fn is_ready(&mut self, within: Duration, stop: &AtomicBool) -> bool {
        let until = Instant::now() + within;
        self.send(b"\n", until).is_ok() && self.hears_sign_of_life(until, stop)
    }

    /// Tells it its work and returns when nothing of it is alive any more: how it ended, and its scratch directory. Blocks;
    /// `stop` ends the work early. It has until `wall` from now on.
    ///
    /// # Errors
    /// [`SandboxError`] if the sandbox failed. Whatever the child did is an [`crate::Outcome`] instead.
    pub fn claim(
        mut self,
        request: &serde_json::Value,
        wall: Duration,
        stop: &AtomicBool,
    ) -> Result<(Finished, Scratch), SandboxError> {
        self.running.restart();
        let line = format!("{request}\n");
        let sent = self.send(line.as_bytes(), Instant::now() + HANDED_WITHIN);
        sent.map_err(SandboxError::Describe)?;
        let limits = Limits {
            wall,
            ..self.job.limits
        };
        let job = self.job.within(self.scratch.path(), limits);
        let stop = || stop.load(Ordering::Relaxed);
        let directory = Some(job.scratch);
        let finished = self.running.finish(&job, directory, self.channel, &stop);
        drop(self.keeper);
        finished.map(|(finished, _)| (finished, self.scratch))
    }

    fn hears_sign_of_life(&mut self, until: Instant, stop: &AtomicBool) -> bool {
        let mut said = Vec::new();
        while !stop.load(Ordering::Relaxed) && Instant::now() < until && said.len() < SAID {
            let mut piece = [0; 1024];
            match self.line.read(&mut piece) {
                Ok(0) => return false,
                Ok(count) => said.extend_from_slice(piece.get(..count).unwrap_or_default()),
                Err(error) if is_passing(&error) => drop(self.wait(PollFlags::IN)),
                Err(_) => return false,
            }
            if said.ends_with(SIGN_OF_LIFE) {
                return true;
            }
        }
        false
    }

    fn send(&mut self, mut bytes: &[u8], until: Instant) -> std::io::Result<()> {
        while !bytes.is_empty() {
            match self.line.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if is_passing(&error) => self.wait(PollFlags::OUT)?,
                Err(error) => return Err(error),
            }
            if Instant::now() >= until {
                return Err(Error::from(ErrorKind::TimedOut));
            }
        }
        Ok(())
    }

    /// Waits a moment until the line can be used.
    fn wait(&self, wanted: PollFlags) -> std::io::Result<()> {
        let time = Timespec::try_from(TICK).unwrap_or_default();
        let mut waited = [PollFd::new(&self.line, wanted)];
        retry_on_intr(|| poll(&mut waited, Some(&time)))?;
        Ok(())
    }
}

impl fmt::Debug for Standby {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Standby")
            .field("leader", &self.running.leader())
            .field("job", &self.job)
            .finish_non_exhaustive()
    }
}

fn is_passing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
