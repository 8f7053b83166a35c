//! Imports: the charge and the lease while a file is fetched.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::account::Caller;
use crate::id::{AccountId, DocumentId, VersionId};
use crate::idempotency::IdempotencyKey;
use crate::job::Charge;
use crate::plan::{MEGABYTE, Plan};
use crate::timestamp::{Timestamp, days};
use crate::usage::units;

/// An import that has not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// The account.
    pub account_id: AccountId,
    /// The document to create.
    pub document_id: DocumentId,
    /// The first version to create.
    pub version_id: VersionId,
    /// The charge.
    pub charge: Charge,
    /// Fingerprint of the idempotency key, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Start time.
    pub created_at: Timestamp,
    /// End of the lease; afterwards `sweep` abandons the import.
    pub lease_until: Timestamp,
    /// Time at which ledger rows and the idempotency record are deleted.
    pub expires_at: Timestamp,
}

/// What is written when an import starts, in one transaction.
#[derive(Clone, Debug)]
pub struct ImportStart {
    /// The import.
    pub import: Import,
    /// Plan of the account, whose quota the charge must fit.
    pub plan: Plan,
    /// Hash of the request body.
    pub body_hash: String,
}

impl Import {
    /// Price of an import in credits.
    pub const CREDITS: u32 = 1;

    /// Maximum size of an import in bytes, on any plan.
    pub const MAX_BYTES: u64 = 250 * MEGABYTE;

    /// Lease of an import: longer than the time limit of its function.
    pub const LEASE: Duration = Duration::from_secs(60);

    /// The route, which is the scope of idempotency keys.
    pub const ROUTE: &'static str = "POST /documents/import";

    /// Returns the maximum size in bytes of an import on `plan`.
    #[must_use]
    pub fn max_bytes(plan: Plan) -> u64 {
        plan.limits().file_bytes.min(Self::MAX_BYTES)
    }

    /// Returns the first version of an imported document.
    #[must_use]
    pub fn first_version(document: &DocumentId) -> Option<VersionId> {
        let ulid = document.as_str().strip_prefix(DocumentId::PREFIX)?;
        format!("{}{ulid}", VersionId::PREFIX).parse().ok()
    }

    /// Creates the import that `caller` starts at `now`. `random` makes its identifiers unique; `kept_days` is the retention
    /// of the ledger rows and the idempotency record.
    #[must_use]
    pub fn begin(
        caller: &Caller,
        key: Option<&IdempotencyKey>,
        kept_days: u32,
        now: Timestamp,
        random: u128,
    ) -> Self {
        let account_id = caller.account_id.clone();
        let charge = Charge {
            credits: Self::CREDITS,
            units: units(caller.plan, Self::CREDITS),
            day: now.period().day(),
        };
        Self {
            fingerprint: key.map(|key| key.fingerprint(&account_id, Self::ROUTE)),
            account_id,
            document_id: DocumentId::mint(now, random),
            version_id: VersionId::mint(now, random),
            charge,
            created_at: now,
            lease_until: now.plus(Self::LEASE),
            expires_at: now.plus(days(kept_days)),
        }
    }
}
