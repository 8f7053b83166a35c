//! Responses to accepted jobs on saved documents.

use domain::id::{DocumentId, PageId, VersionId};
use domain::job::{DocumentWork, Job};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JobCreated;

/// An accepted job on a saved document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedDocumentJobCreated {
    /// The job.
    #[serde(flatten)]
    pub job: JobCreated,
    /// Identifier of the document.
    pub document_id: DocumentId,
    /// Version that is processed. The result becomes a new version.
    pub version_id: VersionId,
}

impl SavedDocumentJobCreated {
    /// Creates the response for `job` that does `work`.
    #[must_use]
    pub fn of(job: &Job, work: &DocumentWork, created: bool) -> Self {
        Self {
            job: JobCreated::of(job, created),
            document_id: work.document.clone(),
            version_id: work.version.clone(),
        }
    }
}

/// An accepted job on a page of a saved document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageJobCreated {
    /// The job.
    #[serde(flatten)]
    pub job: JobCreated,
    /// Identifier of the document.
    pub document_id: DocumentId,
    /// Page that is processed.
    pub page_id: PageId,
    /// Version of the page.
    pub version_id: VersionId,
}

impl PageJobCreated {
    /// Creates the response for `job` that does `work` on `page`.
    #[must_use]
    pub fn of(job: &Job, work: &DocumentWork, page: PageId, created: bool) -> Self {
        Self {
            job: JobCreated::of(job, created),
            document_id: work.document.clone(),
            page_id: page,
            version_id: work.version.clone(),
        }
    }
}
