//! What becomes of objects that are in the merged document already.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::patch::Patch;

/// Dictionaries of a merged document, those of streams included, that are not to stay as they are.
pub(super) struct Changes<'a> {
    merged: &'a Document,
    dictionaries: BTreeMap<ObjectId, Dictionary>,
}

impl<'a> Changes<'a> {
    /// No changes yet.
    pub(super) fn to(merged: &'a Document) -> Self {
        Self {
            merged,
            dictionaries: BTreeMap::new(),
        }
    }

    /// An object as the merged document has it.
    pub(super) fn before(&self, id: ObjectId) -> Option<&'a Dictionary> {
        about(self.merged.get_object(id).ok()?)
    }

    /// An object as it is to be.
    pub(super) fn of(&mut self, id: ObjectId) -> Option<&mut Dictionary> {
        let before = self.before(id)?;
        let entry = self.dictionaries.entry(id);
        Some(entry.or_insert_with(|| before.clone()))
    }

    /// The document itself.
    pub(super) fn document(&self) -> &'a Document {
        self.merged
    }

    /// Writes all of them.
    pub(super) fn write(&mut self, patch: &mut Patch) {
        for (id, dictionary) in std::mem::take(&mut self.dictionaries) {
            match self.merged.get_object(id) {
                Ok(Object::Stream(_)) => patch.set_about(id, &dictionary),
                _ => patch.set(id, &dictionary.into()),
            }
        }
    }
}

/// A dictionary, or that of a stream.
pub(super) fn about(object: &Object) -> Option<&Dictionary> {
    match object {
        Object::Dictionary(dictionary) => Some(dictionary),
        Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    }
}
