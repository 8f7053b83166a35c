//! State of the fake library.

use std::collections::BTreeMap;

use domain::id::{AccountId, DocumentId, VersionId};
use domain::library::{Document, Draft, Import, Removal, Version, Words};
use domain::timestamp::Timestamp;

/// Documents, versions, postings and pending cleanups.
#[derive(Default)]
pub(in crate::fakes) struct LibraryState {
    pub(super) documents: BTreeMap<(AccountId, DocumentId), Document>,
    pub(super) versions: BTreeMap<(DocumentId, VersionId), Version>,
    pub(super) words: BTreeMap<DocumentId, Words>,
    pub(super) removals: BTreeMap<DocumentId, (Removal, Timestamp)>,
    pub(super) imports: BTreeMap<DocumentId, Import>,
    pub(super) refunds: BTreeMap<DocumentId, Import>,
    pub(super) drafts: BTreeMap<VersionId, Draft>,
}

impl LibraryState {
    pub(super) fn exists(&self, account: &AccountId, id: &DocumentId) -> bool {
        self.documents.contains_key(&(account.clone(), id.clone()))
    }

    /// Replaces a document's words by the result of `change`; `false` if the document does not exist.
    pub(super) fn index(
        &mut self,
        account: &AccountId,
        id: &DocumentId,
        change: impl FnOnce(&Words) -> Words,
    ) -> bool {
        let key = (account.clone(), id.clone());
        let Some(stored) = self.documents.get_mut(&key) else {
            return false;
        };
        stored.ocr_indexed = true;
        stored.revision += 1;
        let words = self.words.entry(id.clone()).or_default();
        *words = change(words);
        true
    }
}
