//! The documents table of the library. The content of documents is in the bucket.

mod import;
mod job_outcome;
mod read;
mod removal;
pub(crate) mod row;
mod search_index;

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use domain::event::Event;
use domain::id::{AccountId, DocumentId, PageId, VersionId};
use domain::library::{
    Document, Draft, Import, ImportStart, Inspection, Removal, Version, Words, version_prefix,
};
use domain::ports::{
    DocumentSlice, DuePosition, ImportStarted, Library, Objects, PendingCleanup,
    PendingCleanupPage, PortError, Posting, PostingSlice, PreviousImport,
};
use domain::source::document_objects;
use domain::timestamp::Timestamp;

use self::search_index::{DOCUMENTS_PER_BATCH, Indexing, paired};
use crate::error::{Failure, classify, failed};
use crate::idempotency::Subject;
use crate::item::{self, Item, SERVICE, number, text};
use crate::keys::library::{self as keys, Row};
use crate::outbox::is_still_due;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::{new_item, replacement};
use crate::transaction::{Transaction, WriteRole};

/// Maximum number of versions of one document with the same millisecond.
const MAX_PER_MILLISECOND: u32 = 20;

#[async_trait]
impl Library for Services {
    async fn document(
        &self,
        account: &AccountId,
        id: &DocumentId,
    ) -> Result<Option<Document>, PortError> {
        let key = keys::document(account, id);
        let found = self.read(self.documents_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn version(
        &self,
        account: &AccountId,
        document: &DocumentId,
        version: &VersionId,
    ) -> Result<Option<(Document, Version)>, PortError> {
        let wanted = [
            keys::document(account, document),
            keys::version(document, version),
        ];
        let found = self.read_all(self.documents_table()?, &wanted).await?;
        let Ok([slim, version]) = <[Item; 2]>::try_from(found) else {
            return Ok(None);
        };
        Ok(Some((item::read(slim)?, item::read(version)?)))
    }

    async fn versions(&self, document: &DocumentId, limit: u32) -> Result<Vec<Version>, PortError> {
        self.versions_beginning_with("", document, limit).await
    }

    async fn versions_of_page(
        &self,
        document: &DocumentId,
        page: &PageId,
    ) -> Result<Vec<Version>, PortError> {
        let prefix = version_prefix(page);
        self.versions_beginning_with(&prefix, document, MAX_PER_MILLISECOND)
            .await
    }

    async fn documents(
        &self,
        account: &AccountId,
        before: Option<&DocumentId>,
        limit: u32,
    ) -> Result<DocumentSlice, PortError> {
        let mut query = self
            .tables()
            .query()
            .table_name(self.documents_table()?)
            .expression_attribute_values(":account", text(keys::documents(account)))
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        query = match before {
            None => query.key_condition_expression("pk = :account"),
            Some(before) => query
                .key_condition_expression("pk = :account AND sk < :before")
                .expression_attribute_values(
                    ":before",
                    text(keys::document(account, before).sort()),
                ),
        };
        let response = query
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let more = response.last_evaluated_key.is_some();
        let items = response.items.unwrap_or_default();
        let documents = items
            .into_iter()
            .map(item::read)
            .collect::<Result<_, _>>()?;
        Ok(DocumentSlice { documents, more })
    }

    async fn postings(
        &self,
        account: &AccountId,
        prefix: &str,
        after: Option<&Posting>,
        limit: u32,
    ) -> Result<PostingSlice, PortError> {
        let (first, last) = keys::posting_range(prefix, after);
        let response = self
            .tables()
            .query()
            .table_name(self.documents_table()?)
            .key_condition_expression("pk = :words AND sk BETWEEN :first AND :last")
            .expression_attribute_values(":words", text(keys::postings(account, prefix)))
            .expression_attribute_values(":first", text(first))
            .expression_attribute_values(":last", text(last))
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let read = |row: &Item| {
            let unreadable = || item::unreadable(crate::item::key_of(row).as_ref());
            keys::posting_of(row).ok_or_else(unreadable)
        };
        Ok(PostingSlice {
            postings: response
                .items()
                .iter()
                .map(read)
                .collect::<Result<_, _>>()?,
            more: response.last_evaluated_key().is_some(),
        })
    }

    async fn with_words(
        &self,
        account: &AccountId,
        ids: &[DocumentId],
    ) -> Result<Vec<(Document, Words)>, PortError> {
        let mut found = Vec::new();
        for some in ids.chunks(DOCUMENTS_PER_BATCH) {
            let slim = some.iter().map(|id| keys::document(account, id));
            let words = some.iter().map(keys::words);
            let wanted: Vec<_> = slim.chain(words).collect();
            let items = self.read_all(self.documents_table()?, &wanted).await?;
            found.extend(paired(items)?);
        }
        Ok(found)
    }

    async fn replace_document(&self, document: &Document, seen: u64) -> Result<bool, PortError> {
        let key = keys::document(&document.account_id, &document.id);
        let item = item::write(&key, document)?;
        let mut retries = RetryBudget::new();
        loop {
            let response = self
                .tables()
                .put_item()
                .table_name(self.documents_table()?)
                .set_item(Some(item.clone()))
                .condition_expression("revision = :seen")
                .expression_attribute_values(":seen", number(seen))
                .send()
                .await;
            let Err(error) = response else {
                return Ok(true);
            };
            if matches!(
                error.as_service_error(),
                Some(PutItemError::ConditionalCheckFailedException(_))
            ) {
                // The SDK may have repeated our own successful write after losing its response.
                let now = self.document(&document.account_id, &document.id).await?;
                return Ok(now.as_ref() == Some(document));
            }
            match classify(SERVICE, &error) {
                Failure::Busy => retries.wait().await?,
                Failure::Rejected(error) | Failure::Unknown(error) => return Err(error),
            }
        }
    }

    async fn index_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError> {
        let index_row = self.index(account, document, |_| words.clone()).await?;
        Ok(index_row == Indexing::Done)
    }

    async fn add_words(
        &self,
        account: &AccountId,
        document: &DocumentId,
        words: &Words,
    ) -> Result<bool, PortError> {
        let mut retries = RetryBudget::new();
        loop {
            match self
                .index(account, document, |old| old.add_up_to_limit(words))
                .await?
            {
                Indexing::Done => return Ok(true),
                Indexing::NotFound => return Ok(false),
                // A concurrent call writes its words: retry, which adds ours to them.
                Indexing::Superseded => retries.wait().await?,
            }
        }
    }

    async fn remove_document(&self, removal: &Removal) -> Result<bool, PortError> {
        let table = self.documents_table()?;
        let (account, document) = (&removal.account_id, &removal.document_id);
        let mut all = Transaction::default();
        all.delete(
            WriteRole::Document,
            row::delete_existing(table, &keys::document(account, document))?,
        );
        let due = removal.removed_at.plus(Removal::FIRST_PASS_WITHIN);
        let row = row::removal(removal, due)?;
        all.put(WriteRole::DocumentRow, replacement(table, row)?);
        self.add_document_event(&mut all, &Event::of_removal(removal))?;
        self.commit_with_retries(&all).await
    }

    async fn start_import(&self, start: &ImportStart) -> Result<ImportStarted, PortError> {
        let transaction = self.start_transaction(start)?;
        let mut retries = RetryBudget::new();
        loop {
            if let Some(outcome) = self.try_to_start_import(start, &transaction).await? {
                return Ok(outcome);
            }
            retries.wait().await?;
        }
    }

    async fn previous_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousImport>, PortError> {
        let Some(record) = self.recorded(fingerprint, now).await? else {
            return Ok(None);
        };
        let Subject::Document(id) = &record.subject else {
            return Ok(Some(PreviousImport::KeyReused));
        };
        if record.body_hash != body_hash {
            return Ok(Some(PreviousImport::KeyReused));
        }
        // The import is read first, because one transaction deletes it and creates the document.
        let import = self
            .read(self.documents_table()?, &keys::import(id))
            .await?;
        if import.is_some() {
            return Ok(Some(PreviousImport::Running));
        }
        let imported = match Import::first_version(id) {
            Some(first) => self.version(account, id, &first).await?,
            None => None,
        };
        Ok(Some(match imported {
            Some(both) => PreviousImport::Imported(Box::new(both)),
            None => PreviousImport::Deleted,
        }))
    }

    async fn finish_import(
        &self,
        import: &Import,
        document: &Document,
        version: &Version,
        inspection: Option<&Inspection>,
    ) -> Result<bool, PortError> {
        let table = self.documents_table()?;
        let mut all = Transaction::default();
        let delete = row::delete_existing(table, &keys::import(&import.document_id))?;
        all.delete(WriteRole::Import, delete);
        let slim = keys::document(&document.account_id, &document.id);
        let slim = item::write(&slim, document)?;
        all.put(WriteRole::Document, new_item(table, slim)?);
        let key = keys::version(&version.document_id, &version.id);
        all.put(
            WriteRole::DocumentRow,
            new_item(table, item::write(&key, version)?)?,
        );
        self.add_inspection(&mut all, inspection)?;
        self.add_document_event(&mut all, &Event::of_import(version))?;
        let written = self.commit_with_retries(&all).await;
        match written {
            Ok(true) => Ok(true),
            // Response lost, or our own write repeated: the stored document decides.
            unclear => match self.document(&document.account_id, &document.id).await? {
                Some(_) => Ok(true),
                None => unclear,
            },
        }
    }

    async fn abandon_import(&self, import: &Import, now: Timestamp) -> Result<bool, PortError> {
        // The import row first, so that a concurrent finish keeps its objects; then the objects. The removal row makes
        // `sweep` purge objects that are stored later.
        let removal = Removal {
            account_id: import.account_id.clone(),
            document_id: import.document_id.clone(),
            removed_at: now,
        };
        let mut all = self.abandonment(import, now)?;
        let row = row::removal(&removal, now.plus(Removal::FIRST_PASS_WITHIN))?;
        all.put(
            WriteRole::DocumentRow,
            replacement(self.documents_table()?, row)?,
        );
        let given_up = self.commit_with_retries(&all).await?;
        if given_up {
            let objects = document_objects(&import.account_id, &import.document_id);
            if let Err(error) = self.remove_objects(&objects).await {
                tracing::warn!(%error, "cannot delete the objects of an import; sweep retries");
            }
        }
        Ok(given_up)
    }

    async fn create_draft(&self, draft: &Draft) -> Result<(), PortError> {
        self.tables()
            .put_item()
            .table_name(self.documents_table()?)
            .set_item(Some(row::draft(draft)?))
            .send()
            .await
            .map(drop)
            .map_err(|error| failed(SERVICE, &error))
    }

    async fn drop_draft(&self, draft: &Draft) -> Result<(), PortError> {
        let (table, key) = (
            self.documents_table()?,
            keys::draft(&draft.document_id, &draft.version_id),
        );
        if self.read(table, &key).await?.is_none() {
            return Ok(());
        }
        // The object is deleted first: after a crash in between, the row remains and `sweep` retries.
        self.discard(&draft.object()).await?;
        self.write_all(table, &[row::delete(&key)?]).await
    }

    async fn pending_cleanups(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<PendingCleanupPage, PortError> {
        let table = self.documents_table()?;
        let (wanted, next) = self.due_keys_of(table, shard, now, after, limit).await?;
        let rows = self.read_all(table, &wanted).await?;
        let mut page = PendingCleanupPage {
            next,
            ..PendingCleanupPage::default()
        };
        for row in rows.into_iter().filter(|row| is_still_due(row, now)) {
            let name = crate::item::key_of(&row).map(|key| key.name());
            match pending_cleanup(row) {
                Some(pending_cleanup) => page.pending_cleanups.push(pending_cleanup),
                None => page.unreadable.extend(name),
            }
        }
        Ok(page)
    }

    async fn purge(&self, removal: &Removal, last: bool) -> Result<(), PortError> {
        self.purge_document(removal, last).await
    }
}

fn pending_cleanup(row: Item) -> Option<PendingCleanup> {
    match keys::row_of(&row)? {
        _ if item::is_newer(&row) => None,
        Row::Import => item::read(row).ok().map(PendingCleanup::Import),
        Row::Removal => item::read(row).ok().map(PendingCleanup::Removal),
        Row::Draft => item::read(row).ok().map(PendingCleanup::Draft),
    }
}
