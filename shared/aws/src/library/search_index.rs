//! Inverted index of recognized text: one row per document, and postings by word.
//!
//! A document's row lists every posting that may exist: the current ones, those being written and those being removed. So
//! after a crash, the next change or the document's removal finds all of them.

use aws_sdk_dynamodb::types::{Put, PutRequest, Update, WriteRequest};
use domain::id::{AccountId, DocumentId};
use domain::library::{Document, Words};
use domain::ports::PortError;
use serde::{Deserialize, Serialize};

use super::row;
use crate::error::Failure;
use crate::item::{self, Item, number, text};
use crate::job_item::WRITE;
use crate::keys::library as keys;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::EXISTS;
use crate::transaction::{Committed, Transaction, WriteRole, incomplete, new_write};

/// Documents read with their words per batch: two items each.
pub(super) const DOCUMENTS_PER_BATCH: usize = 50;

/// The index row of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IndexRow {
    /// The current words.
    #[serde(default)]
    words: Words,
    /// Other words whose postings may exist.
    #[serde(default)]
    others: Words,
    /// The write that produced the row.
    #[serde(default)]
    write_id: String,
}

/// Result of changing a document's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indexing {
    /// The change is complete.
    Done,
    /// The document does not exist.
    NotFound,
    /// A concurrent call has changed the words.
    Superseded,
}

impl IndexRow {
    /// Every word that may have a posting.
    pub(super) fn all(&self) -> Words {
        self.words.union(&self.others)
    }
}

/// Pairs documents with their words, from the items of both in any order.
pub(super) fn paired(items: Vec<Item>) -> Result<Vec<(Document, Words)>, PortError> {
    let (words, documents): (Vec<Item>, Vec<Item>) = items
        .into_iter()
        .partition(|item| item.contains_key("words"));
    let mut by_document = std::collections::HashMap::new();
    for row in words {
        if let Some(key) = crate::item::key_of(&row) {
            by_document.insert(key, item::read::<IndexRow>(row)?);
        }
    }
    let mut found = Vec::new();
    for row in documents {
        let document: Document = item::read(row)?;
        if let Some(index_row) = by_document.remove(&keys::words(&document.id)) {
            found.push((document, index_row.words));
        }
    }
    Ok(found)
}

impl Services {
    /// Replaces a document's words by the result of `change`. See [`domain::ports::Library::index_words`].
    pub(super) async fn index(
        &self,
        account: &AccountId,
        document: &DocumentId,
        change: impl Fn(&Words) -> Words + Send,
    ) -> Result<Indexing, PortError> {
        let Some((announced, words)) = self.announce(account, document, change).await? else {
            return Ok(Indexing::NotFound);
        };
        let put = |word| put_posting(account, word, document);
        let puts: Vec<_> = words.iter().map(put).collect::<Result<_, _>>()?;
        self.write_all(self.documents_table()?, &puts).await?;
        let updated = match self
            .replace_words(account, document, &words, &announced)
            .await?
        {
            Ok(updated) => updated,
            // The row lists the postings that we wrote, so that a later change removes them.
            Err(outcome) => return Ok(outcome),
        };
        self.remove_postings(account, document, &updated.others)
            .await?;
        let cleaned = IndexRow {
            others: Words::default(),
            write_id: new_write(),
            ..updated.clone()
        };
        let mut all = Transaction::default();
        let put = self.row(document, &cleaned, Some(&updated.write_id))?;
        all.put(WriteRole::DocumentRow, put);
        self.commit_with_retries(&all).await?;
        Ok(Indexing::Done)
    }

    /// Reads the index row of a document.
    pub(super) async fn index_row(
        &self,
        document: &DocumentId,
    ) -> Result<Option<IndexRow>, PortError> {
        let key = keys::words(document);
        let row = self.read(self.documents_table()?, &key).await?;
        row.map(item::read).transpose()
    }

