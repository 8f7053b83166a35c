//! The answers to accepted jobs on saved documents.

use domain::id::{DocumentId, PageId, VersionId};
use domain::job::{DocumentWork, Job};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JobCreated;

/// The answer to an accepted job on a saved document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedDocumentJobCreated {
    /// The job.
    #[serde(flatten)]
    pub job: JobCreated,
    /// The document.
    pub document_id: DocumentId,
    /// The version that is processed. The result becomes another one.
    pub version_id: VersionId,
}

impl SavedDocumentJobCreated {
    /// The answer for `job`, which does `work`.
    #[must_use]
    pub fn of(job: &Job, work: &DocumentWork, created: bool) -> Self {
        Self {
            job: JobCreated::of(job, created),
            document_id: work.document.clone(),
            version_id: work.version.clone(),
        }
    }
}

/// The answer to an accepted job on a page of a saved document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageJobCreated {
    /// The job.
    #[serde(flatten)]
    pub job: JobCreated,
    /// The document.
    pub document_id: DocumentId,
    /// The page that is processed.
    pub page_id: PageId,
    /// The version that the page belongs to.
    pub version_id: VersionId,
}

impl PageJobCreated {
    /// The answer for `job`, which does `work` on `page`.
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
