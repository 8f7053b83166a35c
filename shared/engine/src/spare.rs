//! The spare browser: begun before its document comes, confined as every other, and used for one document, once.
//!
//! There is one at most, and none beside a browser that is begun for a page or a document, as each may take most of the memory
//! that there is.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use domain::limits::work_limit;
use domain::operation::Processor;
use sandbox::{Launcher, Limits, Network, Standby, StandbyJob, Work};

use crate::child::STAND_BY;
use crate::installed::Browser;
use crate::operation::browser_limits;

/// How often it is looked after.
const LOOK: Duration = Duration::from_secs(2);
/// How long it waits for a document.
const IDLE: Duration = Duration::from_secs(15 * 60);
/// So many that were of no use in a row, and there is no further one.
const FAILURES: u32 = 3;

/// Begins browsers in advance.
#[derive(Debug)]
pub(crate) struct SpareBrowser {
    launcher: Launcher,
    base: PathBuf,
    job: StandbyJob,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: Option<(Standby, Instant)>,
    /// Whether what comes next is likely to be a document, as what came last was.
    is_wanted: bool,
    /// Since one was of use.
    failures: u32,
    is_kept: bool,
}

impl SpareBrowser {
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
                    name: STAND_BY.to_owned(),
                    request: serde_json::to_value(&browser.program).ok()?,
                },
                readable: Vec::new(),
                network: Network::Nothing,
                limits: limits()?,
            },
            state: Mutex::new(state),
        })
    }

    /// Takes it, if it is there; whatever is begun now is alone.
    pub(crate) fn take(&self, is_document: bool) -> Option<Standby> {
        let mut state = self.state();
        state.is_wanted = is_document;
        let taken = state.waiting.take();
        taken.map(|(standby, _)| standby)
    }

    /// Begins the next one after a document, if there is none.
    pub(crate) fn refill(self: &Arc<Self>) {
        let mut state = self.state();
        if state.is_wanted {
            self.begin(&mut state);
        }
        if state.waiting.is_some() && !state.is_kept {
            let spare = Arc::downgrade(self);
            let keeper = std::thread::Builder::new().name("spare's keeper".to_owned());
            state.is_kept = keeper.spawn(move || keep(&spare)).is_ok();
        }
    }

    /// Notes whether one was of use when there was a document.
    pub(crate) fn note(&self, was_of_use: bool) {
        let mut state = self.state();
        state.failures = if was_of_use { 0 } else { state.failures + 1 };
        if !was_of_use {
            tracing::warn!("a spare browser was of no use");
        }
    }

    fn begin(&self, state: &mut State) {
        if state.waiting.is_some() || state.failures >= FAILURES {
            return;
        }
        match Standby::begin(&self.launcher, self.job.clone(), Some(&self.base)) {
            Ok(standby) => state.waiting = Some((standby, Instant::now())),
            Err(error) => {
                tracing::warn!(%error, "a spare browser cannot be begun");
                state.failures += 1;
            }
        }
    }

    /// Ends one that has waited for too long, replaces one that is dead or runs wild, and tells whether there is one.
    fn look(&self) -> bool {
        let mut state = self.state();
        let (is_sound, is_fresh) = match &state.waiting {
            Some((standby, since)) => (standby.is_sound(), since.elapsed() < IDLE),
            None => (true, false),
        };
        if !is_sound || !is_fresh {
            state.waiting = None;
        }
        if !is_sound {
            state.failures += 1;
            self.begin(&mut state);
        }
        state.is_kept = state.waiting.is_some();
        state.is_kept
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whatever a panicking thread left is whole: each change is a single one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks after it as long as there is one.
fn keep(spare: &Weak<SpareBrowser>) {
    loop {
        std::thread::sleep(LOOK);
        if !spare.upgrade().is_some_and(|spare| spare.look()) {
            return;
        }
    }
}

/// What any document may use.
fn limits() -> Option<Limits> {
    work_limit("convert", Processor::ProcessWeb).map(browser_limits)
}
