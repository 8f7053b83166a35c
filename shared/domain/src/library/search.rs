//! Search by words: first documents with matching recognized text, then documents with a matching name or tags.
//!
//! Each request makes at most four calls to the store, regardless of the size of the account: for the postings of the longest
//! word, for their documents, for document records in order, and for the words of records that match by name, to skip those
//! that already matched by text.

use std::collections::BTreeSet;

use crate::id::{AccountId, DocumentId};
use crate::ports::{Library, PortError, Posting};

use super::MAX_EXAMINED;
use super::filter::{Filter, SearchText};
use super::record::Document;
use super::words::{Words, query_words};

/// Maximum number of postings per request: as many documents as one call returns with their words.
const POSTINGS: u32 = 50;

/// Minimum length in characters of a word with postings.
const SHORTEST: usize = 2;

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Filter on the documents.
    pub filter: Filter,
    /// Text to find in names, tags or recognized text; `None` matches everything.
    pub text: Option<SearchText>,
    /// The words of the text.
    pub words: Vec<String>,
}

impl Search {
    /// Creates a search for `text` among the documents that match `filter`.
    #[must_use]
    pub fn new(text: Option<&str>, filter: Filter) -> Self {
        Self {
            filter,
            text: text.and_then(SearchText::new),
            words: text.map(query_words).unwrap_or_default(),
        }
    }

    /// Returns the word whose postings are read: the longest, because it is probably the rarest.
    fn leading_word(&self) -> Option<&str> {
        let long = |word: &&String| word.chars().count() >= SHORTEST;
        let longest = self
            .words
            .iter()
            .filter(long)
            .max_by_key(|word| word.chars().count());
        longest.map(String::as_str)
    }

    fn matches_name(&self, document: &Document) -> bool {
        self.text
            .as_ref()
            .is_some_and(|text| text.is_in(document.filename.as_str()))
    }

    fn matches_tags(&self, document: &Document) -> bool {
        let begins_a_word = |prefix: &String| {
            let mut words = document.tags.iter().flat_map(|tag| query_words(tag));
            words.any(|word| word.starts_with(prefix.as_str()))
        };
        !self.words.is_empty() && self.words.iter().all(begins_a_word)
    }

    fn hit(&self, document: Document, by_text: bool) -> Hit {
        let found = [
            (self.matches_name(&document), MatchedBy::Filename),
            (by_text, MatchedBy::Ocr),
            (self.matches_tags(&document), MatchedBy::Tags),
        ];
        let matched = found
            .into_iter()
            .filter_map(|(is, by)| is.then_some(by))
            .collect();
        Hit { document, matched }
    }
}

/// Why a document matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// The name contains the text.
    Filename,
    /// Every word of the text is a prefix of a word of the recognized text.
    Ocr,
    /// Every word of the text is a prefix of a word of the tags.
    Tags,
}

/// A matching document.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document.
    pub document: Document,
    /// Why it matched; empty for a search without text.
    pub matched: Vec<MatchedBy>,
}

/// Where the next page of a search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// After this posting.
    Posting(Posting),
    /// At the document records older than this one, or at the newest.
    Records(Option<DocumentId>),
}

/// One page of search results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResults {
    /// The documents: first those that matched by text, in order of its words, then the others, newest first.
    pub hits: Vec<Hit>,
    /// Number of examined documents.
    pub scanned: u32,
    /// Number of examined documents with indexed text.
    pub indexed: u32,
    /// Where the next page begins; `None` at the end.
    pub next: Option<Position>,
    /// Documents examined by their postings, which occur again among the records.
    by_posting: BTreeSet<DocumentId>,
}

impl SearchResults {
    fn examine_by_posting(&mut self, document: &Document) {
        self.examine(document);
        self.by_posting.insert(document.id.clone());
    }

    /// Counts a document once.
    fn examine(&mut self, document: &Document) {
        if !self.by_posting.contains(&document.id) {
            self.scanned += 1;
            self.indexed += u32::from(document.ocr_indexed);
        }
    }
}

