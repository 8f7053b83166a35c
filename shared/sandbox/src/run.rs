//! Runs one job in one child process group, from start until the last process of the group has ended.

use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ChildStderr, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, pidfd_open, waitid, waitpid,
};

use crate::channel::{Channel, Task};
use crate::containment::Containment;
use crate::error::SandboxError;
use crate::group::{Group, Usage};
use crate::job::{Job, Limits};
use crate::launcher::Launcher;
use crate::limit_monitor::{LimitMonitor, is_kept_single};
use crate::outcome::{ExitEvidence, FinishedChild, Outcome};
use crate::output::Output;
use crate::strays;

/// Interval at which the parent checks limits and stop flag.
const TICK: Duration = Duration::from_millis(10);
/// [`TICK`] for a child of one process, whose memory grows only as fast as one process can allocate it.
const SINGLE_PROCESS_TICK: Duration = Duration::from_millis(25);

/// Runs a job and waits until all its processes have ended. Blocks; `stop` ends the job early.
///
/// # Errors
/// [`SandboxError`] if the sandbox failed. Failures of the child are an [`Outcome`] instead.
pub fn run(
    launcher: &Launcher,
    job: &Job<'_>,
    stop: &AtomicBool,
) -> Result<FinishedChild, SandboxError> {
    run_task(launcher, job, Task::Work(job.work.clone()), stop).map(|(finished, _)| finished)
}

/// Runs a task; also returns how its child was confined.
pub(crate) fn run_task(
    launcher: &Launcher,
    job: &Job<'_>,
    task: Task,
    stop: &AtomicBool,
) -> Result<(FinishedChild, Containment), SandboxError> {
    let scratch = matches!(task, Task::Work(_)).then_some(job.scratch);
    let channel = Channel::create(job, task, None)?;
    let running = Running::spawn(launcher, job, &channel)?;
    let stop = || stop.load(Ordering::Relaxed);
    running.finish(job, scratch, channel, &stop)
}

/// A started child that is not reaped yet. Dropping it kills its process group.
pub(crate) struct Running {
    leader: Pid,
    reaped: bool,
    group: Group,
    exit_fd: Option<OwnedFd>,
    output: Option<Output>,
    started: Instant,
    /// CPU time used before `started`.
    cpu_before: Duration,
}

/// How a child ended, and its resource usage.
struct ExitInfo {
    killed: Option<Outcome>,
    status: ExitStatus,
    cpu: Duration,
    peak_resident: u64,
    wall: Duration,
}

impl Running {
    fn spawn(launcher: &Launcher, job: &Job<'_>, channel: &Channel) -> Result<Self, SandboxError> {
        let started = Instant::now();
        let _starting = strays::starting();
        let mut command = launcher.child(job, channel.child_end()?, Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|source| SandboxError::start_failed(launcher.program(), source))?;
        let leader = Pid::from_child(&child);
        Self::monitored(leader, child.stdout.take(), child.stderr.take(), started)
    }

    /// Monitors a child that leads its own process group or is about to.
    pub(crate) fn monitored(
        leader: Pid,
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
        started: Instant,
    ) -> Result<Self, SandboxError> {
        strays::add(leader);
        let mut running = Self {
            leader,
            reaped: false,
            group: Group::led_by(leader),
            // Kernels before 5.3 have no pidfd; the tick is sufficient there.
            exit_fd: pidfd_open(leader, PidfdFlags::empty()).ok(),
            output: None,
            started,
            cpu_before: Duration::ZERO,
        };
        running.output = Some(Output::of(stdout, stderr).map_err(SandboxError::LimitMonitor)?);
        Ok(running)
    }

    /// The process id of the group leader.
    pub(crate) fn leader(&self) -> u32 {
        self.leader.as_raw_nonzero().get().cast_unsigned()
    }

