//! The prewarmed browser: started before its document arrives, confined like every other, and used for one document.
//!
//! There is at most one, and none while a browser is started for a page or a document, as each may take most of the memory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use domain::limits::work_limit;
use domain::processor::Processor;
use sandbox::{Launcher, Limits, Network, Standby, StandbyJob, Work};

use crate::child::PREWARM;
use crate::installed::Browser;
use crate::operation::browser_limits;

/// How often the watcher checks it.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// How long it waits for a document.
const MAX_IDLE: Duration = Duration::from_secs(15 * 60);
/// After this many consecutive failures no further one is started.
const MAX_FAILURES: u32 = 3;

/// Prewarms browsers.
#[derive(Debug)]
pub(crate) struct PrewarmedBrowser {
    launcher: Launcher,
    base: PathBuf,
    job: StandbyJob,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: Option<(Standby, Instant)>,
    /// Whether the last request had a document, so that the next one is likely to have one.
    is_wanted: bool,
    /// Consecutive failures.
    failures: u32,
    is_watched: bool,
}

impl PrewarmedBrowser {
    /// Browsers whose scratch directories lie in `base`.
    pub(crate) fn of(launcher: &Launcher, browser: &Browser, base: &Path) -> Option<Self> {
        let state = State {
            is_wanted: true,
            ..State::default()
        };
        Some(Self {
            launcher: launcher.clone(),
            base: base.to_owned(),
            job: StandbyJob {
                work: Work::Entry {
                    name: PREWARM.to_owned(),
                    request: serde_json::to_value(&browser.program).ok()?,
                },
                readable: Vec::new(),
                network: Network::Nothing,
                limits: limits()?,
            },
            state: Mutex::new(state),
        })
    }

    /// Takes the waiting browser, if there is one.
    pub(crate) fn take(&self, is_document: bool) -> Option<Standby> {
        let mut state = self.state();
        state.is_wanted = is_document;
        let taken = state.waiting.take();
        taken.map(|(standby, _)| standby)
    }

    /// Starts the next one after a document, if none is waiting.
    pub(crate) fn refill(self: &Arc<Self>) {
        let mut state = self.state();
        if state.is_wanted {
            self.start(&mut state);
        }
        if state.waiting.is_some() && !state.is_watched {
            let prewarmed = Arc::downgrade(self);
            let watcher = std::thread::Builder::new().name("prewarmed browser".to_owned());
            state.is_watched = watcher.spawn(move || watch(&prewarmed)).is_ok();
        }
    }

    /// Records whether the browser that a document claimed was usable.
    pub(crate) fn record(&self, was_usable: bool) {
        let mut state = self.state();
        state.failures = if was_usable { 0 } else { state.failures + 1 };
        if !was_usable {
            tracing::warn!("a prewarmed browser was not usable");
        }
    }

    fn start(&self, state: &mut State) {
        if state.waiting.is_some() || state.failures >= MAX_FAILURES {
            return;
        }
        match Standby::begin(&self.launcher, self.job.clone(), Some(&self.base)) {
            Ok(standby) => state.waiting = Some((standby, Instant::now())),
            Err(error) => {
                tracing::warn!(%error, "a browser cannot be prewarmed");
                state.failures += 1;
            }
        }
    }

    /// Ends a browser that has waited for too long and replaces one that is dead or exceeds its limits. Returns whether one
    /// is waiting.
    fn check(&self) -> bool {
        let mut state = self.state();
        let (is_sound, is_fresh) = match &state.waiting {
            Some((standby, since)) => (standby.is_sound(), since.elapsed() < MAX_IDLE),
            None => (true, false),
        };
        if !is_sound || !is_fresh {
            state.waiting = None;
        }
        if !is_sound {
            state.failures += 1;
            self.start(&mut state);
        }
        state.is_watched = state.waiting.is_some();
        state.is_watched
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panicking thread leaves a consistent state: each change is a single one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks the browser as long as one is waiting.
fn watch(prewarmed: &Weak<PrewarmedBrowser>) {
    loop {
        std::thread::sleep(CHECK_INTERVAL);
        if !prewarmed
            .upgrade()
            .is_some_and(|prewarmed| prewarmed.check())
        {
            return;
        }
    }
}

/// The limits of any document.
fn limits() -> Option<Limits> {
    work_limit("convert", Processor::ProcessWeb).map(browser_limits)
}
