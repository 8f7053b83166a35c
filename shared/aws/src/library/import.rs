//! Imports: started with charge and lease, then finished or abandoned with refund, each in one transaction.

use domain::library::{Import, ImportStart};
use domain::ports::{ImportStarted, Library, PortError, Usage};
use domain::timestamp::{Period, Timestamp};
use domain::usage::quota_exceeded;

use super::row;
use crate::error::{Failure, unavailable};
use crate::idempotency::{self, Record, Subject};
use crate::item::SERVICE;
use crate::keys::library as keys;
use crate::services::Services;
use crate::table::new_item;
use crate::transaction::{Committed, Transaction, WriteRole};
use crate::usage;

impl Services {
    /// Makes one attempt; `None` if the caller should retry.
    pub(super) async fn try_to_start_import(
        &self,
        start: &ImportStart,
        transaction: &Transaction,
    ) -> Result<Option<ImportStarted>, PortError> {
        let import = &start.import;
        match self.commit(transaction, import.document_id.as_str()).await {
            Ok(Committed::Yes) => Ok(Some(ImportStarted::New)),
            Ok(Committed::No(roles)) if roles.contains(&WriteRole::Idempotency) => {
                self.previous_start(start).await
            }
            Ok(Committed::No(roles)) if roles.contains(&WriteRole::Usage) => {
                self.import_quota_exceeded(start).await
            }
            Ok(Committed::No(_)) | Err(Failure::Unknown(_))
                if self.is_import_stored(import).await? =>
            {
                Ok(Some(ImportStarted::New))
            }
            Ok(Committed::No(_)) => {
                Err(unavailable(SERVICE, "the import identifier exists already"))
            }
            Err(Failure::Busy) => Ok(None),
            Err(Failure::Unknown(error) | Failure::Rejected(error)) => Err(error),
        }
    }

    async fn is_import_stored(&self, import: &Import) -> Result<bool, PortError> {
        let key = keys::import(&import.document_id);
        let stored = self.read(self.documents_table()?, &key).await?;
        Ok(stored.is_some())
    }

    /// The outcome recorded under the idempotency key; `None` if the record has expired.
    async fn previous_start(
        &self,
        start: &ImportStart,
    ) -> Result<Option<ImportStarted>, PortError> {
        let import = &start.import;
        if self.is_import_stored(import).await? {
            return Ok(Some(ImportStarted::New));
        }
        let Some(fingerprint) = &import.fingerprint else {
            return Ok(None);
        };
        let previous = self
            .previous_import(
                &import.account_id,
                fingerprint,
                &start.body_hash,
                import.created_at,
            )
            .await?;
        Ok(previous.map(ImportStarted::PreviousRequest))
    }

    /// The exceeded quota; `None` if the charge fits by now.
    async fn import_quota_exceeded(
        &self,
        start: &ImportStart,
    ) -> Result<Option<ImportStarted>, PortError> {
        let import = &start.import;
        let period = charged_in(import)?;
        let used = self.used(&import.account_id, period).await?;
        let limits = start.plan.limits();
        Ok(quota_exceeded(limits, used, import.charge.units, period)
            .map(ImportStarted::QuotaExceeded))
    }

    pub(super) fn start_transaction(&self, start: &ImportStart) -> Result<Transaction, PortError> {
        let (import, limits) = (&start.import, start.plan.limits());
        let jobs = self.jobs_table()?;
        let mut all = Transaction::default();
        if let Some(fingerprint) = &import.fingerprint {
            let subject = Subject::Document(import.document_id.clone());
            let record = Record::new(&start.body_hash, subject, import.expires_at);
            let take = idempotency::take(jobs, fingerprint, &record, import.created_at)?;
            all.put(WriteRole::Idempotency, take);
        }
        let row = row::import(import)?;
        all.put(WriteRole::Import, new_item(self.documents_table()?, row)?);
        if limits.is_metered() && import.charge.units > 0 {
            let accounts = self.accounts_table()?;
            let period = charged_in(import)?;
            let units = import.charge.units;
            let update = usage::charge(accounts, &import.account_id, period, units, limits)?;
            all.update(WriteRole::Usage, update);
        }
        all.put(WriteRole::Charge, new_item(jobs, row::charge(import))?);
        Ok(all)
    }

    pub(super) fn abandonment(
        &self,
        import: &Import,
        now: Timestamp,
    ) -> Result<Transaction, PortError> {
        let jobs = self.jobs_table()?;
        let mut all = Transaction::default();
        let delete =
            row::delete_existing(self.documents_table()?, &keys::import(&import.document_id))?;
        all.delete(WriteRole::Import, delete);
        if let Some(fingerprint) = &import.fingerprint {
            let release = idempotency::release(jobs, fingerprint, &import.document_id)?;
            all.delete(WriteRole::Idempotency, release);
        }
        let key = keys::import_refund(&import.document_id);
        all.put(
            WriteRole::Refund,
            new_item(jobs, row::ledger(&key, import, now))?,
        );
        if import.charge.units > 0 {
            let (accounts, period) = (self.accounts_table()?, charged_in(import)?);
            let units = import.charge.units;
            let update = usage::subtract_charge(accounts, &import.account_id, period, units)?;
            all.update(WriteRole::Usage, update);
        }
        Ok(all)
    }
}

fn charged_in(import: &Import) -> Result<Period, PortError> {
    let day = &import.charge.day;
    Period::parse(day).ok_or_else(|| unavailable(SERVICE, format!("{day:?} is not a date")))
}
