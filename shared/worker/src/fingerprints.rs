//! Fingerprints of engines, a part of cache keys. Each is requested once, and again after an update of its engine function.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::operation::Operation;

/// What a fingerprint depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FingerprintKey {
    /// The engine function.
    pub(crate) function: EngineFunction,
    operation: &'static str,
    from: Format,
    to: Format,
}

impl FingerprintKey {
    /// Returns the key of an operation on a format; `None` if no engine function supports it.
    pub(crate) fn of(operation: &Operation, from: Format) -> Option<Self> {
        let (processor, to) = operation.resolve(from)?;
        Some(Self {
            function: EngineFunction::of(processor)?,
            operation: operation.name(),
            from,
            to,
        })
    }
}

/// The known fingerprints.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints(Mutex<HashMap<FingerprintKey, String>>);

impl Fingerprints {
    /// Returns a known fingerprint.
    pub(crate) fn get(&self, key: &FingerprintKey) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(key).cloned()
    }

    /// Removes the fingerprint of an engine that was updated.
    pub(crate) fn remove(&self, key: &FingerprintKey) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(key);
    }

    /// Adds a fingerprint.
    pub(crate) fn insert(&self, key: FingerprintKey, fingerprint: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key, fingerprint);
    }
}
