//! Runs one job in one child, from start to the end of the last process that it left.

use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ChildStderr, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, PidfdFlags, WaitId, WaitIdOptions, WaitOptions, pidfd_open, waitid, waitpid,
};

use crate::channel::{Channel, Task};
use crate::containment::Containment;
use crate::error::SandboxError;
use crate::group::{Group, Usage};
use crate::job::{Job, Limits};
use crate::launcher::Launcher;
use crate::outcome::{Evidence, Finished, Outcome};
use crate::output::Output;
use crate::watch::{Watch, is_alone};

/// How long the parent waits for an event before it looks at limits and the stop flag again.
const TICK: Duration = Duration::from_millis(10);
/// The same for a child that may start no other process, whose memory grows no faster than one process can make it.
const ALONE_TICK: Duration = Duration::from_millis(25);

/// Runs a job and returns when nothing of it is alive any more. Blocks; `stop` ends the job early.
///
/// # Errors
/// [`SandboxError`] if the sandbox failed. Whatever the child did is an [`Outcome`] instead.
pub fn run(
    launcher: &Launcher,
    job: &Job<'_>,
    stop: &AtomicBool,
) -> Result<Finished, SandboxError> {
    run_task(launcher, job, Task::Work(job.work.clone()), stop).map(|(finished, _)| finished)
}

/// Runs a task and tells as well how its child was confined.
pub(crate) fn run_task(
    launcher: &Launcher,
    job: &Job<'_>,
    task: Task,
    stop: &AtomicBool,
) -> Result<(Finished, Containment), SandboxError> {
    let scratch = matches!(task, Task::Work(_)).then_some(job.scratch);
    let channel = Channel::describe(job, task, launcher.weak_is_allowed(), None)?;
    let running = Running::spawn(launcher, job, &channel)?;
    let stop = || stop.load(Ordering::Relaxed);
    running.finish(job, scratch, channel, &stop)
}

/// A child that has been started and not yet reaped. Dropping it kills its group.
pub(crate) struct Running {
    leader: Pid,
    reaped: bool,
    group: Group,
    exit: Option<OwnedFd>,
    output: Option<Output>,
    started: Instant,
    /// Processor time that had been used by then.
    before: Duration,
}

/// How a child came to its end.
struct Ended {
    killed: Option<Outcome>,
    status: ExitStatus,
    cpu: Duration,
    peak_resident: u64,
    wall: Duration,
}

impl Running {
    fn spawn(launcher: &Launcher, job: &Job<'_>, channel: &Channel) -> Result<Self, SandboxError> {
        let started = Instant::now();
        let mut command = launcher.child(job, channel.child_end()?, Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|source| SandboxError::starting(launcher.program(), source))?;
        let leader = Pid::from_child(&child);
        Self::watched(leader, child.stdout.take(), child.stderr.take(), started)
    }

    /// Takes a child over that leads its own process group, or is about to.
    pub(crate) fn watched(
        leader: Pid,
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
        started: Instant,
    ) -> Result<Self, SandboxError> {
        let mut running = Self {
            leader,
            reaped: false,
            group: Group::led_by(leader),
            // Kernels before 5.3 have none; the tick serves instead.
            exit: pidfd_open(leader, PidfdFlags::empty()).ok(),
            output: None,
            started,
            before: Duration::ZERO,
        };
        running.output = Some(Output::of(stdout, stderr).map_err(SandboxError::Watch)?);
        Ok(running)
    }

    /// The process that leads the child's group.
    pub(crate) fn leader(&self) -> u32 {
        self.leader.as_raw_nonzero().get().cast_unsigned()
    }

