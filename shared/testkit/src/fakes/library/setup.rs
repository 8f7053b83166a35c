//! Sets up and inspects the library in tests.

use domain::id::DocumentId;
use domain::library::{Document, Draft, Version};

use crate::fakes::{Fakes, lock};

impl Fakes {
    /// Stores a document and its version.
    pub fn put_document(&self, document: Document, version: Version) {
        let mut state = lock(&self.state);
        let shelves = &mut state.library;
        let key = (document.account_id.clone(), document.id.clone());
        shelves.documents.insert(key, document);
        let key = (version.document_id.clone(), version.id.clone());
        shelves.versions.insert(key, version);
    }

    /// Whether any data of a document exists: record, version, words, object or pending cleanup.
    #[must_use]
    pub fn has_data_of(&self, id: &DocumentId) -> bool {
        let state = lock(&self.state);
        let shelves = &state.library;
        shelves.documents.keys().any(|(_, document)| document == id)
            || shelves.versions.keys().any(|(document, _)| document == id)
            || shelves.words.contains_key(id)
            || shelves.removals.contains_key(id)
            || shelves.imports.contains_key(id)
            || (shelves.drafts.values()).any(|draft| draft.document_id == *id)
            || state.objects.keys().any(|name| name.contains(id.as_str()))
    }

    /// Replaces the record of a document.
    pub fn put_document_record(&self, document: Document) {
        let key = (document.account_id.clone(), document.id.clone());
        let mut state = lock(&self.state);
        state.library.documents.insert(key, document);
    }

    /// The keys of a document's objects.
    #[must_use]
    pub fn objects_of(&self, id: &DocumentId) -> Vec<String> {
        let state = lock(&self.state);
        let names = state.objects.keys();
        names
            .filter(|name| name.contains(id.as_str()))
            .cloned()
            .collect()
    }

    /// The drafts of a document.
    #[must_use]
    pub fn drafts_of(&self, id: &DocumentId) -> Vec<Draft> {
        let state = lock(&self.state);
        let drafts = state.library.drafts.values();
        drafts
            .filter(|draft| draft.document_id == *id)
            .cloned()
            .collect()
    }

    /// Number of refunded imports.
    #[must_use]
    pub fn refunded_imports(&self) -> usize {
        lock(&self.state).library.refunds.len()
    }
}