/// Returns up to `limit` documents that match `search`.
///
/// # Errors
/// [`PortError`] if the store fails.
pub async fn search<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    position: Option<Position>,
    limit: u32,
) -> Result<SearchResults, PortError>
where
    P: Library + ?Sized,
{
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut found = SearchResults::default();
    let (after, before) = match position {
        None => (None, None),
        Some(Position::Posting(posting)) => (Some(posting), None),
        Some(Position::Records(before)) => {
            by_record(ports, account, search, before, limit, &mut found).await?;
            return Ok(found);
        }
    };
    if let Some(word) = search.leading_word() {
        let at_end = by_posting(ports, account, search, word, after, limit, &mut found).await?;
        if !at_end {
            return Ok(found);
        }
        if found.hits.len() == limit {
            found.next = Some(Position::Records(None));
            return Ok(found);
        }
    }
    by_record(ports, account, search, before, limit, &mut found).await?;
    Ok(found)
}

/// Adds documents with postings of `word`; `false` if the page is full before the postings end.
async fn by_posting<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    word: &str,
    after: Option<Posting>,
    limit: usize,
    found: &mut SearchResults,
) -> Result<bool, PortError>
where
    P: Library + ?Sized,
{
    let slice = ports
        .postings(account, word, after.as_ref(), POSTINGS)
        .await?;
    let documents = documents_of(ports, account, &slice.postings).await?;
    let mut last = None;
    let count = slice.postings.len();
    for (place, posting) in slice.postings.into_iter().enumerate() {
        let named = documents
            .iter()
            .find(|(document, _)| document.id == posting.document);
        // A document has one posting for each word with the prefix; it matches by the first of them only.
        let counts =
            named.filter(|(_, words)| words.first_with_prefix(word) == Some(posting.word.as_str()));
        if let Some((document, words)) = counts {
            found.examine_by_posting(document);
            if search.filter.matches(document) && words.have_all(&search.words) {
                found.hits.push(search.hit(document.clone(), true));
            }
        }
        last = Some(Position::Posting(posting));
        if found.hits.len() == limit && (slice.more || place + 1 < count) {
            found.next = last.take();
            break;
        }
    }
    found
        .hits
        .sort_by(|left, right| right.document.id.cmp(&left.document.id));
    if found.next.is_some() {
        return Ok(false);
    }
    if slice.more {
        found.next = last;
    }
    Ok(!slice.more)
}

async fn documents_of<P>(
    ports: &P,
    account: &AccountId,
    postings: &[Posting],
) -> Result<Vec<(Document, Words)>, PortError>
where
    P: Library + ?Sized,
{
    let mut ids: Vec<DocumentId> = postings
        .iter()
        .map(|posting| posting.document.clone())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    ports.with_words(account, &ids).await
}

/// Adds document records that match by name or tags, except those that matched by text.
async fn by_record<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    before: Option<DocumentId>,
    limit: usize,
    found: &mut SearchResults,
) -> Result<(), PortError>
where
    P: Library + ?Sized,
{
    let room = limit.saturating_sub(found.hits.len());
    let slice = ports
        .documents(account, before.as_ref(), MAX_EXAMINED)
        .await?;
    let (mut candidates, mut last) = (Vec::new(), before);
    for document in slice.documents {
        if candidates.len() == room {
            found.next = Some(Position::Records(last.take()));
            break;
        }
        found.examine(&document);
        last = Some(document.id.clone());
        let matches = search.text.is_none()
            || search.matches_name(&document)
            || search.matches_tags(&document);
        if matches && search.filter.matches(&document) {
            candidates.push(document);
        }
    }
    if found.next.is_none() && slice.more {
        found.next = Some(Position::Records(last));
    }
    let seen = found_by_text(ports, account, search, &candidates).await?;
    let others = candidates
        .into_iter()
        .filter(|document| !seen.contains(&document.id));
    found
        .hits
        .extend(others.map(|document| search.hit(document, false)));
    Ok(())
}

/// Returns those of `candidates` that match by text, and therefore were on an earlier page.
async fn found_by_text<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    candidates: &[Document],
) -> Result<Vec<DocumentId>, PortError>
where
    P: Library + ?Sized,
{
    let indexed = candidates.iter().filter(|document| document.ocr_indexed);
    let ids: Vec<DocumentId> = indexed.map(|document| document.id.clone()).collect();
    if search.leading_word().is_none() || ids.is_empty() {
        return Ok(Vec::new());
    }
    let with_words = ports.with_words(account, &ids).await?;
    let by_text = with_words
        .into_iter()
        .filter(|(_, words)| words.have_all(&search.words));
    Ok(by_text.map(|(document, _)| document.id).collect())
}
