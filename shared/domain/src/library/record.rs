//! Records of saved documents and their versions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use crate::filename::Filename;
use crate::id::{AccountId, DocumentId, JobId, VersionId};
use crate::timestamp::Timestamp;

use super::page::{Page, PageSize, page_id};

/// The folder of a document without a folder.
pub const ROOT_FOLDER: &str = "root";

/// How a document or a version was created.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum DocumentSource {
    /// Imported from a URL.
    Import,
    /// Created from the result of a job.
    Job,
    /// Created by the mobile app.
    App,
}

impl DocumentSource {
    /// Every source.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The status of a document.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    Display,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum DocumentStatus {
    /// The content is being imported.
    Importing,
    /// The document is available.
    Ready,
    /// A job is processing the document.
    Processing,
    /// The content is unusable.
    Error,
    /// Archived: listed only if archived documents are requested.
    Archived,
}

impl DocumentStatus {
    /// Every status.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A document record: everything that lists show and filter by.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Version of the record format.
    pub record_version: u32,
    /// Identifier; sorts by creation time.
    pub id: DocumentId,
    /// Owner.
    pub account_id: AccountId,
    /// Name.
    pub filename: Filename,
    /// Media type of the current version.
    pub content_type: String,
    /// Size of the current version in bytes.
    pub size_bytes: u64,
    /// Folder.
    pub folder_id: String,
    /// Group.
    pub group_id: Option<String>,
    /// Current version, used by downloads and processing.
    pub current_version_id: Option<VersionId>,
    /// Number of versions.
    pub version_count: u32,
    /// How the document was created.
    pub source: DocumentSource,
    /// Status.
    pub status: DocumentStatus,
    /// Tags, sorted.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether the words of the recognized text are indexed.
    #[serde(default)]
    pub ocr_indexed: bool,
    /// Revision for optimistic concurrency control: incremented by each change.
    pub revision: u64,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl Document {
    /// The current version of the record format.
    pub const RECORD_VERSION: u32 = 1;
}

/// A version of a saved document. Versions are never overwritten.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Version of the record format.
    pub record_version: u32,
    /// Identifier; sorts by creation time.
    pub id: VersionId,
    /// The document.
    pub document_id: DocumentId,
    /// Owner.
    pub account_id: AccountId,
    /// Version number, from 1.
    pub number: u32,
    /// Original file name.
    pub filename: Filename,
    /// Media type.
    pub content_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub sha256: String,
    /// Entity tag of the object, so that a job reads exactly this content.
    pub etag: String,
    /// Number of pages; `None` until the version is inspected.
    pub page_count: Option<u32>,
    /// Sizes of the first pages, at most [`super::SIZES_IN_RECORD`]; empty until the version is inspected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub page_sizes: Vec<PageSize>,
    /// How the version was created.
    pub source: DocumentSource,
    /// The job that created the version.
    pub job_id: Option<JobId>,
    /// Operation of that job.
    pub operation: Option<String>,
    /// The version from which this one was created.
    pub parent_version_id: Option<VersionId>,
    /// Time of creation.
    pub created_at: Timestamp,
}

impl Version {
    /// The current version of the record format.
    pub const RECORD_VERSION: u32 = 1;

    /// Returns at most `count` pages from number `first` (counted from 1); none while the page count is unknown. Pages after
    /// [`super::SIZES_IN_RECORD`] have no size.
    pub fn pages(&self, first: u32, count: u32) -> impl Iterator<Item = Page> {
        self.pages_of_sizes(first, count, &self.page_sizes)
    }

    /// As [`Self::pages`], with the sizes of all pages in order.
    pub fn pages_of_sizes(
        &self,
        first: u32,
        count: u32,
        sizes: &[PageSize],
    ) -> impl Iterator<Item = Page> {
        let last = self.page_count.unwrap_or(0);
        (first..=last)
            .take(usize::try_from(count).unwrap_or(usize::MAX))
            .filter_map(|number| {
                let place = usize::try_from(number).ok()?.checked_sub(1)?;
                Some(Page {
                    id: page_id(&self.id, number)?,
                    number,
                    size: sizes.get(place).copied(),
                })
            })
    }
}
