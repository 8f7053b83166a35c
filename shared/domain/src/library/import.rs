//! Imports: what is charged and held while a file is fetched.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::account::Caller;
use crate::id::{AccountId, DocumentId, VersionId};
use crate::idempotency::IdempotencyKey;
use crate::job::Charge;
use crate::plan::{MEGABYTE, Plan};
use crate::timestamp::{Timestamp, days};
use crate::usage::units;

/// An import that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Who imports.
    pub account_id: AccountId,
    /// The document that it will be.
    pub document_id: DocumentId,
    /// The document's first version.
    pub version_id: VersionId,
    /// What was charged, and to which period.
    pub charge: Charge,
    /// The fingerprint of its idempotency key, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// Until when its function holds it; afterwards `sweep` gives it up.
    pub lease_until: Timestamp,
    /// When its ledger rows and its idempotency key are deleted.
    pub expires_at: Timestamp,
}

/// What is written when an import begins, all of it or nothing.
#[derive(Clone, Debug)]
pub struct ImportStart {
    /// The import.
    pub import: Import,
    /// The account's plan, whose limits the charge must fit.
    pub plan: Plan,
    /// The hash of the request's body.
    pub body_hash: String,
}

impl Import {
    /// What an import costs, in credits.
    pub const CREDITS: u32 = 1;

    /// Largest import in bytes, whatever the plan allows.
    pub const MOST_BYTES: u64 = 250 * MEGABYTE;

    /// How long an import is held: longer than its function runs.
    pub const LEASE: Duration = Duration::from_secs(60);

    /// The route, which is the scope of idempotency keys.
    pub const ROUTE: &'static str = "POST /documents/import";

    /// Most bytes that an account on `plan` may import at once.
    #[must_use]
    pub fn most_bytes(plan: Plan) -> u64 {
        plan.limits().file_bytes.min(Self::MOST_BYTES)
    }

    /// The version that the import of a document began it with.
    #[must_use]
    pub fn first_version(document: &DocumentId) -> Option<VersionId> {
        let ulid = document.as_str().strip_prefix(DocumentId::PREFIX)?;
        format!("{}{ulid}", VersionId::PREFIX).parse().ok()
    }

    /// The import that `caller` begins at `now`; `random` makes its identifiers unique, and `kept_days` is how long ledger
    /// and idempotency key live.
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
