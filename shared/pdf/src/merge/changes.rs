//! Changes of objects that libqpdf has copied into the merged document.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::patch::Patch;

/// Changed dictionaries of a merged document, including stream dictionaries.
pub(super) struct Changes<'a> {
    merged: &'a Document,
    dictionaries: BTreeMap<ObjectId, Dictionary>,
}

impl<'a> Changes<'a> {
    /// No changes.
    pub(super) fn to(merged: &'a Document) -> Self {
        Self {
            merged,
            dictionaries: BTreeMap::new(),
        }
    }

    /// Returns a dictionary of the merged document as it was before the changes.
    pub(super) fn before(&self, id: ObjectId) -> Option<&'a Dictionary> {
        dictionary_of(self.merged.get_object(id).ok()?)
    }

    /// Returns a dictionary of the merged document for changing it.
    pub(super) fn of(&mut self, id: ObjectId) -> Option<&mut Dictionary> {
        let before = self.before(id)?;
        let entry = self.dictionaries.entry(id);
        Some(entry.or_insert_with(|| before.clone()))
    }

    /// The merged document.
    pub(super) fn document(&self) -> &'a Document {
        self.merged
    }

    /// Writes all changes.
    pub(super) fn write(&mut self, patch: &mut Patch) {
        for (id, dictionary) in std::mem::take(&mut self.dictionaries) {
            match self.merged.get_object(id) {
                Ok(Object::Stream(_)) => patch.set_stream_dictionary(id, &dictionary),
                _ => patch.set(id, &dictionary.into()),
            }
        }
    }
}

/// Returns a dictionary, or the dictionary of a stream.
pub(super) fn dictionary_of(object: &Object) -> Option<&Dictionary> {
    match object {
        Object::Dictionary(dictionary) => Some(dictionary),
        Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    }
}
