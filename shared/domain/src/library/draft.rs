//! Drafts: content that is stored and belongs to no version yet.

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, DocumentId, VersionId};
use crate::source::version_object;
use crate::timestamp::Timestamp;

use super::removal::Removal;

/// A version in the making. It is recorded before its content is stored and taken away in the transaction that writes the
/// version, so that content without a version is always found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The owner of the document.
    pub account_id: AccountId,
    /// The document.
    pub document_id: DocumentId,
    /// The version that it is to be.
    pub version_id: VersionId,
    /// When it was begun.
    pub begun_at: Timestamp,
}

impl Draft {
    /// Where its content is stored.
    #[must_use]
    pub fn object(&self) -> String {
        version_object(&self.account_id, &self.document_id, &self.version_id)
    }

    /// From when on nobody can be at work on it any more, and `sweep` removes it.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.begun_at.plus(Removal::LATECOMERS)
    }
}
