//! Runs a job in a fork of this process, for libraries that take longer to begin than to do their work.

use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{DumpableBehavior, Pid, getppid, set_dumpable_behavior, setpgid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::channel::{Channel, Task};
use crate::child::{self, EXIT_NOT_BEGUN, Entry, thread_names};
use crate::error::SandboxError;
use crate::group::Group;
use crate::job::{Job, Work};
use crate::outcome::Finished;
use crate::run::Running;
use crate::unchecked;

/// The exit code of a Rust program that panicked.
const EXIT_PANICKED: i32 = 101;

/// Who has a job run in a fork.
pub trait Overseer {
    /// Told the process, which leads a group, so that somebody else can end it with [`end_orphans`] if this process dies.
    fn began(&self, leader: u32);

    /// Whether the job is to end early; asked every few milliseconds.
    fn stops(&self) -> bool;
}

/// Ends what is left of a job whose parent is gone, and waits until it is.
///
/// # Errors
/// [`SandboxError`] if it cannot be ended.
pub fn end_orphans(leader: u32) -> Result<(), SandboxError> {
    let leader = i32::try_from(leader).ok().and_then(Pid::from_raw);
    leader.map_or(Ok(()), |leader| Group::led_by(leader).end())
}

/// Runs a job in a fork of this process, which has one thread, and returns when nothing of it is alive any more. The fork
/// is confined as any other child is before it serves its entry, and has no descriptor of this process but `/dev/null` and
/// the pipes of its output; its memory is this process's, so that must hold no secrets. Blocks. `allow_weak` is
/// [`crate::Launcher::allow_weak`].
///
/// # Errors
/// [`SandboxError`] if the sandbox failed. Whatever the fork did is an [`crate::Outcome`] instead.
pub fn run_forked(
    job: &Job<'_>,
    allow_weak: bool,
    overseer: &dyn Overseer,
    serve: &dyn Fn(Entry) -> u8,
) -> Result<Finished, SandboxError> {
    if !matches!(job.work, Work::Entry { .. }) || thread_names().len() != 1 {
        return Err(SandboxError::Fork(std::io::Error::other(
            "a fork serves an entry, in a process of one thread",
        )));
    }
    let parent = getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    let channel = Channel::describe(job, Task::Work(job.work.clone()), allow_weak, parent)?;
    let running = fork(&channel, serve)?;
    overseer.began(running.leader());
    let finished = running.finish(job, Some(job.scratch), channel, &|| overseer.stops());
    finished.map(|(finished, _)| finished)
}

fn fork(channel: &Channel, serve: &dyn Fn(Entry) -> u8) -> Result<Running, SandboxError> {
    let failed = |errno: rustix::io::Errno| SandboxError::Fork(errno.into());
    let started = Instant::now();
    let description = channel.child_end()?.into();
    let (stdout, stdout_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
    let (stderr, stderr_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
    match unchecked::fork().map_err(SandboxError::Fork)? {
        None => become_child([description, stdout_end, stderr_end], serve),
        Some(leader) => {
            // Both sides do it, as neither knows which is first; the other one's call is refused or does nothing.
            setpgid(Some(leader), Some(leader)).ok();
            Running::watched(leader, Some(stdout.into()), Some(stderr.into()), started)
        }
    }
}

/// The fork from its first moment to its last. It never returns to the code that its parent was in.
pub(crate) fn become_child(ends: [OwnedFd; 3], serve: &dyn Fn(Entry) -> u8) -> ! {
    let code = match take_over(ends).and_then(|()| child::begin()) {
        // What panics must not run the code that its parent was in either.
        Ok(entry) => {
            catch_unwind(AssertUnwindSafe(|| serve(entry))).map_or(EXIT_PANICKED, i32::from)
        }
        Err(_) => EXIT_NOT_BEGUN,
    };
    unchecked::end(code)
}

/// Leads a group of its own, with the description of the job as standard input and pipes as outputs, which is how any child
/// is started, and lets the parent look at its open files, as any child that has become another program does.
fn take_over([description, stdout, stderr]: [OwnedFd; 3]) -> std::io::Result<()> {
    setpgid(None::<Pid>, None::<Pid>)?;
    unchecked::restore_defect_signals();
    dup2_stdin(description)?;
    dup2_stdout(stdout)?;
    dup2_stderr(stderr)?;
    Ok(set_dumpable_behavior(DumpableBehavior::Dumpable)?)
}
