//! Primary keys of the documents table and of the ledger rows of imports.

use domain::id::{AccountId, DocumentId, VersionId};
use domain::ports::Posting;

use crate::item::{self, Item, Key, SORT};

const DOCUMENTS: &str = "DOC#";
const REMOVAL: &str = "REMOVAL";
const IMPORT: &str = "IMPORT";
const WORDS: &str = "TOKENS";
/// Prefix of the sort keys of drafts.
const DRAFTS: &str = "DRAFT#";
/// Prefix of the sort keys of versions.
pub(crate) const VERSIONS: &str = "VERSION#";
/// The highest code point: a prefix followed by it sorts after every word with that prefix.
const LAST: char = '\u{10ffff}';

/// The partition of an account's documents.
pub(crate) fn documents(account: &AccountId) -> String {
    format!("ACCOUNT#{account}")
}

/// The listed record of a document.
pub(crate) fn document(account: &AccountId, id: &DocumentId) -> Key {
    Key::new(documents(account), format!("{DOCUMENTS}{id}"))
}

/// The partition of a document's versions, drafts and other rows.
pub(crate) fn document_rows(document: &DocumentId) -> String {
    format!("{DOCUMENTS}{document}")
}

/// A version.
pub(crate) fn version(document: &DocumentId, version: &VersionId) -> Key {
    Key::new(document_rows(document), format!("{VERSIONS}{version}"))
}

/// A draft: content that is to become a version.
pub(crate) fn draft(document: &DocumentId, version: &VersionId) -> Key {
    Key::new(document_rows(document), format!("{DRAFTS}{version}"))
}

/// The search-index row of a document.
pub(crate) fn words(document: &DocumentId) -> Key {
    Key::new(document_rows(document), WORDS)
}

/// The unfinished removal of a document.
pub(crate) fn removal(document: &DocumentId) -> Key {
    Key::new(document_rows(document), REMOVAL)
}

/// An unfinished import.
pub(crate) fn import(document: &DocumentId) -> Key {
    Key::new(document_rows(document), IMPORT)
}

/// The ledger row of an import's charge; it is kept when the document is deleted.
pub(crate) fn import_charge(document: &DocumentId) -> Key {
    Key::new(format!("IMPORT#{document}"), "LEDGER#charge")
}

/// The ledger row of an import's refund.
pub(crate) fn import_refund(document: &DocumentId) -> Key {
    Key::new(format!("IMPORT#{document}"), "LEDGER#refund")
}

/// The partition of the postings of `word` and of all words with the same first characters.
pub(crate) fn postings(account: &AccountId, word: &str) -> String {
    let start: String = word.chars().take(2).collect();
    format!("POSTING#{account}#{start}")
}

/// A posting.
pub(crate) fn posting(account: &AccountId, word: &str, document: &DocumentId) -> Key {
    Key::new(postings(account, word), format!("{word}#{document}"))
}

/// First and last sort key of the postings after `after` whose word has the prefix `prefix`.
pub(crate) fn posting_range(prefix: &str, after: Option<&Posting>) -> (String, String) {
    let first = match after {
        // The next possible sort key.
        Some(Posting { word, document }) => format!("{word}#{document}\0"),
        None => prefix.to_owned(),
    };
    (first, format!("{prefix}{LAST}"))
}

/// Parses a posting.
pub(crate) fn posting_of(item: &Item) -> Option<Posting> {
    let (word, document) = item::read_text(item, SORT)?.rsplit_once('#')?;
    Some(Posting {
        word: word.to_owned(),
        document: document.parse().ok()?,
    })
}

/// Kind of an item of the index `due`.
pub(crate) enum Row {
    /// An import.
    Import,
    /// A removal.
    Removal,
    /// A draft.
    Draft,
}

/// Classifies an item of the index `due` by its sort key.
pub(crate) fn row_of(item: &Item) -> Option<Row> {
    match item::read_text(item, SORT)? {
        IMPORT => Some(Row::Import),
        REMOVAL => Some(Row::Removal),
        draft if draft.starts_with(DRAFTS) => Some(Row::Draft),
        _ => None,
    }
}

/// Whether a row of a deleted document is kept until no function can still use the document.
pub(crate) fn is_kept_until_final_pass(key: &Key) -> bool {
    [WORDS, REMOVAL].contains(&key.sort())
}
