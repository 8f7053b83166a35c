//! The removal of a document: it disappears at once, and what belonged to it is removed twice.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, DocumentId};
use crate::timestamp::Timestamp;

/// A removal that is not finished.
///
/// What belonged to the document is removed when it disappears, and once more after everybody who was at work on it then
/// must have ended: a job that is late stores an object and finds only afterwards that the document is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    /// The owner of the document.
    pub account_id: AccountId,
    /// The document.
    pub document_id: DocumentId,
    /// When it disappeared.
    pub removed_at: Timestamp,
}

impl Removal {
    /// Longer than any function runs.
    pub const LATECOMERS: Duration = Duration::from_secs(16 * 60);

    /// How long the function that was asked has for the first round, before `sweep` does it.
    pub const FIRST_ROUND: Duration = Duration::from_secs(60);

    /// Whether nobody can be at work on the document any more.
    #[must_use]
    pub fn is_final(&self, now: Timestamp) -> bool {
        now >= self.removed_at.plus(Self::LATECOMERS)
    }
}
