//! What events tell of saved documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filename::Filename;
use crate::id::{DocumentId, JobId, VersionId};

/// What an event says about its document. What a deleted document held is not told.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentEventData {
    /// The document.
    pub document_id: DocumentId,
    /// The version that came to be.
    pub version_id: Option<VersionId>,
    /// The job that made the version.
    pub job_id: Option<JobId>,
    /// The version's name.
    #[serde(default)]
    #[schemars(with = "String")]
    pub filename: Option<Filename>,
    /// Its media type.
    pub content_type: Option<String>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
}

impl DocumentEventData {
    /// Says which document it is, and nothing more.
    #[must_use]
    pub fn of(document: &DocumentId) -> Self {
        Self {
            document_id: document.clone(),
            version_id: None,
            job_id: None,
            filename: None,
            content_type: None,
            size_bytes: None,
        }
    }
}
