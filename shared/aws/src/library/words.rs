//! The words of recognised texts: one row for each document, and postings by word.
//!
//! A document's row names every posting that may exist: those that count, those being written and those being taken away.
//! So a crash leaves nothing that the next change or the document's removal does not find.

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
use crate::retry::Patience;
use crate::services::Services;
use crate::table::KNOWN;
use crate::transaction::{Committed, Part, Transaction, incomplete, new_write};

/// Most documents that are read with their words at once: two items each.
pub(super) const AT_ONCE: usize = 50;

/// A document's row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Indexed {
    /// The words that count.
    #[serde(default)]
    words: Words,
    /// Words whose postings may exist besides.
    #[serde(default)]
    others: Words,
    /// The write that it is from.
    #[serde(default)]
    write_id: String,
}

/// What became of a change of a document's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indexing {
    /// They are those that count.
    Done,
    /// The document is gone.
    Gone,
    /// Another call has begun meanwhile, and its words count.
    Overtaken,
}

impl Indexed {
    /// Every word that there may be a posting of.
    pub(super) fn all(&self) -> Words {
        self.words.and(&self.others)
    }
}

/// Documents with their words, from the items of both in any order.
pub(super) fn paired(items: Vec<Item>) -> Result<Vec<(Document, Words)>, PortError> {
    let (words, slim): (Vec<Item>, Vec<Item>) = items
        .into_iter()
        .partition(|item| item.contains_key("words"));
    let mut by_document = std::collections::HashMap::new();
    for row in words {
        if let Some(key) = crate::item::key_of(&row) {
            by_document.insert(key, item::read::<Indexed>(row)?);
        }
    }
    let mut found = Vec::new();
    for row in slim {
        let document: Document = item::read(row)?;
        if let Some(indexed) = by_document.remove(&keys::words(&document.id)) {
            found.push((document, indexed.words));
        }
    }
    Ok(found)
}

impl Services {
    /// Makes what `change` makes of a document's words those that count.
    /// See [`domain::ports::Library::index_words`].
    pub(super) async fn index(
        &self,
        account: &AccountId,
        document: &DocumentId,
        change: impl Fn(&Words) -> Words + Send,
    ) -> Result<Indexing, PortError> {
        let Some((begun, words)) = self.announce(account, document, change).await? else {
            return Ok(Indexing::Gone);
        };
        let put = |word| put_posting(account, word, document);
        let puts: Vec<_> = words.iter().map(put).collect::<Result<_, _>>()?;
        self.write_all(self.documents_table()?, &puts).await?;
        let counted = match self.count(account, document, &words, &begun).await? {
            Ok(counted) => counted,
            // What we wrote stands in the row all the same.
            Err(otherwise) => return Ok(otherwise),
        };
        self.take_away(account, document, &counted.others).await?;
        let tidy = Indexed {
            others: Words::default(),
            write_id: new_write(),
            ..counted.clone()
        };
        let mut all = Transaction::default();
        let put = self.row(document, &tidy, Some(&counted.write_id))?;
        all.put(Part::Belonging, put);
        self.commit_patiently(&all).await?;
        Ok(Indexing::Done)
    }

    /// The words of a document, as its row says.
    pub(super) async fn indexed(
        &self,
        document: &DocumentId,
    ) -> Result<Option<Indexed>, PortError> {
        let key = keys::words(document);
        let row = self.read(self.documents_table()?, &key).await?;
        row.map(item::read).transpose()
    }

    /// Takes postings away.
    pub(super) async fn take_away(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<(), PortError> {
        let delete = |word| row::delete(&keys::posting(account, word, document));
        let deletes: Vec<_> = words.iter().map(delete).collect::<Result<_, _>>()?;
        self.write_all(self.documents_table()?, &deletes).await
    }

    /// Names in the document's row what is about to be written, and tells the words; `None` when the document is gone.
    async fn announce(
        &self,
        account: &AccountId,
        document: &DocumentId,
        change: impl Fn(&Words) -> Words + Send,
    ) -> Result<Option<(Indexed, Words)>, PortError> {
        let table = self.documents_table()?;
        let mut patience = Patience::new();
        loop {
            let seen = self.indexed(document).await?;
            let old = seen.clone().unwrap_or_default();
            let words = change(&old.words);
            let begun = Indexed {
                others: old.others.and(&words),
                words: old.words,
                write_id: new_write(),
            };
            let mut all = Transaction::default();
            all.check(
                Part::Document,
                row::there(table, &keys::document(account, document))?,
            );
            let seen = seen.as_ref().map(|seen| seen.write_id.as_str());
            all.put(Part::Belonging, self.row(document, &begun, seen)?);
            match self.commit(&all, &begun.write_id).await {
                Ok(Committed::Yes) => return Ok(Some((begun, words))),
                Ok(Committed::No(parts)) if parts.contains(&Part::Document) => return Ok(None),
                Ok(Committed::No(_)) | Err(Failure::Busy) => patience.wait().await?,
                Err(Failure::Refused(error) | Failure::Unknown(error)) => return Err(error),
            }
        }
    }

    /// Makes `words` those that count, unless the document is gone or its row is another's.
    async fn count(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
        begun: &Indexed,
    ) -> Result<Result<Indexed, Indexing>, PortError> {
        let counted = Indexed {
            words: words.clone(),
            others: begun.all().without(words),
            write_id: new_write(),
        };
        let mut all = Transaction::default();
        all.update(
            Part::Document,
            mark(self.documents_table()?, account, document)?,
        );
        let put = self.row(document, &counted, Some(&begun.write_id))?;
        all.put(Part::Belonging, put);
        if self.commit_patiently(&all).await? {
            return Ok(Ok(counted));
        }
        let key = keys::document(account, document);
        let there = self.read(self.documents_table()?, &key).await?;
        Ok(Err(match there {
            Some(_) => Indexing::Overtaken,
            None => Indexing::Gone,
        }))
    }

    /// The put of a document's row in place of the one that the write `seen` made.
    fn row(
        &self,
        document: &DocumentId,
        indexed: &Indexed,
        seen: Option<&str>,
    ) -> Result<Put, PortError> {
        let put = Put::builder()
            .table_name(self.documents_table()?)
            .set_item(Some(item::write(&keys::words(document), indexed)?));
        let put = match seen {
            None => put.condition_expression(crate::table::NEW),
            Some(seen) => put
                .condition_expression("#write = :seen")
                .expression_attribute_names("#write", WRITE)
                .expression_attribute_values(":seen", text(seen)),
        };
        put.build().map_err(|error| incomplete(&error))
    }
}

/// The update that marks a document as having words. Raises its revision, so that no change made before undoes it.
fn mark(table: &str, account: &AccountId, document: &DocumentId) -> Result<Update, PortError> {
    Update::builder()
        .table_name(table)
        .set_key(Some(keys::document(account, document).attributes()))
        .update_expression("SET ocrIndexed = :true, revision = revision + :one")
        .condition_expression(KNOWN)
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
