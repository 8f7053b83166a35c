//! The engine function's side: sends jobs to the zygote one at a time and replaces it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sandbox::zygote::MAX_FORKS;
use sandbox::{FinishedChild, Job, Launcher, Outcome, SandboxError};

use crate::error::OfficeError;
use crate::kit::EXIT_DIALOG;
use crate::process::Process;
use crate::protocol::Work;

/// The zygote of an engine function. It is started by [`Zygote::warm_up`] or by the first job, and again after it has died. Jobs run
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
    /// Number of forks of the process.
    forks: u32,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let started = self.process.is_some();
        formatter
            .debug_struct("State")
            .field("started", &started)
            .field("forks", &self.forks)
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
    /// A zygote that has served [`MAX_FORKS`] forks, or whose fork crashed, failed or exceeded a limit other than scratch space,
    /// is ended: the next one has a different address-space layout and new files.
    ///
    /// # Errors
    /// [`OfficeError`] if the zygote failed; the next job starts another. Failures of the fork are an [`Outcome`] instead.
    pub fn run(&self, job: &Job<'_>, stop: &AtomicBool) -> Result<FinishedChild, OfficeError> {
        let mut state = self.state();
        self.ready(&mut state, stop)?;
        // The death of an idle zygote may become visible only after the job was sent, so retry once.
        let finished = match self.run_once(&mut state, job, stop) {
            Err(OfficeError::NotAccepted | OfficeError::ProfileChanged) => {
                self.ready(&mut state, stop)?;
                self.run_once(&mut state, job, stop)?
            }
            finished => finished?,
        };
        state.forks += 1;
        let suspicious = is_suspicious(&finished);
        if suspicious || state.forks >= MAX_FORKS {
            tracing::info!(
                forks = state.forks,
                suspicious,
                "the office zygote is replaced"
            );
            *state = State::default();
            if !suspicious {
                // Ready for the next job. A failure is reported there.
                self.started(&mut state).ok();
            }
        }
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

    /// Makes the zygote ready for a job.
    fn ready(&self, state: &mut State, stop: &AtomicBool) -> Result<(), OfficeError> {
        if state.process.as_ref().is_some_and(Process::has_ended) {
            tracing::warn!("the office zygote exited and is replaced");
            *state = State::default();
        }
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

    /// Runs a job in the current zygote. If the zygote fails, it is ended.
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
                OfficeError::NotAccepted | OfficeError::ProfileChanged => {
                    tracing::warn!(%error, "the office zygote is replaced")
                }
                _ => tracing::error!(%error, "the office zygote failed"),
            }
            *state = State::default();
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

/// Whether the outcome of a fork may be caused by a corrupted zygote, or by an attempt to exploit it.
fn is_suspicious(finished: &FinishedChild) -> bool {
    match finished.outcome {
        Outcome::Exited { code } => code != 0 && code != EXIT_DIALOG,
        Outcome::Stopped | Outcome::ScratchFull => false,
        Outcome::Crashed { .. } | Outcome::TimedOut | Outcome::OutOfMemory => true,
    }
}
