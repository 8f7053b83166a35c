//! Imports: charged at the start, refunded once if abandoned.

use domain::id::AccountId;
use domain::library::{Import, ImportStart};
use domain::ports::{ImportStarted, PortError, PreviousImport};
use domain::timestamp::{Period, Timestamp};
use domain::usage::quota_exceeded;

use crate::fakes::state::{Record, State, Subject};
use crate::fakes::unavailable;

impl State {
    pub(super) fn start_import(&mut self, start: &ImportStart) -> Result<ImportStarted, PortError> {
        let import = &start.import;
        if let Some(fingerprint) = &import.fingerprint {
            let (account, now) = (&import.account_id, import.created_at);
            let earlier = self.previous_import(account, fingerprint, &start.body_hash, now);
            if let Some(earlier) = earlier {
                return Ok(ImportStarted::PreviousRequest(earlier));
            }
        }
        let (period, limits) = (charged_in(import)?, start.plan.limits());
        let used = self.used(&import.account_id, period);
        if let Some(spent) = quota_exceeded(limits, used, import.charge.units, period) {
            return Ok(ImportStarted::QuotaExceeded(spent));
        }
        if limits.is_metered() {
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
        Ok(ImportStarted::New)
    }

    pub(super) fn previous_import(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Option<PreviousImport> {
        let record = self.recorded(fingerprint, now)?;
        let Subject::Document(id) = &record.subject else {
            return Some(PreviousImport::KeyReused);
        };
        if record.body_hash != body_hash {
            return Some(PreviousImport::KeyReused);
        }
        let shelves = &self.library;
        if shelves.imports.contains_key(id) {
            return Some(PreviousImport::Running);
        }
        let document = shelves.documents.get(&(account.clone(), id.clone()));
        let first = Import::first_version(id)
            .and_then(|version| shelves.versions.get(&(id.clone(), version)));
        Some(match document.cloned().zip(first.cloned()) {
            Some(both) => PreviousImport::Imported(Box::new(both)),
            None => PreviousImport::Deleted,
        })
    }
}

pub(super) fn charged_in(import: &Import) -> Result<Period, PortError> {
    Period::parse(&import.charge.day).ok_or_else(|| unavailable("the charge has no date"))
}
