//! The library of saved documents: its table. The objects lie in the bucket.

mod ending;
mod import;
mod read;
mod removal;
pub(crate) mod row;
mod words;

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use domain::event::Event;
use domain::id::{AccountId, DocumentId, PageId, VersionId};
use domain::library::{
    Document, Draft, Import, ImportStart, Look, Removal, Version, Words, version_prefix,
};
use domain::ports::{
    Chore, ChorePage, DocumentSlice, DuePosition, EarlierImport, ImportBegun, Library, Objects,
    PortError, Posting, PostingSlice,
};
use domain::source::document_objects;
use domain::timestamp::Timestamp;

use self::words::{AT_ONCE, Indexing, paired};
use crate::error::{Failure, failed, judge};
use crate::idempotency::Subject;
use crate::item::{self, Item, SERVICE, number, text};
use crate::keys::library::{self as keys, Row};
use crate::outbox::is_still_due;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::{new_item, replacement};
use crate::transaction::{Part, Transaction};

/// Most versions of one document that are made in the same millisecond.
const MADE_AT_ONCE: u32 = 20;

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
        self.versions_beginning_with(&prefix, document, MADE_AT_ONCE)
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
        let answer = query
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let more = answer.last_evaluated_key.is_some();
        let items = answer.items.unwrap_or_default();
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
        let answer = self
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
            postings: answer.items().iter().map(read).collect::<Result<_, _>>()?,
            more: answer.last_evaluated_key().is_some(),
        })
    }

    async fn with_words(
        &self,
        account: &AccountId,
        ids: &[DocumentId],
    ) -> Result<Vec<(Document, Words)>, PortError> {
        let mut found = Vec::new();
        for some in ids.chunks(AT_ONCE) {
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

    async fn begin_import(&self, start: &ImportStart) -> Result<ImportBegun, PortError> {
        let transaction = self.beginning(start)?;
        let mut patience = Patience::new();
        loop {
            if let Some(begun) = self.try_to_begin(start, &transaction).await? {
                return Ok(begun);
            }
            patience.wait().await?;
        }
    }

    async fn earlier_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<EarlierImport>, PortError> {
        let Some(record) = self.recorded(fingerprint, now).await? else {
            return Ok(None);
        };
        let Subject::Document(id) = &record.subject else {
            return Ok(Some(EarlierImport::KeyReused));
        };
        if record.body_hash != body_hash {
            return Ok(Some(EarlierImport::KeyReused));
        }
        // In this order: the document appears in the transaction that takes the import away.
        let import = self
            .read(self.documents_table()?, &keys::import(id))
            .await?;
        if import.is_some() {
            return Ok(Some(EarlierImport::Running));
        }
        let imported = match Import::first_version(id) {
            Some(first) => self.version(account, id, &first).await?,
            None => None,
        };
        Ok(Some(match imported {
            Some(both) => EarlierImport::Imported(Box::new(both)),
            None => EarlierImport::Deleted,
        }))
    }

    async fn finish_import(
        &self,
        import: &Import,
        document: &Document,
        version: &Version,
        look: Option<&Look>,
    ) -> Result<bool, PortError> {
        let table = self.documents_table()?;
        let mut all = Transaction::default();
        let held = row::taken(table, &keys::import(&import.document_id))?;
        all.delete(Part::Import, held);
        let slim = keys::document(&document.account_id, &document.id);
        let slim = item::write(&slim, document)?;
        all.put(Part::Document, new_item(table, slim)?);
        let key = keys::version(&version.document_id, &version.id);
        all.put(
            Part::Belonging,
            new_item(table, item::write(&key, version)?)?,
        );
        self.add_look(&mut all, look)?;
        self.add_document_event(&mut all, &Event::of_import(version))?;
        let written = self.commit_patiently(&all).await;
        match written {
            Ok(true) => Ok(true),
            // No answer, or our own write that was repeated: the document tells.
            unclear => match self.document(&document.account_id, &document.id).await? {
                Some(_) => Ok(true),
                None => unclear,
            },
        }
    }

    async fn give_up_import(&self, import: &Import, now: Timestamp) -> Result<bool, PortError> {
        // First the import, so that whoever finishes it meanwhile keeps its objects; then these. The row of the removal
        // has `sweep` look for those that come late.
        let removal = Removal {
            account_id: import.account_id.clone(),
            document_id: import.document_id.clone(),
            removed_at: now,
        };
        let mut all = self.giving_up(import, now)?;
        let row = row::removal(&removal, now.plus(Removal::FIRST_ROUND))?;
        all.put(Part::Belonging, replacement(self.documents_table()?, row)?);
        let given_up = self.commit_patiently(&all).await?;
        if given_up {
            let objects = document_objects(&import.account_id, &import.document_id);
            if let Err(error) = self.remove_objects(&objects).await {
                tracing::warn!(%error, "objects of an import left behind; sweep will remove them");
            }
        }
        Ok(given_up)
    }

    async fn begin_draft(&self, draft: &Draft) -> Result<(), PortError> {
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
        // In this order: a crash in between leaves the row, which brings `sweep` back.
        self.discard(&draft.object()).await?;
        self.write_all(table, &[row::delete(&key)?]).await
    }

    async fn chores(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<ChorePage, PortError> {
        let table = self.documents_table()?;
        let (wanted, next) = self.due_keys_of(table, shard, now, after, limit).await?;
        let rows = self.read_all(table, &wanted).await?;
        let mut page = ChorePage {
            next,
            ..ChorePage::default()
        };
        for row in rows.into_iter().filter(|row| is_still_due(row, now)) {
            let name = crate::item::key_of(&row).map(|key| key.name());
            match chore(row) {
                Some(chore) => page.chores.push(chore),
                None => page.unreadable.extend(name),
            }
        }
        Ok(page)
    }

    async fn purge(&self, removal: &Removal, last: bool) -> Result<(), PortError> {
        self.purge_document(removal, last).await
    }
}

fn chore(row: Item) -> Option<Chore> {
    match keys::row_of(&row)? {
        _ if item::is_newer(&row) => None,
        Row::Import => item::read(row).ok().map(Chore::Import),
        Row::Removal => item::read(row).ok().map(Chore::Removal),
        Row::Draft => item::read(row).ok().map(Chore::Draft),
    }
}