    /// What the child and all that it has started use now; `None` when it has ended.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let ended = self.leader_has_ended().unwrap_or(true);
        (!ended).then(|| self.group.usage())
    }

    /// Has the limits of time count from now on.
    pub(crate) fn restart(&mut self) {
        self.before = self.group.usage().cpu;
        self.started = Instant::now();
    }

    /// Watches the child to its end.
    pub(crate) fn finish(
        mut self,
        job: &Job<'_>,
        scratch: Option<&Path>,
        channel: Channel,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Finished, Containment), SandboxError> {
        let ended = self.watch(scratch, &job.limits, stop)?;
        let finished = ended.finish(job, self.output.take());
        match (channel.containment(), finished.outcome) {
            (Ok(containment), _) => Ok((finished, containment)),
            // A child that is killed in its first moments has nothing to report.
            (Err(_), Outcome::TimedOut | Outcome::Stopped) => {
                Ok((finished, Containment::not_reported()))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Waits for the leader's end or a limit, and ends what is left of the group.
    fn watch(
        &mut self,
        scratch: Option<&Path>,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> Result<Ended, SandboxError> {
        let since = (self.started, self.before);
        let mut watch = Watch::begin(self.group, scratch, limits, since);
        let tick = match is_alone(limits) {
            true => ALONE_TICK,
            false => TICK,
        };
        let killed = loop {
            if self.leader_has_ended()? {
                break None;
            }
            if stop() {
                break Some(Outcome::Stopped);
            }
            if let Some(outcome) = watch.exceeded() {
                break Some(outcome);
            }
            self.wait(tick)?;
        };
        watch.finish();
        let status = self.end()?;
        Ok(Ended {
            killed,
            status,
            cpu: watch.cpu,
            peak_resident: watch.peak_resident,
            wall: self.started.elapsed(),
        })
    }

    fn wait(&mut self, tick: Duration) -> Result<(), SandboxError> {
        let exit = self.exit.as_ref().map(|exit| exit.as_fd());
        match &mut self.output {
            Some(output) => output.wait(exit, tick).map_err(SandboxError::Watch),
            None => Ok(()),
        }
    }

    /// Whether the leader has ended. It is not reaped, so its id stays its own.
    fn leader_has_ended(&self) -> Result<bool, SandboxError> {
        let leader = WaitId::Pid(self.leader);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(leader, options)
            .map(|status| status.is_some())
            .map_err(|errno| SandboxError::Watch(errno.into()))
    }

    /// Kills whatever is alive, reaps the leader and takes the last output.
    fn end(&mut self) -> Result<ExitStatus, SandboxError> {
        self.group.kill()?;
        let status = match self.leader_has_ended()? {
            true => {
                let status = self.reap()?;
                // Mostly it was alone. To look for others in the list of all processes costs a good part of a small job.
                if !self.group.is_gone() {
                    self.group.end()?;
                }
                status
            }
            false => {
                self.group.end()?;
                self.reap()?
            }
        };
        if let Some(output) = &mut self.output {
            output.take().map_err(SandboxError::Watch)?;
        }
        Ok(status)
    }

    fn reap(&mut self) -> Result<ExitStatus, SandboxError> {
        let waited = rustix::io::retry_on_intr(|| waitpid(Some(self.leader), WaitOptions::empty()));
        let reaped = waited.map_err(|errno| SandboxError::Watch(errno.into()))?;
        self.reaped = true;
        Ok(ExitStatus::from_raw(
            reaped.map_or(0, |(_, status)| status.as_raw()),
        ))
    }
}

impl Drop for Running {
    /// For errors on the way: a child that has been reaped has no group to kill.
    fn drop(&mut self) {
        if !self.reaped && self.end().is_err() {
            tracing::error!("a sandboxed process group could not be ended");
        }
    }
}

impl Ended {
    fn finish(self, job: &Job<'_>, output: Option<Output>) -> Finished {
        let (stdout, stdout_truncated, stderr_tail) =
            output.map(Output::into_kept).unwrap_or_default();
        let evidence = Evidence {
            status: self.status,
            cpu: self.cpu,
            peak_resident: self.peak_resident,
            stderr_tail: &stderr_tail,
        };
        let outcome = self
            .killed
            .unwrap_or_else(|| evidence.classify(&job.work, &job.limits));
        Finished {
            outcome,
            cpu: self.cpu,
            wall: self.wall,
            peak_resident: self.peak_resident,
            stdout,
            stdout_truncated,
            stderr_tail,
        }
    }
}
