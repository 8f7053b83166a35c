//! Imports: charged, held, and either finished or given up, each in one transaction.

use async_trait::async_trait;
use domain::event::Event;
use domain::id::AccountId;
use domain::library::{Document, Import, ImportStart, Look, Removal, Version};
use domain::ports::library::{EarlierImport, ImportBegun, ImportDocuments, ReadLibrary};
use domain::ports::{PortError, ReadUsage};
use domain::source::document_objects;
use domain::timestamp::{Period, Timestamp};
use domain::usage::spent;

use super::row;
use crate::error::{Failure, unavailable};
use crate::idempotency::{self, Record, Subject};
use crate::item::{self, SERVICE};
use crate::keys::library as keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::{new_item, replacement};
use crate::transaction::{Committed, Part, Transaction};
use crate::usage;

#[async_trait]
impl ImportDocuments for Services {
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
}

impl Services {
    /// One attempt; `None` when another one is worth it.
    async fn try_to_begin(
        &self,
        start: &ImportStart,
        transaction: &Transaction,
    ) -> Result<Option<ImportBegun>, PortError> {
        let import = &start.import;
        match self.commit(transaction, import.document_id.as_str()).await {
            Ok(Committed::Yes) => Ok(Some(ImportBegun::New)),
            Ok(Committed::No(parts)) if parts.contains(&Part::Idempotency) => {
                self.what_began_before(start).await
            }
            Ok(Committed::No(parts)) if parts.contains(&Part::Usage) => {
                self.import_spent(start).await
            }
            Ok(Committed::No(_)) | Err(Failure::Unknown(_)) if self.is_held(import).await? => {
                Ok(Some(ImportBegun::New))
            }
            Ok(Committed::No(_)) => Err(unavailable(SERVICE, "the import's identifier is taken")),
            Err(Failure::Busy) => Ok(None),
            Err(Failure::Unknown(error) | Failure::Refused(error)) => Err(error),
        }
    }

    async fn is_held(&self, import: &Import) -> Result<bool, PortError> {
        let key = keys::import(&import.document_id);
        let held = self.read(self.documents_table()?, &key).await?;
        Ok(held.is_some())
    }

    /// What the record of the idempotency key says; `None` when it is gone by now.
    async fn what_began_before(
        &self,
        start: &ImportStart,
    ) -> Result<Option<ImportBegun>, PortError> {
        let import = &start.import;
        if self.is_held(import).await? {
            return Ok(Some(ImportBegun::New));
        }
        let Some(fingerprint) = &import.fingerprint else {
            return Ok(None);
        };
        let earlier = self
            .earlier_import(
                &import.account_id,
                fingerprint,
                &start.body_hash,
                import.created_at,
            )
            .await?;
        Ok(earlier.map(ImportBegun::Earlier))
    }

    /// Which limit refused; `None` when the charge would fit by now.
    async fn import_spent(&self, start: &ImportStart) -> Result<Option<ImportBegun>, PortError> {
        let import = &start.import;
        let period = charged_in(import)?;
        let used = self.used(&import.account_id, period).await?;
        let limits = start.plan.limits();
        Ok(spent(limits, used, import.charge.units, period).map(ImportBegun::Spent))
    }

    fn beginning(&self, start: &ImportStart) -> Result<Transaction, PortError> {
        let (import, limits) = (&start.import, start.plan.limits());
        let jobs = self.jobs_table()?;
        let mut all = Transaction::default();
        if let Some(fingerprint) = &import.fingerprint {
            let subject = Subject::Document(import.document_id.clone());
            let record = Record::new(&start.body_hash, subject, import.expires_at);
            let take = idempotency::take(jobs, fingerprint, &record, import.created_at)?;
            all.put(Part::Idempotency, take);
        }
        let row = row::import(import)?;
        all.put(Part::Import, new_item(self.documents_table()?, row)?);
        if limits.is_counted() && import.charge.units > 0 {
            let accounts = self.accounts_table()?;
            let period = charged_in(import)?;
            let units = import.charge.units;
            let update = usage::charge(accounts, &import.account_id, period, units, limits)?;
            all.update(Part::Usage, update);
        }
        all.put(Part::Charge, new_item(jobs, row::charge(import))?);
        Ok(all)
    }

    fn giving_up(&self, import: &Import, now: Timestamp) -> Result<Transaction, PortError> {
        let jobs = self.jobs_table()?;
        let mut all = Transaction::default();
        let held = row::taken(self.documents_table()?, &keys::import(&import.document_id))?;
        all.delete(Part::Import, held);
        if let Some(fingerprint) = &import.fingerprint {
            let release = idempotency::release(jobs, fingerprint, &import.document_id)?;
            all.delete(Part::Idempotency, release);
        }
        let key = keys::import_refund(&import.document_id);
        all.put(
            Part::Refund,
            new_item(jobs, row::ledger(&key, import, now))?,
        );
        if import.charge.units > 0 {
            let (accounts, period) = (self.accounts_table()?, charged_in(import)?);
            let units = import.charge.units;
            let update = usage::give_back(accounts, &import.account_id, period, units)?;
            all.update(Part::Usage, update);
        }
        Ok(all)
    }
}

fn charged_in(import: &Import) -> Result<Period, PortError> {
    let day = &import.charge.day;
    Period::parse(day).ok_or_else(|| unavailable(SERVICE, format!("{day:?} is not a day")))
}
