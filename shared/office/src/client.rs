//! The processor's side: one zygote, its jobs one after the other, and its successors.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sandbox::{Finished, Job, Launcher, Limits, Outcome, SandboxError, Scratch};
use serde_json::Value;

use crate::error::OfficeError;
use crate::kit::EXIT_UNANSWERED;
use crate::process::Process;
use crate::protocol::{HEALTH, Work};

/// So many forks in a row that died make the zygote the culprit, not their documents.
const DEATHS: u32 = 3;

/// The zygote of a processor. It is started by [`Zygote::warm_up`] or by the first job, and again whenever it has died. It
/// does one job after the other, as its processor does; others wait.
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
    /// Forks that have died since one did not.
    deaths: u32,
    /// Whether the zygote is to show that it is well before its next job.
    suspect: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let started = self.process.is_some();
        formatter
            .debug_struct("State")
            .field("started", &started)
            .field("deaths", &self.deaths)
            .finish()
    }
}

impl Zygote {
    /// A zygote that is not started yet. `launcher` starts an executable whose `main` calls [`crate::zygote::enter`] first
    /// thing; `installation` is LibreOffice's directory of programs; the zygote's own directory is made in `base`.
    #[must_use]
    pub fn new(launcher: Launcher, installation: &Path, base: &Path) -> Self {
        Self {
            launcher,
            installation: installation.to_owned(),
            base: base.to_owned(),
            state: Mutex::default(),
        }
    }

    /// Starts it and does not wait for it.
    ///
    /// # Errors
    /// [`OfficeError`] if no process can be started.
    pub fn warm_up(&self) -> Result<(), OfficeError> {
        self.started(&mut self.state()).map(|_| ())
    }

    /// Waits until it takes jobs, starting it if need be: nothing of the job's time is used up meanwhile.
    ///
    /// # Errors
    /// [`OfficeError`] if it cannot be started or LibreOffice does not begin.
    pub fn await_ready(&self, stop: &AtomicBool) -> Result<(), OfficeError> {
        self.ready(&mut self.state(), stop)
    }

    /// Runs a job in a fork of the zygote, and returns when nothing of it is alive any more. Blocks; `stop` ends the job
    /// early. The job's work is an entry that the function given to [`crate::zygote::enter`] serves, and needs no network.
    ///
    /// # Errors
    /// [`OfficeError`] if the zygote failed, which is started anew for the next job. Whatever the fork did is an
    /// [`Outcome`] instead.
    pub fn run(&self, job: &Job<'_>, stop: &AtomicBool) -> Result<Finished, OfficeError> {
        let mut state = self.state();
        self.ready(&mut state, stop)?;
        // The end of a zygote that died while it was idle may become visible only after the job was sent.
        let finished = match self.order(&mut state, job, stop) {
            Err(OfficeError::NotTaken) => {
                self.ready(&mut state, stop)?;
                self.order(&mut state, job, stop)?
            }
            finished => finished?,
        };
        state.suspect = died(&finished);
        state.deaths = match state.suspect {
            true => state.deaths + 1,
            false => 0,
        };
        Ok(finished)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whatever a panicking thread left, the process in it is replaced when it does not answer.
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

    /// A zygote whose last fork died shows that it is well first; one whose forks die again and again is not asked.
    fn ready(&self, state: &mut State, stop: &AtomicBool) -> Result<(), OfficeError> {
        if state.process.as_ref().is_some_and(Process::has_ended) {
            tracing::warn!("the office zygote has ended and is replaced");
            *state = State::default();
        }
        if state.suspect && (state.deaths >= DEATHS || !self.is_well(state, stop)) {
            tracing::warn!(deaths = state.deaths, "the office zygote is replaced");
            *state = State::default();
        }
        state.suspect = false;
        let mut ready = self.started(state)?.await_ready(stop);
        if matches!(ready, Err(OfficeError::NotTaken)) {
            tracing::warn!("the office zygote ended while it started and is replaced");
            *state = State::default();
            ready = self.started(state)?.await_ready(stop);
        }
        let ready = ready.map_err(|error| match error {
            OfficeError::NotTaken => OfficeError::NotReady("it has ended".to_owned()),
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

    /// Has the zygote convert a tiny document of its own.
    fn is_well(&self, state: &mut State, stop: &AtomicBool) -> bool {
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
                    network: sandbox::Network::Nothing,
                    limits: Limits {
                        wall: second * 20,
                        cpu: second * 10,
                        processes: 1,
                        ..Limits::default()
                    },
                };
                self.order(state, &job, stop)
            });
        checked.is_ok_and(|finished| finished.outcome == Outcome::Exited { code: 0 })
    }

    /// Has a job done by a zygote that is ready; one that fails is gone afterwards, and its successor begins at once.
    fn order(
        &self,
        state: &mut State,
        job: &Job<'_>,
        stop: &AtomicBool,
    ) -> Result<Finished, OfficeError> {
        let work = work(job)?;
        let process = state.process.as_mut().ok_or(OfficeError::Died)?;
        let finished = process.run(work, stop);
        if let Err(error) = &finished {
            match error {
                // The job is given to the next one.
                OfficeError::NotTaken => tracing::warn!(%error, "the office zygote was replaced"),
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
            std::io::Error::other("a fork executes no program"),
        ))),
    }
}

/// Whether a fork ended in a way that the zygote may be to blame for, if it was split off in a bad state.
fn died(finished: &Finished) -> bool {
    match finished.outcome {
        Outcome::Crashed { .. } | Outcome::TimedOut => true,
        Outcome::Exited { code } => code != 0 && code != EXIT_UNANSWERED,
        _ => false,
    }
}
