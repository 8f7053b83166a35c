//! Imports: charged when they begin, and given back once when they are given up.

use async_trait::async_trait;
use domain::event::Event;
use domain::id::AccountId;
use domain::library::{Document, Import, ImportStart, Look, Version};
use domain::ports::PortError;
use domain::ports::library::{EarlierImport, ImportBegun, ImportDocuments};
use domain::source::document_objects;
use domain::timestamp::{Period, Timestamp};
use domain::usage::spent;

use crate::fakes::state::{Record, State, Subject};
use crate::fakes::{Call, Fakes, unavailable};

#[async_trait]
impl ImportDocuments for Fakes {
    async fn begin_import(&self, start: &ImportStart) -> Result<ImportBegun, PortError> {
        self.call(Call::Import, |state| state.begin_import(start))
            .await
    }

    async fn earlier_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<EarlierImport>, PortError> {
        self.call(Call::Import, |state| {
            Ok(state.earlier_import(account, fingerprint, body_hash, now))
        })
        .await
    }

    async fn finish_import(
        &self,
        import: &Import,
        document: &Document,
        version: &Version,
        look: Option<&Look>,
    ) -> Result<bool, PortError> {
        self.call(Call::Import, |state| {
            let shelves = &mut state.library;
            if shelves.imports.remove(&import.document_id).is_none() {
                return Ok(shelves.is_there(&document.account_id, &document.id));
            }
            let key = (document.account_id.clone(), document.id.clone());
            shelves.documents.insert(key, document.clone());
            let key = (version.document_id.clone(), version.id.clone());
            shelves.versions.insert(key, version.clone());
            state.accept_look(look);
            state.put_event(&Event::of_import(version), version.created_at);
            Ok(true)
        })
        .await
    }

    async fn give_up_import(&self, import: &Import, _: Timestamp) -> Result<bool, PortError> {
        let id = &import.document_id;
        let objects = document_objects(&import.account_id, id);
        self.call(Call::Import, |state| {
            if state.library.imports.remove(id).is_none() {
                return Ok(false);
            }
            state.objects.retain(|name, _| !name.starts_with(&objects));
            if let Some(fingerprint) = &import.fingerprint {
                state.idempotency.remove(fingerprint);
            }
            state.library.refunds.insert(id.clone(), import.clone());
            let units = i64::from(import.charge.units);
            if units > 0 {
                state.count(&import.account_id, charged_in(import)?, -units);
            }
            Ok(true)
        })
        .await
    }
}

impl State {
    fn begin_import(&mut self, start: &ImportStart) -> Result<ImportBegun, PortError> {
        let import = &start.import;
        if let Some(fingerprint) = &import.fingerprint {
            let (account, now) = (&import.account_id, import.created_at);
            let earlier = self.earlier_import(account, fingerprint, &start.body_hash, now);
            if let Some(earlier) = earlier {
                return Ok(ImportBegun::Earlier(earlier));
            }
        }
        let (period, limits) = (charged_in(import)?, start.plan.limits());
        let used = self.used(&import.account_id, period);
        if let Some(spent) = spent(limits, used, import.charge.units, period) {
            return Ok(ImportBegun::Spent(spent));
        }
        if limits.is_counted() {
            let units = i64::from(import.charge.units);
            self.count(&import.account_id, period, units);
        }
        if let Some(fingerprint) = &import.fingerprint {
            let record = Record {
                body_hash: start.body_hash.clone(),
                subject: Subject::Document(import.document_id.clone()),
                uploader: None,
                expires_at: import.expires_at,
            };
            self.idempotency.insert(fingerprint.clone(), record);
        }
        let id = import.document_id.clone();
        let owner = import.account_id.clone();
        self.import_charges.insert(id.clone(), owner);
        self.library.imports.insert(id, import.clone());
        Ok(ImportBegun::New)
    }

    fn earlier_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Option<EarlierImport> {
        let record = self.recorded(fingerprint, now)?;
        let Subject::Document(id) = &record.subject else {
            return Some(EarlierImport::KeyReused);
        };
        if record.body_hash != body_hash {
            return Some(EarlierImport::KeyReused);
        }
        let shelves = &self.library;
        if shelves.imports.contains_key(id) {
            return Some(EarlierImport::Running);
        }
        let document = shelves.documents.get(&(account.clone(), id.clone()));
        let first = Import::first_version(id)
            .and_then(|version| shelves.versions.get(&(id.clone(), version)));
        Some(match document.cloned().zip(first.cloned()) {
            Some(both) => EarlierImport::Imported(Box::new(both)),
            None => EarlierImport::Deleted,
        })
    }
}

fn charged_in(import: &Import) -> Result<Period, PortError> {
    Period::parse(&import.charge.day).ok_or_else(|| unavailable("charged to no day"))
}
