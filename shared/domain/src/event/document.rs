//! Data of document events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filename::Filename;
use crate::id::{DocumentId, JobId, VersionId};

/// Data of a document event. It describes no content of a deleted document.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentEventData {
    /// The document.
    pub document_id: DocumentId,
    /// The new version.
    pub version_id: Option<VersionId>,
    /// The job that created the version.
    pub job_id: Option<JobId>,
    /// File name of the version.
    #[serde(default)]
    #[schemars(with = "String")]
    pub filename: Option<Filename>,
    /// Media type of the version.
    pub content_type: Option<String>,
    /// Size of the version in bytes.
    pub size_bytes: Option<u64>,
}

impl DocumentEventData {
    /// Creates data with the document only.
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
