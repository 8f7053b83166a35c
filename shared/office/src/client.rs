//! The processor's side: sends jobs to the zygote one at a time, checks its health and replaces it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sandbox::{FinishedChild, Job, Launcher, Limits, Outcome, SandboxError, Scratch};
use serde_json::Value;

use crate::error::OfficeError;
use crate::kit::EXIT_DIALOG;
use crate::process::Process;
use crate::protocol::{HEALTH, Work};

/// After this number of consecutive failed forks, the zygote is considered the cause, not the documents.
const MAX_FAILED_FORKS: u32 = 3;

/// The zygote of a processor. It is started by [`Zygote::warm_up`] or by the first job, and again after it has died. Jobs run
/// sequentially; concurrent callers wait.
#[derive(Debug)]
pub struct Zygote {
    launcher: Launcher,
    installation: PathBuf,
    base: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    process: Option<Process>,
    /// Number of consecutive failed forks.
    failed_forks: u32,
    /// Whether the zygote must pass a health check before its next job.
    suspect: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let started = self.process.is_some();
        formatter
            .debug_struct("State")
            .field("started", &started)
            .field("failed_forks", &self.failed_forks)
            .finish()
    }
}

impl Zygote {
    /// A zygote that is not started yet. The `main` of the launcher's executable must call [`crate::zygote::enter`] first;
    /// `installation` is LibreOffice's program directory; the zygote's own directory is created in `base`.
    #[must_use]
    pub fn new(launcher: Launcher, installation: &Path, base: &Path) -> Self {
        Self {
            launcher,
            installation: installation.to_owned(),
            base: base.to_owned(),
            state: Mutex::default(),
        }
    }

    /// Starts the zygote without waiting for it.
    ///
    /// # Errors
    /// [`OfficeError`] if no process can be started.
    pub fn warm_up(&self) -> Result<(), OfficeError> {
        self.started(&mut self.state()).map(|_| ())
    }

    /// Waits until the zygote accepts jobs; starts it if necessary. This time does not count against a job's limits.
    ///
    /// # Errors
    /// [`OfficeError`] if the zygote cannot be started or LibreOffice fails to initialize.
    pub fn await_ready(&self, stop: &AtomicBool) -> Result<(), OfficeError> {
        self.ready(&mut self.state(), stop)
    }

    /// Runs a job in a fork of the zygote and waits until all its processes have ended. Blocks; `stop` ends the job early. The
    /// work must be an entry that the function passed to [`crate::zygote::enter`] serves, without network access.
    ///
    /// # Errors
    /// [`OfficeError`] if the zygote failed; it is restarted for the next job. Failures of the fork are an [`Outcome`] instead.
    pub fn run(&self, job: &Job<'_>, stop: &AtomicBool) -> Result<FinishedChild, OfficeError> {
        let mut state = self.state();
        self.ready(&mut state, stop)?;
        // The death of an idle zygote may become visible only after the job was sent, so retry once.
        let finished = match self.run_once(&mut state, job, stop) {
            Err(OfficeError::NotAccepted) => {
                self.ready(&mut state, stop)?;
                self.run_once(&mut state, job, stop)?
            }
            finished => finished?,
        };
        state.suspect = is_suspicious(&finished);
        state.failed_forks = match state.suspect {
            true => state.failed_forks + 1,
            false => 0,
        };
        Ok(finished)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock is harmless: a process that does not respond is replaced.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn started<'a>(&self, state: &'a mut State) -> Result<&'a mut Process, OfficeError> {
        match &mut state.process {
            Some(process) => Ok(process),
            none => {
                let process = Process::start(&self.launcher, &self.installation, &self.base)?;
                Ok(none.insert(process))
            }
        }
    }

    /// Makes the zygote ready for a job. After a failed fork it must pass a health check; after [`MAX_FAILED_FORKS`]
    /// consecutive failures it is replaced without a check.
    fn ready(&self, state: &mut State, stop: &AtomicBool) -> Result<(), OfficeError> {
        if state.process.as_ref().is_some_and(Process::has_ended) {
            tracing::warn!("the office zygote exited and is replaced");
            *state = State::default();
        }
        if state.suspect
            && (state.failed_forks >= MAX_FAILED_FORKS || !self.is_healthy(state, stop))
        {
            tracing::warn!(
                failed_forks = state.failed_forks,
                "the office zygote is replaced"
            );
            *state = State::default();
        }
        state.suspect = false;
        let mut ready = self.started(state)?.await_ready(stop);
        if matches!(ready, Err(OfficeError::NotAccepted)) {
            tracing::warn!("the office zygote exited during start-up and is replaced");
            *state = State::default();
            ready = self.started(state)?.await_ready(stop);
        }
        let ready = ready.map_err(|error| match error {
            OfficeError::NotAccepted => OfficeError::NotReady("it exited".to_owned()),
            other => other,
        });
        if ready
            .as_ref()
            .is_err_and(|error| !matches!(error, OfficeError::Stopped))
        {
            *state = State::default();
        }
        ready
    }

    /// Health check: converts a built-in tiny document.
    fn is_healthy(&self, state: &mut State, stop: &AtomicBool) -> bool {
        let checked = Scratch::create(Some(&self.base))
            .map_err(OfficeError::from)
            .and_then(|scratch| {
                let second = Duration::from_secs(1);
                let job = Job {
                    work: sandbox::Work::Entry {
                        name: HEALTH.to_owned(),
                        request: Value::Null,
                    },
                    scratch: scratch.path(),
                    readable: &[],
                    network: sandbox::Network::None,
                    limits: Limits {
                        wall: second * 20,
                        cpu: second * 10,
                        processes: 1,
                        ..Limits::default()
                    },
                };
                self.run_once(state, &job, stop)
            });
        checked.is_ok_and(|finished| finished.outcome == Outcome::Exited { code: 0 })
    }

    /// Runs a job in the current zygote. If the zygote fails, it is dropped and a new one is started immediately.
    fn run_once(
        &self,
        state: &mut State,
        job: &Job<'_>,
        stop: &AtomicBool,
    ) -> Result<FinishedChild, OfficeError> {
        let work = work(job)?;
        let process = state.process.as_mut().ok_or(OfficeError::Died)?;
        let finished = process.run(work, stop);
        if let Err(error) = &finished {
            match error {
                // The caller retries the job with the new zygote.
                OfficeError::NotAccepted => {
                    tracing::warn!(%error, "the office zygote was replaced")
                }
                _ => tracing::error!(%error, "the office zygote failed"),
            }
            *state = State::default();
            self.started(state)?;
        }
        finished
    }
}

fn work(job: &Job<'_>) -> Result<Work, OfficeError> {
    match &job.work {
        sandbox::Work::Entry { name, request } => Ok(Work {
            entry: name.clone(),
            request: request.clone(),
            scratch: job.scratch.to_owned(),
            readable: job.readable.to_vec(),
            limits: job.limits,
        }),
        sandbox::Work::Program { .. } => Err(OfficeError::Sandbox(SandboxError::Fork(
            std::io::Error::other("a fork cannot execute a program"),
        ))),
    }
}

/// Whether the outcome of a fork may be caused by a corrupted zygote.
fn is_suspicious(finished: &FinishedChild) -> bool {
    match finished.outcome {
        Outcome::Crashed { .. } | Outcome::TimedOut => true,
        Outcome::Exited { code } => code != 0 && code != EXIT_DIALOG,
        _ => false,
    }
}
