//! Imports: charged when they begin, and given back once when they are given up.

use domain::id::AccountId;
use domain::library::{Import, ImportStart};
use domain::ports::{EarlierImport, ImportBegun, PortError};
use domain::timestamp::{Period, Timestamp};
use domain::usage::spent;

use crate::fakes::state::{Record, State, Subject};
use crate::fakes::unavailable;

impl State {
    pub(super) fn begin_import(&mut self, start: &ImportStart) -> Result<ImportBegun, PortError> {
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

    pub(super) fn earlier_import(
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

pub(super) fn charged_in(import: &Import) -> Result<Period, PortError> {
    Period::parse(&import.charge.day).ok_or_else(|| unavailable("charged to no day"))
}
