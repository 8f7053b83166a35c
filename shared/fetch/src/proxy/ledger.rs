//! What one page may still take, and where it was not let.

use std::collections::BTreeSet;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use url::Url;

use super::Traffic;

/// Refused places that are remembered; a page that tries more is told apart no less, it only is not listed.
const REMEMBERED: usize = 1000;

/// The account of one page.
pub(super) struct Ledger {
    most_bytes: u64,
    bytes: AtomicU64,
    exceeded: AtomicBool,
    refused: AtomicU32,
    places: Mutex<BTreeSet<String>>,
}

impl Ledger {
    pub(super) fn new(most_bytes: u64) -> Self {
        Self {
            most_bytes,
            bytes: AtomicU64::new(0),
            exceeded: AtomicBool::new(false),
            refused: AtomicU32::new(0),
            places: Mutex::default(),
        }
    }

    /// Counts bytes that passed.
    ///
    /// # Errors
    /// They are more than the page may take.
    pub(super) fn count(&self, bytes: usize) -> io::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) <= self.most_bytes {
            return Ok(());
        }
        self.exceeded.store(true, Ordering::Relaxed);
        Err(io::Error::other("the page takes too much"))
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }

    /// Remembers that the guard refused this URL's place.
    pub(super) fn note_refusal(&self, url: &Url) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut places) = self.places.lock()
            && places.len() < REMEMBERED
        {
            places.extend(place(url));
        }
    }

    pub(super) fn has_refused(&self, url: &str) -> bool {
        let place = Url::parse(url).ok().as_ref().and_then(place);
        let places = self.places.lock().ok();
        place.is_some_and(|place| places.is_some_and(|places| places.contains(&place)))
    }

    pub(super) fn traffic(&self) -> Traffic {
        Traffic {
            refused: self.refused.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            exceeded: self.is_exceeded(),
        }
    }
}

/// Host and port: what a tunnel names, and all of it that is known about one.
fn place(url: &Url) -> Option<String> {
    let host = url.host_str()?.trim_end_matches('.');
    Some(format!("{host}:{}", url.port_or_known_default()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_host_and_port_however_they_are_written() {
        let ledger = Ledger::new(0);
        for url in [
            "https://Intern.example.:443/",
            "https://[::ffff:7f00:1]:80/",
        ] {
            ledger.note_refusal(&Url::parse(url).unwrap());
        }
        for same in [
            "https://intern.example/page?query",
            "http://intern.example:443/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(ledger.has_refused(same), "{same}");
        }
        for other in [
            "http://intern.example/",
            "https://example/",
            "about:blank",
            "",
        ] {
            assert!(!ledger.has_refused(other), "{other}");
        }
        assert_eq!(ledger.traffic().refused, 2);
    }

    #[test]
    fn the_byte_after_the_last_is_one_too_many() {
        let ledger = Ledger::new(10);
        assert!(ledger.count(4).is_ok() && ledger.count(6).is_ok());
        assert!(!ledger.traffic().exceeded);
        assert!(ledger.count(1).is_err());
        assert!(ledger.traffic().exceeded);
    }
}
