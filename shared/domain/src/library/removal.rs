//! Removal of a document: it disappears at once, and its data is purged twice.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, DocumentId};
use crate::timestamp::Timestamp;

/// An unfinished removal.
///
/// The data of the document is purged when it is removed, and again when every function that was working on it must have
/// ended: a slow job may store an object before it detects that the document is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    /// Owner of the document.
    pub account_id: AccountId,
    /// The document.
    pub document_id: DocumentId,
    /// Time of the removal.
    pub removed_at: Timestamp,
}

impl Removal {
    /// Upper bound on the run time of any function.
    pub const MAX_FUNCTION_TIME: Duration = Duration::from_secs(16 * 60);

    /// Grace period for the first purge by the function that handles the request, before `sweep` does it.
    pub const FIRST_PASS_WITHIN: Duration = Duration::from_secs(60);

    /// Whether no function can still be working on the document.
    #[must_use]
    pub fn is_final(&self, now: Timestamp) -> bool {
        now >= self.removed_at.plus(Self::MAX_FUNCTION_TIME)
    }
}
