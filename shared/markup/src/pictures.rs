//! Pictures embedded in a document, by number.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::Archive;
use crate::error::{MarkupError, Result};

/// The pictures of a document, by the number in [`layout::Content::Image`]. Their number grows as pages are read.
#[derive(Clone, Default)]
pub struct Pictures {
    inner: Arc<Mutex<Inner>>,
    archive: Option<SharedArchive>,
}

/// An archive shared by pages and pictures.
pub(crate) type SharedArchive = Arc<Mutex<Archive>>;

#[derive(Default)]
struct Inner {
    all: Vec<PictureSource>,
    numbers: HashMap<String, usize>,
}

#[derive(Clone)]
enum PictureSource {
    Part(String),
    Bytes(Arc<[u8]>),
}

impl Pictures {
    pub(crate) fn within(archive: SharedArchive) -> Self {
        Self {
            inner: Arc::default(),
            archive: Some(archive),
        }
    }

    /// Returns the number of pictures found so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().all.len()
    }

    /// Returns the bytes of a picture in its original format; `None` if the number is unknown.
    ///
    /// # Errors
    /// If its part cannot be inflated or exceeds the limits.
    pub fn bytes(&self, number: usize) -> Result<Option<Arc<[u8]>>, MarkupError> {
        let place = self.lock().all.get(number).cloned();
        match place {
            None => Ok(None),
            Some(PictureSource::Bytes(bytes)) => Ok(Some(bytes)),
            Some(PictureSource::Part(name)) => Ok(self.part(&name)?.map(Arc::from)),
        }
    }

    /// Returns the number of the picture in a part; `None` if the part does not exist.
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
        inner.all.push(PictureSource::Part(name.to_owned()));
        inner.numbers.insert(name.to_owned(), number);
        Some(number)
    }

    /// Adds a picture with these bytes and returns its number.
    pub(crate) fn add_bytes(&self, bytes: Vec<u8>) -> usize {
        let mut inner = self.lock();
        inner.all.push(PictureSource::Bytes(bytes.into()));
        inner.all.len() - 1
    }

    fn part(&self, name: &str) -> Result<Option<Vec<u8>>> {
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
