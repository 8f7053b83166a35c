//! The child's side: confines the process, then starts the work.

mod confine;
mod filesystem;
mod layer;
mod limits;
mod syscalls;

use std::fs::File;
use std::io::{Read as _, Write as _, stdin};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

pub use self::confine::thread_names;
use crate::channel::{ChildSetup, Report, Task};
use crate::job::Work;
use crate::launcher::CHILD;
use crate::unchecked;

/// Exit code of an entry in which an allocation failed or would exceed the limit.
pub const EXIT_OUT_OF_MEMORY: i32 = 120;
/// Exit code of an entry that ran out of disk space (`StorageFull`, `FileTooLarge`, `QuotaExceeded`).
pub const EXIT_SCRATCH_FULL: i32 = 121;
/// Exit code of a child that could not be confined. The reason is in its report.
pub(crate) const EXIT_NOT_STARTED: i32 = 125;

/// The entry that `main` serves in this confined process.
pub struct Entry {
    /// The name of the entry.
    pub name: String,
    /// The request.
    pub request: serde_json::Value,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Entry")
            .field("name", &self.name)
            .field("request", &"***")
            .finish()
    }
}

/// Confines this process if it was started as a sandboxed child. Must be called first in `main`, before any thread, open file
/// or secret exists.
///
/// Returns `None` in an ordinary process. In a child it returns the entry to serve, or does not return: it executes the job's
/// program, or exits if the process cannot be confined. The working directory is the scratch directory.
#[must_use]
pub fn enter() -> Option<Entry> {
    let argument = std::env::args_os().nth(1)?;
    (argument == CHILD).then(|| start(None).unwrap_or_else(|error| give_up(&error)))
}

/// Reports to standard error, because the channel is not open yet.
fn give_up(error: &std::io::Error) -> ! {
    writeln!(
        std::io::stderr(),
        "cannot become a sandboxed child: {error}"
    )
    .ok();
    unchecked::exit_now(EXIT_NOT_STARTED)
}

/// Reads the setup from standard input and confines the process. A child that was executed inherits its lifeline under the
/// number that the setup states.
pub(crate) fn start(lifeline: Option<OwnedFd>) -> std::io::Result<Entry> {
    unchecked::restore_limit_signals();
    let mut channel = File::from(stdin().as_fd().try_clone_to_owned()?);
    let mut text = String::new();
    channel.read_to_string(&mut text)?;
    let setup: ChildSetup = serde_json::from_str(&text)?;
    let lifeline = lifeline.or_else(|| unchecked::inherited_descriptor(setup.lifeline));
    let kept = [Some(channel.as_fd()), lifeline.as_ref().map(OwnedFd::as_fd)];
    unchecked::close_inherited_descriptors(&kept.into_iter().flatten().collect::<Vec<_>>())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    match confine::confine(&setup, lifeline) {
        Ok(containment) => report(&mut channel, &Report::Confined(containment))?,
        Err(reason) => fail(&mut channel, reason)?,
    }
    match setup.task {
        Task::Probe => unchecked::exit_now(0),
        Task::Work(Work::Entry { name, request }) => Ok(Entry { name, request }),
        Task::Work(Work::Program {
            executable, args, ..
        }) => {
            let error = Command::new(&executable).args(args).exec();
            fail(&mut channel, cannot_execute(&executable, &error))
        }
    }
}

fn cannot_execute(executable: &Path, error: &std::io::Error) -> String {
    format!("cannot execute {}: {error}", executable.display())
}

fn fail<Never>(channel: &mut File, reason: String) -> std::io::Result<Never> {
    report(channel, &Report::Failed(reason))?;
    unchecked::exit_now(EXIT_NOT_STARTED)
}

fn report(channel: &mut File, report: &Report) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    channel.write_all(&line)
}
