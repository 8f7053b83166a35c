//! The keys of the documents table, and of the ledger rows of imports.

use domain::id::{AccountId, DocumentId, VersionId};
use domain::ports::Posting;

use crate::item::{self, Item, Key, SORT};

const DOCUMENTS: &str = "DOC#";
const REMOVAL: &str = "REMOVAL";
const IMPORT: &str = "IMPORT";
const WORDS: &str = "TOKENS";
/// What the sort keys of drafts begin with.
const DRAFTS: &str = "DRAFT#";
/// What the sort keys of versions begin with.
pub(crate) const VERSIONS: &str = "VERSION#";
/// The last character that there is: no word is behind one that begins with a prefix and goes on with it.
const LAST: char = '\u{10ffff}';

/// The partition of an account's documents.
pub(crate) fn documents(account: &AccountId) -> String {
    format!("ACCOUNT#{account}")
}

/// The slim record of a document.
pub(crate) fn document(account: &AccountId, id: &DocumentId) -> Key {
    Key::new(documents(account), format!("{DOCUMENTS}{id}"))
}

/// The partition of what belongs to a document.
pub(crate) fn belongings(document: &DocumentId) -> String {
    format!("{DOCUMENTS}{document}")
}

/// A version.
pub(crate) fn version(document: &DocumentId, version: &VersionId) -> Key {
    Key::new(belongings(document), format!("{VERSIONS}{version}"))
}

/// Content that is to become a version.
pub(crate) fn draft(document: &DocumentId, version: &VersionId) -> Key {
    Key::new(belongings(document), format!("{DRAFTS}{version}"))
}

/// The words of a document's recognised text.
pub(crate) fn words(document: &DocumentId) -> Key {
    Key::new(belongings(document), WORDS)
}

/// A document's removal that is not finished.
pub(crate) fn removal(document: &DocumentId) -> Key {
    Key::new(belongings(document), REMOVAL)
}

/// An import that has not ended.
pub(crate) fn import(document: &DocumentId) -> Key {
    Key::new(belongings(document), IMPORT)
}

/// The ledger row of what was charged for an import; it outlives the document.
pub(crate) fn import_charge(document: &DocumentId) -> Key {
    Key::new(format!("IMPORT#{document}"), "LEDGER#charge")
}

/// The ledger row of what was given back for an import.
pub(crate) fn import_refund(document: &DocumentId) -> Key {
    Key::new(format!("IMPORT#{document}"), "LEDGER#refund")
}

/// The partition of the postings of all words that begin as `word` does.
pub(crate) fn postings(account: &AccountId, word: &str) -> String {
    let start: String = word.chars().take(2).collect();
    format!("POSTING#{account}#{start}")
}

/// A posting.
pub(crate) fn posting(account: &AccountId, word: &str, document: &DocumentId) -> Key {
    Key::new(postings(account, word), format!("{word}#{document}"))
}

/// The sort keys of the postings behind `after` whose word begins with `prefix`, first and last.
pub(crate) fn posting_range(prefix: &str, after: Option<&Posting>) -> (String, String) {
    let first = match after {
        // Directly behind it.
        Some(Posting { word, document }) => format!("{word}#{document}\0"),
        None => prefix.to_owned(),
    };
    (first, format!("{prefix}{LAST}"))
}

/// The posting that an item is.
pub(crate) fn posting_of(item: &Item) -> Option<Posting> {
    let (word, document) = item::read_text(item, SORT)?.rsplit_once('#')?;
    Some(Posting {
        word: word.to_owned(),
        document: document.parse().ok()?,
    })
}

/// What an item of the index `due` is.
pub(crate) enum Row {
    /// An import.
    Import,
    /// A removal.
    Removal,
    /// A draft.
    Draft,
}

/// What an item of the index `due` is, by its sort key.
pub(crate) fn row_of(item: &Item) -> Option<Row> {
    match item::read_text(item, SORT)? {
        IMPORT => Some(Row::Import),
        REMOVAL => Some(Row::Removal),
        draft if draft.starts_with(DRAFTS) => Some(Row::Draft),
        _ => None,
    }
}

/// Whether a row of a document has to stay until nobody can be at work on the document any more.
pub(crate) fn is_needed_to_the_last(key: &Key) -> bool {
    [WORDS, REMOVAL].contains(&key.sort())
}
