//! The fingerprint of an installed engine, determined on a thread of its own: programs that print their version and files that
//! are hashed load slowly from a cold disk, and the start of a function must not wait for them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::error::EngineError;

type Found = Result<String, EngineError>;

/// A fingerprint that may still be determined. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Fingerprint(Arc<LazyLock<Found, Box<dyn FnOnce() -> Found + Send>>>);

impl Fingerprint {
    /// Starts to determine the fingerprint.
    pub(crate) fn determine(work: impl FnOnce() -> Found + Send + 'static) -> Self {
        let fingerprint = Self(Arc::new(LazyLock::new(Box::new(work))));
        let pending = fingerprint.clone();
        let thread = std::thread::Builder::new().name("fingerprint".to_owned());
        // Without a thread, the first caller determines it.
        thread.spawn(move || pending.get().is_ok()).ok();
        fingerprint
    }

    /// Waits for the fingerprint.
    ///
    /// # Errors
    /// [`EngineError::Service`] if the engine is outdated or does not work.
    pub(crate) fn get(&self) -> Result<&str, EngineError> {
        match LazyLock::force(&self.0) {
            Ok(fingerprint) => Ok(fingerprint),
            Err(error) => Err(error.clone()),
        }
    }

    /// Waits for the fingerprint. Empty if it cannot be determined; [`Fingerprint::get`] returns why.
    pub(crate) fn as_str(&self) -> &str {
        self.get().unwrap_or_default()
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Fingerprint").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn only_the_reader_waits() {
        let started = Instant::now();
        let fingerprint = Fingerprint::determine(|| {
            std::thread::sleep(Duration::from_millis(300));
            Ok("engine 1".to_owned())
        });
        assert!(started.elapsed() < Duration::from_millis(200));
        assert_eq!(fingerprint.get(), Ok("engine 1"));
        assert_eq!(fingerprint.as_str(), "engine 1");
    }

    #[test]
    fn an_outdated_engine_is_an_error_for_every_reader() {
        let outdated = || EngineError::Service("too old".to_owned());
        let fingerprint = Fingerprint::determine(move || Err(outdated()));
        assert_eq!(fingerprint.get(), Err(outdated()));
        assert_eq!(fingerprint.get(), Err(outdated()));
        assert_eq!(fingerprint.as_str(), "");
    }
}
