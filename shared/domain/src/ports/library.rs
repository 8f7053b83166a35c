//! The library of saved documents.

use async_trait::async_trait;

use super::{DuePosition, PortError};
use crate::id::{AccountId, DocumentId, PageId, VersionId};
use crate::library::{Document, Draft, Import, ImportStart, Look, Removal, Version, Words};
use crate::timestamp::Timestamp;
use crate::usage::Spent;

/// Some of an account's documents, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentSlice {
    /// The slim records.
    pub documents: Vec<Document>,
    /// Whether there are others behind them.
    pub more: bool,
}

/// That a word stands in the recognised text of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The word.
    pub word: String,
    /// The document.
    pub document: DocumentId,
}

/// Some postings, by word and then by document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PostingSlice {
    /// The postings.
    pub postings: Vec<Posting>,
    /// Whether there are others behind them.
    pub more: bool,
}

/// Something in the library that waits to be finished.
#[derive(Clone, Debug, PartialEq)]
pub enum Chore {
    /// An import whose function is gone.
    Import(Import),
    /// A removal whose second round is due.
    Removal(Removal),
    /// Content that never became a version.
    Draft(Draft),
}

impl Chore {
    /// Whose it is.
    #[must_use]
    pub fn account_id(&self) -> &AccountId {
        match self {
            Self::Import(import) => &import.account_id,
            Self::Removal(removal) => &removal.account_id,
            Self::Draft(draft) => &draft.account_id,
        }
    }
}

/// One page of what waits, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChorePage {
    /// What waits.
    pub chores: Vec<Chore>,
    /// The store's names for rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// What became of the beginning of an import.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportBegun {
    /// It is charged and held by this caller.
    New,
    /// The idempotency key was used before.
    Earlier(EarlierImport),
    /// The plan's counter does not allow it.
    Spent(Spent),
}

/// What an earlier request with the same idempotency key left.
#[derive(Clone, Debug, PartialEq)]
pub enum EarlierImport {
    /// It has not ended.
    Running,
    /// The document of then, as it is now, and the version that it began with.
    Imported(Box<(Document, Version)>),
    /// The document was deleted since.
    Deleted,
    /// It was another request.
    KeyReused,
}

/// Saved documents with their versions and words, imports, drafts and pending cleanup. A read asks the store once, whatever
/// the account holds, unless its method says otherwise.
#[async_trait]
pub trait Library: Send + Sync {
    /// A document of an account.
    async fn document(
        &self,
        account: &AccountId,
        id: &DocumentId,
    ) -> Result<Option<Document>, PortError>;
    /// A document of an account and one of its versions.
    async fn version(
        &self,
        account: &AccountId,
        document: &DocumentId,
        version: &VersionId,
    ) -> Result<Option<(Document, Version)>, PortError>;
    /// The newest versions of a document, the newest first.
    async fn versions(&self, document: &DocumentId, limit: u32) -> Result<Vec<Version>, PortError>;
    /// The versions of a document that were created when the version was that `page` belongs to: hardly ever more than
    /// one.
    async fn versions_of_page(
        &self,
        document: &DocumentId,
        page: &PageId,
    ) -> Result<Vec<Version>, PortError>;
    /// An account's documents older than `before`, newest first: at most `limit`, fewer where they are too much for one
    /// answer of the store.
    async fn documents(
        &self,
        account: &AccountId,
        before: Option<&DocumentId>,
        limit: u32,
    ) -> Result<DocumentSlice, PortError>;
    /// The postings of an account whose word begins with `prefix` (two characters or more), behind `after`, at most
    /// `limit`. There may be some of documents or words that are gone. Asks the store once.
    async fn postings(
        &self,
        account: &AccountId,
        prefix: &str,
        after: Option<&Posting>,
        limit: u32,
    ) -> Result<PostingSlice, PortError>;
    /// Those of `ids` that are there and have words, with them. Asks the store once for each 50.
    async fn with_words(
        &self,
        account: &AccountId,
        ids: &[DocumentId],
    ) -> Result<Vec<(Document, Words)>, PortError>;
    /// Writes `document` in place of its revision `seen`; `false` when it is gone or has another revision.
    async fn replace_document(&self, document: &Document, seen: u64) -> Result<bool, PortError>;
    /// Makes `words` those of a document's recognised text; `false` when it is gone, or when another call came in between
    /// and its words count. A crash leaves at worst postings that no search counts and that the next call or the document's
    /// removal takes away.
    async fn index_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError>;
    /// Adds `words` to those of a document's recognised text; `false` when it is gone. Of calls at the same time none loses
    /// its words. A crash leaves no more than one of [`Library::index_words`] does.
    async fn add_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError>;
    /// Makes a document disappear and records its removal; `false` when it is gone already.
    async fn remove_document(&self, removal: &Removal) -> Result<bool, PortError>;
    /// Writes idempotency record, charge, ledger row and the import in one transaction.
    async fn begin_import(&self, start: &ImportStart) -> Result<ImportBegun, PortError>;
    /// What an earlier request with this fingerprint left.
    async fn earlier_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<EarlierImport>, PortError>;
    /// Writes the document, its version and the look into it in place of the import, in one transaction; `false` when the
    /// import was given up before.
    async fn finish_import(
        &self,
        import: &Import,
        document: &Document,
        version: &Version,
        look: Option<&Look>,
    ) -> Result<bool, PortError>;
    /// Removes the import, its object and its idempotency record, and gives its charge back; `false` when it has ended
    /// before.
    async fn give_up_import(&self, import: &Import, now: Timestamp) -> Result<bool, PortError>;
    /// Records a draft, before its content is stored.
    async fn begin_draft(&self, draft: &Draft) -> Result<(), PortError>;
    /// Removes a draft and its content, unless it has become a version or is gone already.
    async fn drop_draft(&self, draft: &Draft) -> Result<(), PortError>;
    /// What is due in a shard behind `after`, looking at no more than `limit` rows.
    async fn chores(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<ChorePage, PortError>;
    /// Removes everything that belonged to a removed document, its objects too. When `last`, the removal is done with.
    async fn purge(&self, removal: &Removal, last: bool) -> Result<(), PortError>;
}
