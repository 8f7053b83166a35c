//! Zygote (fork server): a process of the launcher's executable that is started once and forked for each entry, because
//! starting the executable takes longer than processing most documents.
//!
//! The zygote never reads a document and holds no secrets of its parent. Its forks are children of that parent
//! (`CLONE_PARENT`), confined, monitored and killed like any other child. All forks share one address-space layout, so a
//! zygote serves a bounded number of forks, and is replaced after a fork that crashed or exceeded a limit other than
//! scratch space: ASLR cannot be brute-forced across forks.

mod child;
mod message;
mod process;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use self::child::enter;
use self::process::{Process, StartedFork};
use crate::error::SandboxError;
use crate::job::{Job, Network, Work};
use crate::launcher::Launcher;
use crate::limit_monitor::is_single_process;
use crate::outcome::{FinishedChild, Outcome};
use crate::run::run;

/// Maximum number of forks of one zygote process, also of other fork servers over this crate.
pub const MAX_FORKS: u32 = 64;
/// After this number of consecutive failures, no further zygote is started.
const MAX_FAILURES: u32 = 3;

/// Runs jobs in forks of a zygote process, which it starts on first use and replaces when necessary.
#[derive(Debug)]
pub struct Zygote {
    launcher: Launcher,
    preparation: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    process: Option<Arc<Process>>,
    /// Number of forks of the current process.
    forks: u32,
    /// Consecutive failures.
    failures: u32,
}

impl Zygote {
    /// A zygote that is not started yet. The `main` of the launcher's executable must call [`enter`] first; `preparation` is
    /// passed to its function that loads shared resources.
    #[must_use]
    pub fn new(launcher: Launcher, preparation: &Path) -> Self {
        Self {
            launcher,
            preparation: preparation.to_owned(),
            state: Mutex::default(),
        }
    }

    /// Starts the process without waiting for it.
    pub fn warm_up(&self) {
        self.process();
    }

    /// Runs a job like [`run()`]. Entries without child processes and network run in a fork; all other jobs, and all jobs
    /// while no zygote is available, run in a new process.
    ///
    /// # Errors
    /// As [`run()`].
    pub fn run(&self, job: &Job<'_>, stop: &AtomicBool) -> Result<FinishedChild, SandboxError> {
        let Some(started) = self.start_fork(job) else {
            return run(&self.launcher, job, stop);
        };
        let StartedFork {
            process,
            running,
            channel,
        } = started;
        let stop = || stop.load(Ordering::Relaxed);
        let finished = running.finish(job, Some(job.scratch), channel, &stop);
        let finished = finished.map(|(finished, _)| finished);
        if !finished.as_ref().is_ok_and(is_unsuspicious) {
            self.retire(&process);
        }
        finished
    }

    fn start_fork(&self, job: &Job<'_>) -> Option<StartedFork> {
        if !runs_in_fork(job) {
            return None;
        }
        let process = self.process()?;
        match process.start_fork(job) {
            Ok(started) => {
                self.state().failures = 0;
                Some(started)
            }
            Err(error) => {
                tracing::warn!(%error, "the zygote failed to fork; the job runs in a new process");
                // Other threads may report the same failure of the same process: count it once.
                if self.retire(&process) {
                    self.state().failures += 1;
                }
                None
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock is harmless: each change of the state is a single assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The process to fork. Counts the fork and starts a new process if necessary.
    fn process(&self) -> Option<Arc<Process>> {
        let mut state = self.state();
        if state.failures >= MAX_FAILURES {
            return None;
        }
        if state.forks >= MAX_FORKS {
            state.process = None;
        }
        if state.process.is_none() {
            match Process::start(&self.launcher, &self.preparation) {
                Ok(process) => state.process = Some(Arc::new(process)),
                Err(error) => {
                    tracing::warn!(%error, "the zygote cannot be started");
                    state.failures += 1;
                }
            }
            state.forks = 0;
        }
        state.forks += 1;
        state.process.clone()
    }

    /// Stops using the process; its running forks continue. Returns `false` if it was retired already.
    fn retire(&self, process: &Arc<Process>) -> bool {
        let mut state = self.state();
        let retired = state
            .process
            .take_if(|current| Arc::ptr_eq(current, process));
        retired.is_some()
    }
}

fn runs_in_fork(job: &Job<'_>) -> bool {
    matches!(job.work, Work::Entry { .. })
        && matches!(job.network, Network::None)
        && is_single_process(&job.limits)
}

/// Whether the outcome shows no sign of an exploit attempt. After a crash, the next zygote has a new address-space layout.
fn is_unsuspicious(finished: &FinishedChild) -> bool {
    matches!(
        finished.outcome,
        Outcome::Exited { .. } | Outcome::Stopped | Outcome::ScratchFull
    )
}
