//! Counts the bytes of one page and records the hosts that the guard blocked.

use std::collections::BTreeSet;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use url::Url;

use super::Traffic;

/// Maximum number of recorded hosts; further blocked requests are only counted.
const MAX_LISTED_AUTHORITIES: usize = 1000;

/// Traffic and blocked requests of one page.
pub(super) struct TrafficLog {
    max_bytes: u64,
    bytes: AtomicU64,
    exceeded: AtomicBool,
    blocked: AtomicU32,
    blocked_authorities: Mutex<BTreeSet<String>>,
}

impl TrafficLog {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            bytes: AtomicU64::new(0),
            exceeded: AtomicBool::new(false),
            blocked: AtomicU32::new(0),
            blocked_authorities: Mutex::default(),
        }
    }

    /// Adds transferred bytes.
    ///
    /// # Errors
    /// The page exceeds its byte limit.
    pub(super) fn count(&self, bytes: usize) -> io::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) <= self.max_bytes {
            return Ok(());
        }
        self.exceeded.store(true, Ordering::Relaxed);
        Err(io::Error::other("the page exceeds its byte limit"))
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }

    /// Records that the guard blocked this URL's host and port.
    pub(super) fn record_blocked(&self, url: &Url) {
        self.blocked.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut authorities) = self.blocked_authorities.lock()
            && authorities.len() < MAX_LISTED_AUTHORITIES
        {
            authorities.extend(authority(url));
        }
    }

    pub(super) fn has_blocked(&self, url: &str) -> bool {
        let authority = Url::parse(url).ok().as_ref().and_then(authority);
        let blocked = self.blocked_authorities.lock().ok();
        authority
            .is_some_and(|authority| blocked.is_some_and(|blocked| blocked.contains(&authority)))
    }

    pub(super) fn traffic(&self) -> Traffic {
        Traffic {
            blocked: self.blocked.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            exceeded: self.is_exceeded(),
        }
    }
}

/// `host:port`: the part of a URL that a CONNECT request contains.
fn authority(url: &Url) -> Option<String> {
    let host = url.host_str()?.trim_end_matches('.');
    Some(format!("{host}:{}", url.port_or_known_default()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_hosts_are_matched_by_normalized_host_and_port() {
        let traffic_log = TrafficLog::new(0);
        for url in [
            "https://Intern.example.:443/",
            "https://[::ffff:7f00:1]:80/",
        ] {
            traffic_log.record_blocked(&Url::parse(url).unwrap());
        }
        for same in [
            "https://intern.example/page?query",
            "http://intern.example:443/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(traffic_log.has_blocked(same), "{same}");
        }
        for other in [
            "http://intern.example/",
            "https://example/",
            "about:blank",
            "",
        ] {
            assert!(!traffic_log.has_blocked(other), "{other}");
        }
        assert_eq!(traffic_log.traffic().blocked, 2);
    }

    #[test]
    fn one_byte_over_the_limit_is_an_error() {
        let traffic_log = TrafficLog::new(10);
        assert!(traffic_log.count(4).is_ok() && traffic_log.count(6).is_ok());
        assert!(!traffic_log.traffic().exceeded);
        assert!(traffic_log.count(1).is_err());
        assert!(traffic_log.traffic().exceeded);
    }
}