    /// Deletes postings.
    pub(super) async fn remove_postings(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<(), PortError> {
        let delete = |word| row::delete(&keys::posting(account, word, document));
        let deletes: Vec<_> = words.iter().map(delete).collect::<Result<_, _>>()?;
        self.write_all(self.documents_table()?, &deletes).await
    }

    /// Adds the postings that will be written to the document's row. Returns the row and the new words; `None` if the document
    /// does not exist.
    async fn announce(
        &self,
        account: &AccountId,
        document: &DocumentId,
        change: impl Fn(&Words) -> Words + Send,
    ) -> Result<Option<(IndexRow, Words)>, PortError> {
        let table = self.documents_table()?;
        let mut retries = RetryBudget::new();
        loop {
            let seen = self.index_row(document).await?;
            let old = seen.clone().unwrap_or_default();
            let words = change(&old.words);
            let announced = IndexRow {
                others: old.others.union(&words),
                words: old.words,
                write_id: new_write(),
            };
            let mut all = Transaction::default();
            all.check(
                WriteRole::Document,
                row::check_exists(table, &keys::document(account, document))?,
            );
            let seen = seen.as_ref().map(|seen| seen.write_id.as_str());
            all.put(
                WriteRole::DocumentRow,
                self.row(document, &announced, seen)?,
            );
            match self.commit(&all, &announced.write_id).await {
                Ok(Committed::Yes) => return Ok(Some((announced, words))),
                Ok(Committed::No(roles)) if roles.contains(&WriteRole::Document) => {
                    return Ok(None);
                }
                Ok(Committed::No(_)) | Err(Failure::Busy) => retries.wait().await?,
                Err(Failure::Rejected(error) | Failure::Unknown(error)) => return Err(error),
            }
        }
    }

    /// Makes `words` the current words, unless the document is deleted or a concurrent call has written its row.
    async fn replace_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
        announced: &IndexRow,
    ) -> Result<Result<IndexRow, Indexing>, PortError> {
        let updated = IndexRow {
            words: words.clone(),
            others: announced.all().difference(words),
            write_id: new_write(),
        };
        let mut all = Transaction::default();
        all.update(
            WriteRole::Document,
            mark(self.documents_table()?, account, document)?,
        );
        let put = self.row(document, &updated, Some(&announced.write_id))?;
        all.put(WriteRole::DocumentRow, put);
        if self.commit_with_retries(&all).await? {
            return Ok(Ok(updated));
        }
        let key = keys::document(account, document);
        let stored = self.read(self.documents_table()?, &key).await?;
        Ok(Err(match stored {
            Some(_) => Indexing::Superseded,
            None => Indexing::NotFound,
        }))
    }

    /// The put of a document's row that replaces the one of the write `seen`.
    fn row(
        &self,
        document: &DocumentId,
        index_row: &IndexRow,
        seen: Option<&str>,
    ) -> Result<Put, PortError> {
        let put = Put::builder()
            .table_name(self.documents_table()?)
            .set_item(Some(item::write(&keys::words(document), index_row)?));
        let put = match seen {
            None => put.condition_expression(crate::table::NOT_EXISTS),
            Some(seen) => put
                .condition_expression("#write = :seen")
                .expression_attribute_names("#write", WRITE)
                .expression_attribute_values(":seen", text(seen)),
        };
        put.build().map_err(|error| incomplete(&error))
    }
}

/// The update that marks a document as having words. It increments the revision, so that no concurrent change undoes it.
fn mark(table: &str, account: &AccountId, document: &DocumentId) -> Result<Update, PortError> {
    Update::builder()
        .table_name(table)
        .set_key(Some(keys::document(account, document).attributes()))
        .update_expression("SET ocrIndexed = :true, revision = revision + :one")
        .condition_expression(EXISTS)
        .expression_attribute_values(":true", aws_sdk_dynamodb::types::AttributeValue::Bool(true))
        .expression_attribute_values(":one", number(1))
        .build()
        .map_err(|error| incomplete(&error))
}

fn put_posting(
    account: &AccountId,
    word: &str,
    document: &DocumentId,
) -> Result<WriteRequest, PortError> {
    let item = item::new(&keys::posting(account, word, document), []);
    let put = PutRequest::builder()
        .set_item(Some(item))
        .build()
        .map_err(|error| incomplete(&error))?;
    Ok(WriteRequest::builder().put_request(put).build())
}
