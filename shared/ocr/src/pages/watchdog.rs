//! Ends the process if a page takes too long, so that its successor can leave that page out: neither rendering nor Tesseract's
//! page layout can be cancelled.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Maximum time of a page, plus [`TIME_PER_MEGAPIXEL`]: many times what a page takes on a machine that is fully loaded.
const TIME_PER_PAGE: Duration = Duration::from_secs(80);
const TIME_PER_MEGAPIXEL: Duration = Duration::from_secs(3);
/// Interval of the checks.
const INTERVAL: Duration = Duration::from_millis(500);

/// When each running page has to end; free slots are `None`.
type Running = Mutex<Vec<Option<Instant>>>;

/// Watches pages.
pub(in super::super) struct Watchdog {
    running: Arc<Running>,
}

/// A watched page, until it is dropped.
pub(in super::super) struct Watched<'a> {
    running: &'a Running,
    slot: usize,
}

impl Watchdog {
    /// Starts the thread, which ends when the watchdog is dropped.
    pub(in super::super) fn start() -> Self {
        let running = Arc::new(Running::default());
        let watched = Arc::downgrade(&running);
        std::thread::spawn(move || watch(&watched));
        Self { running }
    }

    /// Watches a page of this number of pixels.
    pub(in super::super) fn page(&self, pixels: u64) -> Watched<'_> {
        let megapixels = u32::try_from(pixels / 1_000_000).unwrap_or(u32::MAX);
        let time = TIME_PER_PAGE + TIME_PER_MEGAPIXEL.saturating_mul(megapixels);
        let end = Instant::now() + time;
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = running.len();
        running.push(Some(end));
        Watched {
            running: &self.running,
            slot,
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(end) = running.get_mut(self.slot) {
            *end = None;
        }
    }
}

fn watch(running: &Weak<Running>) {
    while let Some(running) = running.upgrade() {
        let now = Instant::now();
        let pages = running.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.iter().flatten().any(|end| *end < now) {
            std::process::abort();
        }
        drop(pages);
        drop(running);
        std::thread::sleep(INTERVAL);
    }
}
