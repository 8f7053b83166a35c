//! The prewarmed browser: started before a document arrives, sandboxed like every browser, and used for one document.
//!
//! There is at most one, and none while a browser is started for a page or a document, as each may take most of the memory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use domain::limits::work_limit;
use domain::processor::Processor;
use sandbox::{Launcher, Limits, Network, PrewarmedChild, PrewarmedJob, Work};

use crate::child::PREWARM;
use crate::installed::Browser;
use crate::operation::browser_limits;

/// How often the watcher checks the waiting browser.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// How long a browser waits for a document before it is stopped.
const MAX_IDLE: Duration = Duration::from_secs(15 * 60);
/// Number of consecutive failures after which no more browsers are prewarmed.
const MAX_FAILURES: u32 = 3;

/// Prewarms browsers.
#[derive(Debug)]
pub(crate) struct PrewarmedBrowser {
    launcher: Launcher,
    base: PathBuf,
    job: PrewarmedJob,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: Option<(PrewarmedChild, Instant)>,
    /// Whether the last request had a document, so that the next one is likely to have one.
    is_wanted: bool,
    /// Consecutive failures.
    failures: u32,
    is_watched: bool,
}

impl PrewarmedBrowser {
    /// Creates a prewarmer whose browsers have their scratch directories in `base`.
    pub(crate) fn of(launcher: &Launcher, browser: &Browser, base: &Path) -> Option<Self> {
        let state = State {
            is_wanted: true,
            ..State::default()
        };
        Some(Self {
            launcher: launcher.clone(),
            base: base.to_owned(),
            job: PrewarmedJob {
                work: Work::Entry {
                    name: PREWARM.to_owned(),
                    request: serde_json::to_value(&browser.program).ok()?,
                },
                readable: Vec::new(),
                network: Network::None,
                limits: limits()?,
            },
            state: Mutex::new(state),
        })
    }

    /// Takes the waiting browser, if any.
    pub(crate) fn take(&self, is_document: bool) -> Option<PrewarmedChild> {
        let mut state = self.state();
        state.is_wanted = is_document;
        let taken = state.waiting.take();
        taken.map(|(browser_child, _)| browser_child)
    }

    /// Starts a browser if none is waiting and the last request had a document.
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
            tracing::warn!("the prewarmed browser was not usable");
        }
    }

    fn start(&self, state: &mut State) {
        if state.waiting.is_some() || state.failures >= MAX_FAILURES {
            return;
        }
        match PrewarmedChild::start(&self.launcher, self.job.clone(), Some(&self.base)) {
            Ok(browser_child) => state.waiting = Some((browser_child, Instant::now())),
            Err(error) => {
                tracing::warn!(%error, "the browser cannot be prewarmed");
                state.failures += 1;
            }
        }
    }

    /// Stops a browser that has waited longer than [`MAX_IDLE`] and replaces one that has exited or exceeds its limits.
    /// Returns whether a browser is waiting.
    fn check(&self) -> bool {
        let mut state = self.state();
        let (is_within_limits, is_fresh) = match &state.waiting {
            Some((browser_child, since)) => {
                (browser_child.is_within_limits(), since.elapsed() < MAX_IDLE)
            }
            None => (true, false),
        };
        if !is_within_limits || !is_fresh {
            state.waiting = None;
        }
        if !is_within_limits {
            state.failures += 1;
            self.start(&mut state);
        }
        state.is_watched = state.waiting.is_some();
        state.is_watched
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is consistent even if a thread panicked: each change is a single assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks the waiting browser until none is left.
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

/// The limits for any document.
fn limits() -> Option<Limits> {
    work_limit("convert", Processor::ProcessWeb).map(browser_limits)
}
