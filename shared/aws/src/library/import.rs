//! Imports: charged, held, and either finished or given up, each in one transaction.

use domain::library::{Import, ImportStart};
use domain::ports::{ImportBegun, Library, PortError, Usage};
use domain::timestamp::{Period, Timestamp};
use domain::usage::spent;

use super::row;
use crate::error::{Failure, unavailable};
use crate::idempotency::{self, Record, Subject};
use crate::item::SERVICE;
use crate::keys::library as keys;
use crate::services::Services;
use crate::table::new_item;
use crate::transaction::{Committed, Part, Transaction};
use crate::usage;

impl Services {
    /// One attempt; `None` when another one is worth it.
    pub(super) async fn try_to_begin(
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

    pub(super) fn beginning(&self, start: &ImportStart) -> Result<Transaction, PortError> {
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

    pub(super) fn giving_up(
        &self,
        import: &Import,
        now: Timestamp,
    ) -> Result<Transaction, PortError> {
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
