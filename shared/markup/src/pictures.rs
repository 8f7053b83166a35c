//! The pictures that a document holds, by the numbers that its pages call them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::Archive;
use crate::error::{MarkupError, Outcome};

/// The pictures of a document, by the numbers in [`layout::Content::Image`]. More of them are there as more pages are read.
#[derive(Clone, Default)]
pub struct Pictures {
    inner: Arc<Mutex<Inner>>,
    archive: Option<SharedArchive>,
}

/// An archive that pages and pictures are read from.
pub(crate) type SharedArchive = Arc<Mutex<Archive>>;

#[derive(Default)]
struct Inner {
    all: Vec<Place>,
    numbers: HashMap<String, usize>,
}

#[derive(Clone)]
enum Place {
    Part(String),
    Held(Arc<[u8]>),
}

impl Pictures {
    pub(crate) fn within(archive: SharedArchive) -> Self {
        Self {
            inner: Arc::default(),
            archive: Some(archive),
        }
    }

    /// How many there are so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().all.len()
    }

    /// The bytes of a picture as the document holds them, in whatever format; `None` if there is none of this number.
    ///
    /// # Errors
    /// If its part cannot be inflated, or is larger than the limits allow.
    pub fn bytes(&self, number: usize) -> Result<Option<Arc<[u8]>>, MarkupError> {
        let place = self.lock().all.get(number).cloned();
        match place {
            None => Ok(None),
            Some(Place::Held(bytes)) => Ok(Some(bytes)),
            Some(Place::Part(name)) => Ok(self.part(&name)?.map(Arc::from)),
        }
    }

    /// The number of the picture in a part; `None` if there is no such part.
    pub(crate) fn in_part(&self, name: &str) -> Option<usize> {
        let archive = self.archive.as_ref()?;
        if !archive
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .has(name)
        {
            return None;
        }
        let mut inner = self.lock();
        if let Some(number) = inner.numbers.get(name) {
            return Some(*number);
        }
        let number = inner.all.len();
        inner.all.push(Place::Part(name.to_owned()));
        inner.numbers.insert(name.to_owned(), number);
        Some(number)
    }

    /// The number of a picture with these bytes.
    pub(crate) fn held(&self, bytes: Vec<u8>) -> usize {
        let mut inner = self.lock();
        inner.all.push(Place::Held(bytes.into()));
        inner.all.len() - 1
    }

    fn part(&self, name: &str) -> Outcome<Option<Vec<u8>>> {
        match &self.archive {
            Some(archive) => archive
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .part(name),
            None => Ok(None),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Pictures({})", self.count())
    }
}
