//! A process of the launcher's executable that is begun once and forked for each entry: starting the executable anew costs
//! more than most documents do.
//!
//! The zygote never reads a byte of a document, and knows nothing of its processor. A fork of it is a child of the processor,
//! not of the zygote; it is confined, watched and ended as any other child is. It has the same addresses as the forks before
//! it, so a zygote serves a bounded number of them, and none after one that crashed or reached a limit other than that of its
//! scratch space.

mod inside;
mod message;
mod process;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use self::inside::enter;
use self::process::{Begun, Process};
use crate::error::SandboxError;
use crate::job::{Job, Network, Work};
use crate::launcher::Launcher;
use crate::outcome::{Finished, Outcome};
use crate::run::run;
use crate::watch::is_alone;

/// Forks of one zygote.
const FORKS: u32 = 256;
/// So many failures in a row, and there is no further try.
const FAILURES: u32 = 3;

/// Runs jobs in forks of a process that it begins when it is first needed, and anew when that one has had its time.
#[derive(Debug)]
pub struct Zygote {
    launcher: Launcher,
    preparation: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    process: Option<Arc<Process>>,
    /// Of this process.
    forks: u32,
    /// Since a fork succeeded.
    failures: u32,
}

impl Zygote {
    /// A zygote that is not begun yet. `launcher` starts an executable whose `main` calls [`enter`] first thing, which hands
    /// `preparation` to the function that loads what forks need.
    #[must_use]
    pub fn new(launcher: Launcher, preparation: &Path) -> Self {
        Self {
            launcher,
            preparation: preparation.to_owned(),
            state: Mutex::default(),
        }
    }

    /// Begins it and does not wait for it.
    pub fn warm_up(&self) {
        self.process();
    }

    /// Runs a job as [`run()`] does. An entry that starts no other process and needs no network runs in a fork, whatever else
    /// in a process that is started for it; so does everything where there is no zygote.
    ///
    /// # Errors
    /// As [`run()`].
    pub fn run(&self, job: &Job<'_>, stop: &AtomicBool) -> Result<Finished, SandboxError> {
        let Some(begun) = self.begin(job) else {
            return run(&self.launcher, job, stop);
        };
        let Begun {
            process,
            running,
            channel,
        } = begun;
        let stop = || stop.load(Ordering::Relaxed);
        let finished = running.finish(job, Some(job.scratch), channel, &stop);
        let finished = finished.map(|(finished, _)| finished);
        if !finished.as_ref().is_ok_and(ended_by_itself) {
            self.retire(&process);
        }
        finished
    }

    fn begin(&self, job: &Job<'_>) -> Option<Begun> {
        if !is_forked(job) {
            return None;
        }
        let process = self.process()?;
        match process.begin(job, self.launcher.weak_is_allowed()) {
            Ok(begun) => {
                self.state().failures = 0;
                Some(begun)
            }
            Err(error) => {
                tracing::warn!(%error, "a zygote failed");
                // Whoever else waits for the same process hears of the same failure.
                if self.retire(&process) {
                    self.state().failures += 1;
                }
                None
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whatever a panicking thread left is whole: each change is a single one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The process to fork, counted as forked.
    fn process(&self) -> Option<Arc<Process>> {
        let mut state = self.state();
        if state.failures >= FAILURES {
            return None;
        }
        if state.forks >= FORKS {
            state.process = None;
        }
        if state.process.is_none() {
            match Process::start(&self.launcher, &self.preparation) {
                Ok(process) => state.process = Some(Arc::new(process)),
                Err(error) => {
                    tracing::warn!(%error, "a zygote cannot be started");
                    state.failures += 1;
                }
            }
            state.forks = 0;
        }
        state.forks += 1;
        state.process.clone()
    }

    /// The forks that it has still go on. Whether nobody else has done so.
    fn retire(&self, process: &Arc<Process>) -> bool {
        let mut state = self.state();
        let retired = state
            .process
            .take_if(|current| Arc::ptr_eq(current, process));
        retired.is_some()
    }
}

fn is_forked(job: &Job<'_>) -> bool {
    matches!(job.work, Work::Entry { .. })
        && matches!(job.network, Network::Nothing)
        && is_alone(&job.limits)
}

/// Whether nothing says that a document has got the better of the process that read it.
fn ended_by_itself(finished: &Finished) -> bool {
    matches!(
        finished.outcome,
        Outcome::Exited { .. } | Outcome::Stopped | Outcome::ScratchFull
    )
}
