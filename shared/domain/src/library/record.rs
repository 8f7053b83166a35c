//! What is known about a saved document and its versions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use crate::filename::Filename;
use crate::id::{AccountId, DocumentId, JobId, VersionId};
use crate::timestamp::Timestamp;

use super::page::{Page, PageSize, page_id};

/// The folder of a document that was put into none.
pub const ROOT_FOLDER: &str = "root";

/// How a document or a version came into the library.
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
    /// From a public address.
    Import,
    /// As the result of a job.
    Job,
    /// From the mobile app.
    App,
}

impl DocumentSource {
    /// Every source.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Where a document stands.
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
    /// Its content is on the way.
    Importing,
    /// It can be used.
    Ready,
    /// A job works on it.
    Processing,
    /// Its content cannot be used.
    Error,
    /// Put away: it appears only where archived documents are asked for.
    Archived,
}

impl DocumentStatus {
    /// Every status.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The slim record of a saved document: all that lists show and filter by.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Version of this record's form.
    pub record_version: u32,
    /// The document's identifier; identifiers sort by creation.
    pub id: DocumentId,
    /// Its owner.
    pub account_id: AccountId,
    /// Its name.
    pub filename: Filename,
    /// The media type of its current version.
    pub content_type: String,
    /// The size in bytes of its current version.
    pub size_bytes: u64,
    /// The folder it lies in.
    pub folder_id: String,
    /// The group it belongs to.
    pub group_id: Option<String>,
    /// The version that downloads and processing use.
    pub current_version_id: Option<VersionId>,
    /// How many versions it has.
    pub version_count: u32,
    /// How it came into the library.
    pub source: DocumentSource,
    /// Where it stands.
    pub status: DocumentStatus,
    /// Its tags, sorted.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether the words of its recognised text are indexed.
    #[serde(default)]
    pub ocr_indexed: bool,
    /// Raised by each change: a change holds only for the revision that it was made from.
    pub revision: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Document {
    /// The present form of the record.
    pub const RECORD_VERSION: u32 = 1;
}

/// A version of a saved document. Versions are never overwritten.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Version of this record's form.
    pub record_version: u32,
    /// The version's identifier; identifiers sort by creation.
    pub id: VersionId,
    /// The document it is a version of.
    pub document_id: DocumentId,
    /// Its owner.
    pub account_id: AccountId,
    /// Its place among the document's versions, from 1 on.
    pub number: u32,
    /// The name it came with.
    pub filename: Filename,
    /// The media type.
    pub content_type: String,
    /// The size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub sha256: String,
    /// The entity tag of the stored object, so that a job reads this very object.
    pub etag: String,
    /// How many pages it has; `None` until a job has looked.
    pub page_count: Option<u32>,
    /// How large its first pages are, at most [`super::SIZES_IN_RECORD`]; none until a job has looked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub page_sizes: Vec<PageSize>,
    /// How it came to be.
    pub source: DocumentSource,
    /// The job that made it.
    pub job_id: Option<JobId>,
    /// What that job did.
    pub operation: Option<String>,
    /// The version that it was made from.
    pub parent_version_id: Option<VersionId>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Version {
    /// The present form of the record.
    pub const RECORD_VERSION: u32 = 1;

    /// The pages from `first` (from 1 on), at most `count`; none while nobody knows how many there are. Those behind
    /// [`super::SIZES_IN_RECORD`] come without their sizes.
    pub fn pages(&self, first: u32, count: u32) -> impl Iterator<Item = Page> {
        self.pages_of_sizes(first, count, &self.page_sizes)
    }

    /// The same with the sizes of all pages, in order.
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
