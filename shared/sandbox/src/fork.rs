//! Runs a job in a fork of this process, for libraries whose initialization takes longer than their work.

use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{DumpableBehavior, Pid, getppid, set_dumpable_behavior, setpgid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::channel::{Channel, Task};
use crate::child::{self, EXIT_NOT_STARTED, Entry, thread_names};
use crate::error::SandboxError;
use crate::group::Group;
use crate::job::{Job, Work};
use crate::outcome::FinishedChild;
use crate::run::Running;
use crate::strays;
use crate::unchecked;

/// Exit code of a Rust program that panicked.
const EXIT_PANICKED: i32 = 101;

/// Callbacks for a job that runs in a fork.
pub trait Supervisor {
    /// Receives the process id of the group leader, so that another process can call [`kill_orphans`] if this one dies.
    fn started(&self, leader: u32);

    /// Whether to end the job early; called every few milliseconds.
    fn should_stop(&self) -> bool;
}

/// Kills the process group of a job whose parent has died, and waits for its end.
///
/// # Errors
/// [`SandboxError`] if it cannot be killed.
pub fn kill_orphans(leader: u32) -> Result<(), SandboxError> {
    let leader = i32::try_from(leader).ok().and_then(Pid::from_raw);
    leader.map_or(Ok(()), |leader| Group::led_by(leader).end())
}

/// Runs a job in a fork of this single-threaded process and waits until all its processes have ended. Blocks.
///
/// The fork is confined like any other child before it serves its entry. It inherits only `/dev/null` and the pipes of its
/// output as descriptors, but all memory of this process, which must therefore hold no secrets.
///
/// # Errors
/// [`SandboxError`] if the sandbox failed. Failures of the fork are a [`crate::Outcome`] instead.
pub fn run_forked(
    job: &Job<'_>,
    supervisor: &dyn Supervisor,
    serve: &dyn Fn(Entry) -> u8,
) -> Result<FinishedChild, SandboxError> {
    if !matches!(job.work, Work::Entry { .. }) || thread_names().len() != 1 {
        return Err(SandboxError::Fork(std::io::Error::other(
            "only a single-threaded process can fork, and only for an entry",
        )));
    }
    let parent = getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    let channel = Channel::create(job, Task::Work(job.work.clone()), parent)?;
    let running = fork(&channel, serve)?;
    supervisor.started(running.leader());
    let finished = running.finish(job, Some(job.scratch), channel, &|| {
        supervisor.should_stop()
    });
    finished.map(|(finished, _)| finished)
}

fn fork(channel: &Channel, serve: &dyn Fn(Entry) -> u8) -> Result<Running, SandboxError> {
    let failed = |errno: rustix::io::Errno| SandboxError::Fork(errno.into());
    let started = Instant::now();
    let _starting = strays::starting();
    let setup = channel.child_end()?.into();
    let lifeline = channel.lifeline().try_clone_to_owned();
    let lifeline = lifeline.map_err(SandboxError::Fork)?;
    let (stdout, stdout_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
    let (stderr, stderr_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
    match unchecked::fork().map_err(SandboxError::Fork)? {
        None => become_child([setup, stdout_end, stderr_end], lifeline, serve),
        Some(leader) => {
            // Parent and child both call setpgid, because either may run first; the second call fails or has no effect.
            setpgid(Some(leader), Some(leader)).ok();
            Running::monitored(leader, Some(stdout.into()), Some(stderr.into()), started)
        }
    }
}

/// Runs the fork to its exit. Never returns into the parent's code.
pub(crate) fn become_child(
    ends: [OwnedFd; 3],
    lifeline: OwnedFd,
    serve: &dyn Fn(Entry) -> u8,
) -> ! {
    let started = adopt_descriptors(ends).and_then(|()| child::start(Some(lifeline)));
    let code = match started {
        // A panic must not unwind into the parent's code either.
        Ok(entry) => {
            catch_unwind(AssertUnwindSafe(|| serve(entry))).map_or(EXIT_PANICKED, i32::from)
        }
        Err(_) => EXIT_NOT_STARTED,
    };
    unchecked::exit_now(code)
}

/// Puts this fork in the state of a newly executed child: leader of its own group, job setup as standard input, pipes as
/// outputs. Also makes the process dumpable, so that the parent can read `/proc/<pid>/fd`; for other children `exec` does
/// that. Where `prctl` is refused, the parent process is dumpable as well, or an execute-only program: then deleted files do
/// not count as scratch space, and only the limit of file size bounds them.
fn adopt_descriptors([setup, stdout, stderr]: [OwnedFd; 3]) -> std::io::Result<()> {
    setpgid(None::<Pid>, None::<Pid>)?;
    unchecked::restore_crash_signals();
    dup2_stdin(setup)?;
    dup2_stdout(stdout)?;
    dup2_stderr(stderr)?;
    set_dumpable_behavior(DumpableBehavior::Dumpable).ok();
    Ok(())
}
