//! Changing saved documents, each change on the revision that it was made from.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use domain::event::Event;
use domain::id::{AccountId, DocumentId};
use domain::library::{Document, Removal, Words};
use domain::ports::PortError;
use domain::ports::library::{ChangeLibrary, ReadLibrary};

use super::row;
use super::words::Indexing;
use crate::error::{Failure, judge};
use crate::item::{self, SERVICE, number};
use crate::keys::library as keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::replacement;
use crate::transaction::{Part, Transaction};

#[async_trait]
impl ChangeLibrary for Services {
    async fn replace_document(&self, document: &Document, seen: u64) -> Result<bool, PortError> {
        let key = keys::document(&document.account_id, &document.id);
        let item = item::write(&key, document)?;
        let mut patience = Patience::new();
        loop {
            let answer = self
                .tables()
                .put_item()
                .table_name(self.documents_table()?)
                .set_item(Some(item.clone()))
                .condition_expression("revision = :seen")
                .expression_attribute_values(":seen", number(seen))
                .send()
                .await;
            let Err(error) = answer else {
                return Ok(true);
            };
            if matches!(
                error.as_service_error(),
                Some(PutItemError::ConditionalCheckFailedException(_))
            ) {
                // Perhaps our own write, of which the SDK did not hear and which it repeated.
                let now = self.document(&document.account_id, &document.id).await?;
                return Ok(now.as_ref() == Some(document));
            }
            match judge(SERVICE, &error) {
                Failure::Busy => patience.wait().await?,
                Failure::Refused(error) | Failure::Unknown(error) => return Err(error),
            }
        }
    }

    async fn index_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError> {
        let indexed = self.index(account, document, |_| words.clone()).await?;
        Ok(indexed == Indexing::Done)
    }

    async fn add_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError> {
        let mut patience = Patience::new();
        loop {
            match self.index(account, document, |old| old.with(words)).await? {
                Indexing::Done => return Ok(true),
                Indexing::Gone => return Ok(false),
                // The other call's words are there by now, or will be: ours come to them.
                Indexing::Overtaken => patience.wait().await?,
            }
        }
    }

    async fn remove_document(&self, removal: &Removal) -> Result<bool, PortError> {
        let table = self.documents_table()?;
        let (account, document) = (&removal.account_id, &removal.document_id);
        let mut all = Transaction::default();
        all.delete(
            Part::Document,
            row::taken(table, &keys::document(account, document))?,
        );
        let due = removal.removed_at.plus(Removal::FIRST_ROUND);
        let row = row::removal(removal, due)?;
        all.put(Part::Belonging, replacement(table, row)?);
        self.add_document_event(&mut all, &Event::of_removal(removal))?;
        self.commit_patiently(&all).await
    }
}
