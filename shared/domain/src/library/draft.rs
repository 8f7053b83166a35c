//! Drafts: stored content that does not belong to a version yet.

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, DocumentId, VersionId};
use crate::source::version_object;
use crate::timestamp::Timestamp;

use super::removal::Removal;

/// A draft of a version. It is recorded before its content is stored, and removed in the transaction that writes the version,
/// so that content without a version can always be found and removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Owner of the document.
    pub account_id: AccountId,
    /// The document.
    pub document_id: DocumentId,
    /// The version to create.
    pub version_id: VersionId,
    /// Time of creation.
    pub begun_at: Timestamp,
}

impl Draft {
    /// Returns the object key of the content.
    #[must_use]
    pub fn object(&self) -> String {
        version_object(&self.account_id, &self.document_id, &self.version_id)
    }

    /// Returns the time from which no worker can still be using the draft, and `sweep` removes it.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.begun_at.plus(Removal::MAX_FUNCTION_TIME)
    }
}
