//! Schemas of the library routes.

mod process;
mod query;
mod request;

use std::collections::BTreeMap;

use domain::filename::Filename;
use domain::id::{DocumentId, JobId, PageId, VersionId};
use domain::library::{
    Document, DocumentSource, DocumentStatus, ListedDocuments, MatchedBy, Page, SIZES_IN_RECORD,
    SearchResults, Version,
};
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use process::{ProcessDocument, ProcessOperation};
pub use query::{ListDocuments, ListPages, SearchDocuments};
pub use request::{ChangeDocument, ImportDocument};

use crate::BASE_PATH;

/// Maximum number of versions in a document's detail.
pub const SHOWN_VERSIONS: u32 = 20;

/// Maximum number of pages per version in a document's detail: those whose sizes are in the version record.
pub const SHOWN_PAGES: u32 = SIZES_IN_RECORD;

/// A saved document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "filename", "contentType", "sizeBytes", "folderId", "groupId", "currentVersionId", "versionCount", "source", "status", "tags", "createdAt", "updatedAt"]))]
pub struct DocumentSummary {
    /// Identifier of the document.
    pub id: DocumentId,
    /// Name of the document.
    pub filename: Filename,
    /// Media type of the current version, detected from its content.
    pub content_type: String,
    /// Size of the current version in bytes.
    pub size_bytes: u64,
    /// Folder of the document. `root` if none was given.
    pub folder_id: String,
    /// Group of the document, or `null`.
    pub group_id: Option<String>,
    /// Identifier of the current version, which downloads and processing use.
    pub current_version_id: Option<VersionId>,
    /// Number of versions.
    pub version_count: u32,
    /// How the document was created.
    pub source: DocumentSource,
    /// Status of the document.
    pub status: DocumentStatus,
    /// Tags, sorted alphabetically.
    pub tags: Vec<String>,
    /// Time of creation, in Unix milliseconds.
    pub created_at: Timestamp,
    /// Time of the last change, in Unix milliseconds.
    pub updated_at: Timestamp,
}

impl From<&Document> for DocumentSummary {
    fn from(document: &Document) -> Self {
        Self {
            id: document.id.clone(),
            filename: document.filename.clone(),
            content_type: document.content_type.clone(),
            size_bytes: document.size_bytes,
            folder_id: document.folder_id.clone(),
            group_id: document.group_id.clone(),
            current_version_id: document.current_version_id.clone(),
            version_count: document.version_count,
            source: document.source,
            status: document.status,
            tags: document.tags.clone(),
            created_at: document.created_at,
            updated_at: document.updated_at,
        }
    }
}

/// A page of the list of documents, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["documents", "count", "hasMore", "scanned", "nextCursor"]))]
pub struct DocumentList {
    /// The documents.
    pub documents: Vec<DocumentSummary>,
    /// Number of documents on this page.
    pub count: u32,
    /// Whether there are more documents. With filters, a page may be short or empty although there are more.
    pub has_more: bool,
    /// Number of documents examined for this page, at most 5,000.
    pub scanned: u32,
    /// Cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

impl DocumentList {
    /// Creates the response from `listed`, continued by `next_cursor`.
    #[must_use]
    pub fn of(listed: &ListedDocuments, next_cursor: Option<String>) -> Self {
        let documents: Vec<_> = listed.documents.iter().map(Into::into).collect();
        Self {
            count: count(&documents),
            documents,
            has_more: next_cursor.is_some(),
            scanned: listed.scanned,
            next_cursor,
        }
    }
}

/// A page of search results: first documents whose recognized text matches, then documents whose name or tags match, newest
/// first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["documents", "count", "hasMore", "scanned", "nextCursor", "search"]))]
pub struct DocumentSearch {
    /// The documents.
    pub documents: Vec<DocumentSummary>,
    /// Number of documents on this page.
    pub count: u32,
    /// Whether there may be more results. A page may be short or empty although there are more.
    pub has_more: bool,
    /// Number of documents examined for this page.
    pub scanned: u32,
    /// Cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
    /// How the search was performed.
    pub search: SearchDetails,
}

/// How the search was performed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["mode", "query", "tokens", "matched", "ocr"]))]
pub struct SearchDetails {
    /// Always `token`.
    #[schemars(extend("const" = "token"))]
    pub mode: String,
    /// The search text; `null` if none was given.
    pub query: Option<String>,
    /// Words of the search text, case-folded. Each must be a prefix of a word of the recognized text.
    pub tokens: Vec<String>,
    /// For each document, by its identifier, what matched: `filename`, `ocr`, `tags`. Empty without a search text.
    pub matched: BTreeMap<String, Vec<Matched>>,
    /// How many of the examined documents have recognized text.
    pub ocr: OcrCounts,
}

/// What matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Matched {
    /// The name contains the search text.
    Filename,
    /// The recognized text contains every word.
    Ocr,
    /// The tags contain every word.
    Tags,
}

/// Number of examined documents with and without recognized text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OcrCounts {
    /// Documents with recognized text.
    pub indexed: u32,
    /// Documents without recognized text.
    pub missing: u32,
}

impl DocumentSearch {
    /// Creates the response from the results of a search for `query` with the words `tokens`.
    #[must_use]
    pub fn of(
        found: &SearchResults,
        query: Option<String>,
        tokens: Vec<String>,
        next_cursor: Option<String>,
    ) -> Self {
        let documents: Vec<_> = found
            .hits
            .iter()
            .map(|hit| (&hit.document).into())
            .collect();
        let matched = found.hits.iter().filter(|hit| !hit.matched.is_empty());
        let matched = matched.map(|hit| {
            let by = hit.matched.iter().copied().map(Matched::from).collect();
            (hit.document.id.to_string(), by)
        });
        Self {
            count: count(&documents),
            documents,
            has_more: next_cursor.is_some(),
            scanned: found.scanned,
            next_cursor,
            search: SearchDetails {
                mode: "token".to_owned(),
                query,
                tokens,
                matched: matched.collect(),
                ocr: OcrCounts {
                    indexed: found.indexed,
                    missing: found.scanned - found.indexed,
                },
            },
        }
    }
}

