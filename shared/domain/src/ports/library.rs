//! The library of saved documents.

use async_trait::async_trait;

use super::{DuePosition, PortError};
use crate::id::{AccountId, DocumentId, PageId, VersionId};
use crate::library::{Document, Draft, Import, ImportStart, Inspection, Removal, Version, Words};
use crate::timestamp::Timestamp;
use crate::usage::QuotaExceeded;

/// Part of an account's documents, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentSlice {
    /// Document records.
    pub documents: Vec<Document>,
    /// Whether there are more.
    pub more: bool,
}

/// A posting of the search index: a document contains a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The word.
    pub word: String,
    /// The document.
    pub document: DocumentId,
}

/// Postings in order of word and document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PostingSlice {
    /// The postings.
    pub postings: Vec<Posting>,
    /// Whether there are more.
    pub more: bool,
}

/// A pending cleanup in the library.
#[derive(Clone, Debug, PartialEq)]
pub enum PendingCleanup {
    /// An import whose lease may have expired.
    Import(Import),
    /// A removal whose second purge is due.
    Removal(Removal),
    /// Content that never became a version.
    Draft(Draft),
}

impl PendingCleanup {
    /// Returns the account.
    #[must_use]
    pub fn account_id(&self) -> &AccountId {
        match self {
            Self::Import(import) => &import.account_id,
            Self::Removal(removal) => &removal.account_id,
            Self::Draft(draft) => &draft.account_id,
        }
    }
}

/// One page of pending cleanups, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PendingCleanupPage {
    /// The pending cleanups.
    pub pending_cleanups: Vec<PendingCleanup>,
    /// Storage keys of rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// The outcome of starting an import.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportStarted {
    /// The import is charged and leased to the caller.
    New,
    /// The idempotency key was used before.
    PreviousRequest(PreviousImport),
    /// The quota of the plan is exceeded.
    QuotaExceeded(QuotaExceeded),
}

/// What an earlier request with the same idempotency key created.
#[derive(Clone, Debug, PartialEq)]
pub enum PreviousImport {
    /// Its import has not finished.
    Running,
    /// Its document in its current state, and the first version.
    Imported(Box<(Document, Version)>),
    /// Its document was deleted.
    Deleted,
    /// The request was different.
    KeyReused,
}

/// Saved documents with versions and search words, imports, drafts and pending cleanups. Each read is one call to the store,
/// unless its method documents otherwise.
#[async_trait]
pub trait Library: Send + Sync {
    /// Returns a document of an account.
    async fn document(
        &self,
        account: &AccountId,
        id: &DocumentId,
    ) -> Result<Option<Document>, PortError>;
    /// Returns a document of an account and one of its versions.
    async fn version(
        &self,
        account: &AccountId,
        document: &DocumentId,
        version: &VersionId,
    ) -> Result<Option<(Document, Version)>, PortError>;
    /// Returns the latest versions of a document, newest first.
    async fn versions(&self, document: &DocumentId, limit: u32) -> Result<Vec<Version>, PortError>;
    /// Returns the versions of a document that were created in the same millisecond as the version of `page`: almost always
    /// one.
    async fn versions_of_page(
        &self,
        document: &DocumentId,
        page: &PageId,
    ) -> Result<Vec<Version>, PortError>;
    /// Returns an account's documents older than `before`, newest first: at most `limit`, and fewer if they exceed one
    /// response of the store.
    async fn documents(
        &self,
        account: &AccountId,
        before: Option<&DocumentId>,
        limit: u32,
    ) -> Result<DocumentSlice, PortError>;
    /// Returns at most `limit` postings of an account after `after` whose word begins with `prefix` (two characters or more).
    /// Postings of deleted documents or words may be included. One call to the store.
    async fn postings(
        &self,
        account: &AccountId,
        prefix: &str,
        after: Option<&Posting>,
        limit: u32,
    ) -> Result<PostingSlice, PortError>;
    /// Returns those of `ids` that exist and have indexed words. One call to the store per 50 documents.
    async fn with_words(
        &self,
        account: &AccountId,
        ids: &[DocumentId],
    ) -> Result<Vec<(Document, Words)>, PortError>;
    /// Replaces revision `seen` of a document; `false` if it was deleted or has another revision.
    async fn replace_document(&self, document: &Document, seen: u64) -> Result<bool, PortError>;
    /// Replaces the indexed words of a document; `false` if it was deleted, or if a concurrent call replaced them. After a
    /// crash, obsolete postings may remain: searches ignore them, and the next call or the removal of the document deletes
    /// them.
    async fn index_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError>;
    /// Adds words to the index of a document; `false` if it was deleted. Concurrent calls lose no words. A crash may leave
    /// obsolete postings, as in [`Library::index_words`].
    async fn add_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError>;
    /// Deletes the document record and records its removal; `false` if it was already deleted.
    async fn remove_document(&self, removal: &Removal) -> Result<bool, PortError>;
    /// Writes idempotency, counter, ledger and import rows in one transaction.
    async fn start_import(&self, start: &ImportStart) -> Result<ImportStarted, PortError>;
    /// Returns what an earlier request with this fingerprint created.
    async fn previous_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousImport>, PortError>;
    /// Replaces the import by the document, its version and the inspection, in one transaction; `false` if the import was
    /// abandoned before.
    async fn finish_import(
        &self,
        import: &Import,
        document: &Document,
        version: &Version,
        inspection: Option<&Inspection>,
    ) -> Result<bool, PortError>;
    /// Deletes the import, its object and its idempotency row, and refunds its charge; `false` if it had finished.
    async fn abandon_import(&self, import: &Import, now: Timestamp) -> Result<bool, PortError>;
    /// Records a draft, before its content is stored.
    async fn create_draft(&self, draft: &Draft) -> Result<(), PortError>;
    /// Deletes a draft and its content, unless it became a version or is already gone.
    async fn drop_draft(&self, draft: &Draft) -> Result<(), PortError>;
    /// Returns due cleanups of a shard after `after`, reading at most `limit` rows.
    async fn pending_cleanups(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<PendingCleanupPage, PortError>;
    /// Deletes everything that belonged to a removed document, including its objects. If `last`, the removal record is
    /// deleted, too.
    async fn purge(&self, removal: &Removal, last: bool) -> Result<(), PortError>;
}
