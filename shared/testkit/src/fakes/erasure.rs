//! Erasure of accounts.

use async_trait::async_trait;
use domain::event;
use domain::id::{AccountId, DocumentId};
use domain::ports::{AccountRecord, AccountRecordPage, Erasure, PortError};
use domain::source::account_objects;
use domain::timestamp::Timestamp;

use super::state::{State, Subject};
use super::{Call, Fakes};

#[async_trait]
impl Erasure for Fakes {
    async fn close_account(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError> {
        self.call(Call::Erase, |state| Ok(state.close(account, now)))
            .await
    }

    async fn records(
        &self,
        account: &AccountId,
        after: Option<&str>,
        limit: u32,
    ) -> Result<AccountRecordPage, PortError> {
        self.call(Call::Erase, |state| {
            let records = state.records(account);
            let mut behind: Vec<_> = records
                .into_iter()
                .map(|record| (format!("{record:?}"), record))
                .filter(|(name, _)| after.is_none_or(|after| name.as_str() > after))
                .collect();
            behind.sort_unstable();
            let more = behind.len() > limit as usize;
            behind.truncate(limit as usize);
            let last = behind.last().map(|(name, _)| name.clone());
            Ok(AccountRecordPage {
                records: behind.into_iter().map(|(_, record)| record).collect(),
                next: last.filter(|_| more),
            })
        })
        .await
    }

    async fn erase_record(
        &self,
        account: &AccountId,
        record: &AccountRecord,
    ) -> Result<(), PortError> {
        self.call(Call::Erase, |state| {
            state.erase_record(account, record);
            Ok(())
        })
        .await
    }

    async fn erase_events(&self, document: &DocumentId) -> Result<(), PortError> {
        let own = event::Subject::Document(document.clone());
        self.call(Call::Erase, |state| {
            state.events.retain(|(subject, _), _| *subject != own);
            Ok(())
        })
        .await
    }

    async fn erase_subscriptions(&self, account: &AccountId) -> Result<u64, PortError> {
        self.call(Call::Erase, |state| {
            let count = state.subscribers.erase(account);
            state.post.erase(account);
            Ok(count)
        })
        .await
    }

    async fn erase_objects(&self, account: &AccountId) -> Result<u64, PortError> {
        let prefixes = account_objects(account);
        self.call(Call::Erase, |state| {
            let before = state.objects.len();
            let theirs = |name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix));
            state.objects.retain(|name, _| !theirs(name));
            state.steps.retain(|name, _| !theirs(name));
            Ok((before - state.objects.len()) as u64)
        })
        .await
    }

    async fn erase_account(&self, account: &AccountId) -> Result<u64, PortError> {
        self.call(Call::Erase, |state| {
            let before = state.keys.len() + state.identities.len();
            state.keys.retain(|_, key| key.account_id != *account);
            state.identities.retain(|_, owner| owner != account);
            state.counters.retain(|(owner, _), _| owner != account);
            state.closed.remove(account);
            state.accounts.remove(account);
            Ok((before - state.keys.len() - state.identities.len()) as u64)
        })
        .await
    }
}

impl State {
    fn close(&mut self, account: &AccountId, now: Timestamp) -> Option<Timestamp> {
        self.accounts.get(account)?;
        let keys = self.keys.values_mut();
        for key in keys.filter(|key| key.account_id == *account) {
            key.revoked_at.get_or_insert(now);
        }
        self.identities.retain(|_, owner| owner != account);
        Some(*self.closed.entry(account.clone()).or_insert(now))
    }

    fn records(&self, account: &AccountId) -> Vec<AccountRecord> {
        let jobs = self.jobs.values().filter(|job| job.account_id == *account);
        let jobs = jobs.map(|job| AccountRecord::Job(job.id.clone()));
        let imports = self.import_charges.iter();
        let imports = imports.filter(|(_, owner)| *owner == account);
        let imports = imports.map(|(id, _)| AccountRecord::Import(id.clone()));
        let uploads = self.idempotency.iter();
        let uploads = uploads.filter(|(_, record)| record.uploader.as_ref() == Some(account));
        let uploads = uploads.map(|(fingerprint, _)| AccountRecord::Upload(fingerprint.clone()));
        jobs.chain(imports).chain(uploads).collect()
    }

    fn erase_record(&mut self, account: &AccountId, record: &AccountRecord) {
        match record {
            AccountRecord::Job(id) => {
                let own = |subject: &Subject| matches!(subject, Subject::Job(job) if job == id);
                self.idempotency.retain(|_, record| !own(&record.subject));
                self.charges.remove(id);
                self.refunds.remove(id);
                self.tickets.remove(id);
                self.events
                    .retain(|(subject, _), _| *subject != event::Subject::Job(id.clone()));
                self.jobs.remove(id);
            }
            AccountRecord::Import(id) => {
                let own = |subject: &Subject| matches!(subject, Subject::Document(it) if it == id);
                self.idempotency.retain(|_, record| !own(&record.subject));
                self.import_charges.remove(id);
            }
            AccountRecord::Upload(fingerprint) => {
                let own = |record: &super::state::Record| record.uploader.as_ref() == Some(account);
                if self.idempotency.get(fingerprint).is_some_and(own) {
                    self.idempotency.remove(fingerprint);
                }
            }
        }
    }
}
