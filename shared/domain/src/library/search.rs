//! Search by words: first the documents whose recognised text has them, then those whose name or tags do.
//!
//! Each request asks the store at most four times, whatever the account holds: for postings of the longest word, for the
//! documents behind them, for slim records in order, and for the words of those records that match by name, which were
//! found by their text already.

use std::collections::BTreeSet;

use crate::id::{AccountId, DocumentId};
use crate::ports::{Library, PortError, Posting};

use super::EXAMINED;
use super::filter::{Filter, Needle};
use super::record::Document;
use super::words::{Words, words_of_query};

/// How many postings one request looks at: as many documents as the store gives with their words at once.
const POSTINGS: u32 = 50;

/// Shortest word that postings can be looked up by, in characters.
const SHORTEST: usize = 2;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// What the documents have to be.
    pub filter: Filter,
    /// What their names, tags or texts have to hold; everything matches without.
    pub text: Option<Needle>,
    /// The words of that text.
    pub words: Vec<String>,
}

impl Search {
    /// A search for `text` among the documents that `filter` admits.
    #[must_use]
    pub fn new(text: Option<&str>, filter: Filter) -> Self {
        Self {
            filter,
            text: text.and_then(Needle::new),
            words: text.map(words_of_query).unwrap_or_default(),
        }
    }

    /// The word whose postings are read: the longest, because that is most likely the rarest.
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
            let mut words = document.tags.iter().flat_map(|tag| words_of_query(tag));
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

/// By what a document was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// Its name holds the text.
    Filename,
    /// Every word of the text equals or begins a word of its recognised text.
    Ocr,
    /// Every word of the text equals or begins a word of its tags.
    Tags,
}

/// A document that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document.
    pub document: Document,
    /// By what; nothing when no text was looked for.
    pub matched: Vec<MatchedBy>,
}

/// Where a search goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// Behind this posting.
    Posting(Posting),
    /// With the slim records older than this one, or with the newest.
    Records(Option<DocumentId>),
}

/// One page of what was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The documents: those found by their text in the order of its words, then the others, newest first.
    pub hits: Vec<Hit>,
    /// How many documents were examined.
    pub scanned: u32,
    /// How many of them have recognised text that is indexed.
    pub indexed: u32,
    /// Where the next page begins; `None` at the end.
    pub next: Option<Position>,
    /// Those that were examined by their postings, and come up once more among the records.
    by_posting: BTreeSet<DocumentId>,
}

impl Found {
    fn examine_by_posting(&mut self, document: &Document) {
        self.examine(document);
        self.by_posting.insert(document.id.clone());
    }

    /// Counts a document, but not twice.
    fn examine(&mut self, document: &Document) {
        if !self.by_posting.contains(&document.id) {
            self.scanned += 1;
            self.indexed += u32::from(document.ocr_indexed);
        }
    }
}

/// Up to `limit` documents that `search` is about.
///
/// # Errors
/// [`PortError`] when the store fails.
pub async fn search<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    position: Option<Position>,
    limit: u32,
) -> Result<Found, PortError>
where
    P: Library + ?Sized,
{
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut found = Found::default();
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

/// Adds what is found by the postings of `word`; `false` when the page ends among them.
async fn by_posting<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    word: &str,
    after: Option<Posting>,
    limit: usize,
    found: &mut Found,
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
        // A document has one posting for each word that the leading one begins; it is found by the first of them.
        let counts =
            named.filter(|(_, words)| words.first_with_prefix(word) == Some(posting.word.as_str()));
        if let Some((document, words)) = counts {
            found.examine_by_posting(document);
            if search.filter.admits(document) && words.have_all(&search.words) {
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

/// Adds what is found among the slim records by name and tags, except what was found by its text.
async fn by_record<P>(
    ports: &P,
    account: &AccountId,
    search: &Search,
    before: Option<DocumentId>,
    limit: usize,
    found: &mut Found,
) -> Result<(), PortError>
where
    P: Library + ?Sized,
{
    let room = limit.saturating_sub(found.hits.len());
    let slice = ports.documents(account, before.as_ref(), EXAMINED).await?;
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
        if matches && search.filter.admits(&document) {
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

/// Those of `candidates` that are found by their recognised text, and therefore on a page before.
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