impl From<MatchedBy> for Matched {
    fn from(by: MatchedBy) -> Self {
        match by {
            MatchedBy::Filename => Self::Filename,
            MatchedBy::Ocr => Self::Ocr,
            MatchedBy::Tags => Self::Tags,
        }
    }
}

/// A document with its latest versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentDetail {
    /// The document.
    pub document: DocumentSummary,
    /// The latest versions, newest first, at most 20.
    pub versions: Vec<VersionResource>,
}

impl DocumentDetail {
    /// Creates the response from `document` and its `versions`.
    #[must_use]
    pub fn of(document: &Document, versions: &[Version]) -> Self {
        Self {
            document: document.into(),
            versions: versions.iter().map(Into::into).collect(),
        }
    }
}

/// A version of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "number", "filename", "contentType", "sizeBytes", "sha256", "pageCount", "source", "jobId", "operation", "parentVersionId", "createdAt", "pages"]))]
pub struct VersionResource {
    /// Identifier of the version.
    pub id: VersionId,
    /// Version number, from 1.
    pub number: u32,
    /// Original file name.
    pub filename: Filename,
    /// Media type.
    pub content_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the content, in lower-case hexadecimal.
    pub sha256: String,
    /// Number of pages of a PDF or image; `null` until the version has been inspected, and for other formats.
    pub page_count: Option<u32>,
    /// How the version was created.
    pub source: DocumentSource,
    /// Job that created the version, or `null`.
    pub job_id: Option<JobId>,
    /// Operation of that job, or `null`.
    pub operation: Option<String>,
    /// Version from which this one was created, or `null`.
    pub parent_version_id: Option<VersionId>,
    /// Time of creation, in Unix milliseconds.
    pub created_at: Timestamp,
    /// The first pages, at most 100. Empty while `pageCount` is `null`.
    pub pages: Vec<PageResource>,
}

impl From<&Version> for VersionResource {
    fn from(version: &Version) -> Self {
        Self {
            id: version.id.clone(),
            number: version.number,
            filename: version.filename.clone(),
            content_type: version.content_type.clone(),
            size_bytes: version.size_bytes,
            sha256: version.sha256.clone(),
            page_count: version.page_count,
            source: version.source,
            job_id: version.job_id.clone(),
            operation: version.operation.clone(),
            parent_version_id: version.parent_version_id.clone(),
            created_at: version.created_at,
            pages: version.pages(1, SHOWN_PAGES).map(Into::into).collect(),
        }
    }
}

/// A page of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["id", "number", "width", "height"]))]
pub struct PageResource {
    /// Identifier of the page. It never changes.
    pub id: PageId,
    /// Page number, from 1.
    pub number: u32,
    /// Width in points (PDF) or pixels (image); `null` until the page has been measured.
    pub width: Option<f64>,
    /// Height in points (PDF) or pixels (image); `null` until the page has been measured.
    pub height: Option<f64>,
}

impl From<Page> for PageResource {
    fn from(page: Page) -> Self {
        Self {
            id: page.id,
            number: page.number,
            width: page.size.map(|size| size.width),
            height: page.size.map(|size| size.height),
        }
    }
}

/// A list of pages of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["pages", "pageCount", "nextCursor"]))]
pub struct PageList {
    /// The pages in order. Empty while `pageCount` is `null`.
    pub pages: Vec<PageResource>,
    /// Number of pages of the version; `null` until it has been inspected, and for formats without pages.
    pub page_count: Option<u32>,
    /// Cursor of the next page of the list; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// An imported document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "documentId", "versionId", "filename", "contentType", "sizeBytes", "folderId", "downloadUrl", "status"]))]
pub struct DocumentImported {
    /// Identifier of the document, equal to `documentId`.
    pub id: DocumentId,
    /// Identifier of the document.
    pub document_id: DocumentId,
    /// Identifier of the first version.
    pub version_id: VersionId,
    /// Name of the document.
    pub filename: Filename,
    /// Media type, detected from the content. The declared type is used only if the content is ambiguous.
    pub content_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Group of the document, or `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group_id: Option<String>,
    /// Folder of the document.
    pub folder_id: String,
    /// Path of the download.
    pub download_url: String,
    /// Always `imported`.
    #[schemars(extend("const" = "imported"))]
    pub status: String,
}

impl DocumentImported {
    /// Creates the response for `document` with its first `version`.
    #[must_use]
    pub fn of(document: &Document, version: &Version) -> Self {
        Self {
            id: document.id.clone(),
            document_id: document.id.clone(),
            version_id: version.id.clone(),
            filename: document.filename.clone(),
            content_type: version.content_type.clone(),
            size_bytes: version.size_bytes,
            group_id: document.group_id.clone(),
            folder_id: document.folder_id.clone(),
            download_url: download_url(&document.id),
            status: "imported".to_owned(),
        }
    }
}

/// Returns the path of a document's download.
#[must_use]
pub fn download_url(document: &DocumentId) -> String {
    format!("{BASE_PATH}/documents/{document}/download")
}

/// Returns the path of a document.
#[must_use]
pub fn document_url(document: &DocumentId) -> String {
    format!("{BASE_PATH}/documents/{document}")
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}