    /// The current resource usage of the group; `None` if its leader has ended.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let ended = self.leader_has_ended().unwrap_or(true);
        (!ended).then(|| self.group.usage())
    }

    /// Restarts the time limits: wall-clock and CPU time count from now on.
    pub(crate) fn reset_time_limits(&mut self) {
        self.cpu_before = self.group.usage().cpu;
        self.started = Instant::now();
    }

    /// Monitors the child until it has ended.
    pub(crate) fn finish(
        mut self,
        job: &Job<'_>,
        scratch: Option<&Path>,
        channel: Channel,
        stop: &dyn Fn() -> bool,
    ) -> Result<(FinishedChild, Containment), SandboxError> {
        let ended = self.monitor(scratch, &job.limits, stop)?;
        let mut finished = ended.finish(job, self.output.take());
        let containment = channel.containment();
        if let Ok(found) = containment {
            found.report_difference();
        }
        let is_confined = containment.as_ref().is_ok_and(|found| found.seccomp);
        if !is_confined && strays::end()? && matches!(finished.outcome, Outcome::Exited { .. }) {
            // What leaves its group is not the engine any more.
            finished.outcome = Outcome::Crashed {
                signal: Signal::KILL.as_raw(),
            };
        }
        match (containment, finished.outcome) {
            (Ok(containment), _) => Ok((finished, containment)),
            // A child that was killed during its start has not reported yet.
            (Err(_), Outcome::TimedOut | Outcome::Stopped) => {
                Ok((finished, Containment::default()))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Waits for the leader's exit or an exceeded limit, then kills the rest of the group.
    fn monitor(
        &mut self,
        scratch: Option<&Path>,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> Result<ExitInfo, SandboxError> {
        let since = (self.started, self.cpu_before);
        let mut monitor = LimitMonitor::start(self.group, scratch, limits, since);
        let tick = match is_kept_single(limits) {
            true => SINGLE_PROCESS_TICK,
            false => TICK,
        };
        let killed = loop {
            if self.leader_has_ended()? {
                break None;
            }
            if stop() {
                break Some(Outcome::Stopped);
            }
            if let Some(outcome) = monitor.exceeded() {
                break Some(outcome);
            }
            self.wait(tick)?;
        };
        monitor.finish();
        let status = self.end()?;
        Ok(ExitInfo {
            killed,
            status,
            cpu: monitor.cpu,
            peak_resident: monitor.peak_resident,
            wall: self.started.elapsed(),
        })
    }

    fn wait(&mut self, tick: Duration) -> Result<(), SandboxError> {
        let exit = self.exit_fd.as_ref().map(|exit| exit.as_fd());
        match &mut self.output {
            Some(output) => output.wait(exit, tick).map_err(SandboxError::LimitMonitor),
            None => Ok(()),
        }
    }

    /// Whether the leader has ended. Does not reap it, so that its process id is not reused.
    fn leader_has_ended(&self) -> Result<bool, SandboxError> {
        let leader = WaitId::Pid(self.leader);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(leader, options)
            .map(|status| status.is_some())
            .map_err(|errno| SandboxError::LimitMonitor(errno.into()))
    }

    /// Kills the group, reaps the leader and reads the remaining output.
    fn end(&mut self) -> Result<ExitStatus, SandboxError> {
        self.group.kill()?;
        let status = match self.leader_has_ended()? {
            true => {
                let status = self.reap()?;
                // Usually the group is empty now. Scanning /proc for members takes a considerable part of a small job's time.
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
            output.take().map_err(SandboxError::LimitMonitor)?;
        }
        Ok(status)
    }

    fn reap(&mut self) -> Result<ExitStatus, SandboxError> {
        let waited = rustix::io::retry_on_intr(|| waitpid(Some(self.leader), WaitOptions::empty()));
        let reaped = waited.map_err(|errno| SandboxError::LimitMonitor(errno.into()))?;
        self.reaped = true;
        strays::remove(self.leader);
        Ok(ExitStatus::from_raw(
            reaped.map_or(0, |(_, status)| status.as_raw()),
        ))
    }
}

impl Drop for Running {
    /// Kills the group after an error, unless the child was reaped.
    fn drop(&mut self) {
        if !self.reaped && self.end().is_err() {
            tracing::error!("a sandboxed process group could not be killed");
        }
    }
}

impl ExitInfo {
    fn finish(self, job: &Job<'_>, output: Option<Output>) -> FinishedChild {
        let (stdout, stdout_truncated, stderr_tail) =
            output.map(Output::into_parts).unwrap_or_default();
        let evidence = ExitEvidence {
            status: self.status,
            cpu: self.cpu,
            peak_resident: self.peak_resident,
            stderr_tail: &stderr_tail,
        };
        let outcome = self
            .killed
            .unwrap_or_else(|| evidence.classify(&job.work, &job.limits));
        FinishedChild {
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
