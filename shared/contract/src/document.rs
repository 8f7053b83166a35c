//! Shapes of the library's routes.

mod process;
mod query;
mod request;

use std::collections::BTreeMap;

use domain::filename::Filename;
use domain::id::{DocumentId, JobId, PageId, VersionId};
use domain::library::{
    Document, DocumentSource, DocumentStatus, Found, Listed, MatchedBy, Page, SIZES_IN_RECORD,
    Version,
};
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use process::{ProcessDocument, ProcessOperation};
pub use query::{ListDocuments, ListPages, SearchDocuments};
pub use request::{ChangeDocument, ImportDocument};

use crate::BASE_PATH;

/// Most versions that a document's detail shows.
pub const SHOWN_VERSIONS: u32 = 20;

/// Most pages that a document's detail shows of one version: those whose sizes lie in its record.
pub const SHOWN_PAGES: u32 = SIZES_IN_RECORD;

/// A saved document, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "filename", "contentType", "sizeBytes", "folderId", "groupId", "currentVersionId", "versionCount", "source", "status", "tags", "createdAt", "updatedAt"]))]
pub struct DocumentSummary {
    /// The document.
    pub id: DocumentId,
    /// Its name.
    pub filename: Filename,
    /// The media type of its current version, told by its bytes.
    pub content_type: String,
    /// The size in bytes of its current version.
    pub size_bytes: u64,
    /// The folder it lies in; `root` where none was given.
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
    pub tags: Vec<String>,
    /// When it was created, in Unix milliseconds.
    pub created_at: Timestamp,
    /// When it last changed, in Unix milliseconds.
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

/// One page of the list of documents, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["documents", "count", "hasMore", "scanned", "nextCursor"]))]
pub struct DocumentList {
    /// The documents.
    pub documents: Vec<DocumentSummary>,
    /// How many they are.
    pub count: u32,
    /// Whether the list goes on. With filters a page may be short, or even empty, and the list go on all the same.
    pub has_more: bool,
    /// How many documents were examined to fill the page: at most 5,000.
    pub scanned: u32,
    /// Continues the list; `null` at its end.
    pub next_cursor: Option<String>,
}

impl DocumentList {
    /// The page `listed`, continued by `next_cursor`.
    #[must_use]
    pub fn of(listed: &Listed, next_cursor: Option<String>) -> Self {
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

/// One page of what a search found: first the documents with the words in their recognised text, then those found by name
/// or tags, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["documents", "count", "hasMore", "scanned", "nextCursor", "search"]))]
pub struct DocumentSearch {
    /// The documents.
    pub documents: Vec<DocumentSummary>,
    /// How many they are.
    pub count: u32,
    /// Whether there may be others. A page may be short, or even empty, all the same.
    pub has_more: bool,
    /// How many documents were examined: those behind the words' postings and those whose name and tags were looked at.
    pub scanned: u32,
    /// Continues the search; `null` at its end.
    pub next_cursor: Option<String>,
    /// How it was searched.
    pub search: SearchFacts,
}

/// How it was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["mode", "query", "tokens", "matched", "ocr"]))]
pub struct SearchFacts {
    /// Always `token`.
    #[schemars(extend("const" = "token"))]
    pub mode: String,
    /// The text looked for; `null` without one.
    pub query: Option<String>,
    /// Its words, case-folded: each has to equal or begin a word of the recognised text.
    pub tokens: Vec<String>,
    /// By what each document was found: `filename`, `ocr`, `tags`. Empty when no text was looked for.
    pub matched: BTreeMap<String, Vec<Matched>>,
    /// Among the documents examined, how many have recognised text.
    pub ocr: OcrFacts,
}

/// By what a document was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Matched {
    /// Its name holds the text.
    Filename,
    /// Its recognised text has every word.
    Ocr,
    /// Its tags have every word.
    Tags,
}

/// How many documents have recognised text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OcrFacts {
    /// Those that have.
    pub indexed: u32,
    /// Those that have not.
    pub missing: u32,
}

impl DocumentSearch {
    /// The page `found` of a search for `query` with the words `tokens`.
    #[must_use]
    pub fn of(
        found: &Found,
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
            search: SearchFacts {
                mode: "token".to_owned(),
                query,
                tokens,
                matched: matched.collect(),
                ocr: OcrFacts {
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

/// A document with its newest versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentDetail {
    /// The document.
    pub document: DocumentSummary,
    /// Its newest versions, the newest first; at most 20.
    pub versions: Vec<VersionResource>,
}

impl DocumentDetail {
    /// What is shown of `document` and its `versions`.
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
    /// The version.
    pub id: VersionId,
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
    /// How many pages it has; `null` until Octavo has looked into it, and for what has no pages: a PDF and an image have.
    pub page_count: Option<u32>,
    /// How it came to be.
    pub source: DocumentSource,
    /// The job that made it.
    pub job_id: Option<JobId>,
    /// What that job did.
    pub operation: Option<String>,
    /// The version that it was made from.
    pub parent_version_id: Option<VersionId>,
    /// When it was created, in Unix milliseconds.
    pub created_at: Timestamp,
    /// Its first pages, at most 100; none while `pageCount` is `null`.
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
    /// The page; the same for as long as its version is there.
    pub id: PageId,
    /// Its place, from 1 on.
    pub number: u32,
    /// Its width, in points or pixels; `null` until Octavo has measured it.
    pub width: Option<f64>,
    /// Its height, in points or pixels; `null` until Octavo has measured it.
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

/// Some pages of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["pages", "pageCount", "nextCursor"]))]
pub struct PageList {
    /// The pages, in order; none while `pageCount` is `null`.
    pub pages: Vec<PageResource>,
    /// How many pages the version has; `null` until Octavo has looked into it, and for what has no pages.
    pub page_count: Option<u32>,
    /// Continues the list; `null` at its end.
    pub next_cursor: Option<String>,
}

/// An imported document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "documentId", "versionId", "filename", "contentType", "sizeBytes", "folderId", "downloadUrl", "status"]))]
pub struct DocumentImported {
    /// The document; the same as `documentId`.
    pub id: DocumentId,
    /// The document.
    pub document_id: DocumentId,
    /// Its first version.
    pub version_id: VersionId,
    /// Its name.
    pub filename: Filename,
    /// Its media type, told by its bytes; what is claimed counts only where they do not tell.
    pub content_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// The group it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group_id: Option<String>,
    /// The folder it lies in.
    pub folder_id: String,
    /// Path of its download.
    pub download_url: String,
    /// Always `imported`.
    #[schemars(extend("const" = "imported"))]
    pub status: String,
}

impl DocumentImported {
    /// The answer for `document`, which began with `version`.
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

/// Path of a document's download.
#[must_use]
pub fn download_url(document: &DocumentId) -> String {
    format!("{BASE_PATH}/documents/{document}/download")
}

/// Path of a document.
#[must_use]
pub fn document_url(document: &DocumentId) -> String {
    format!("{BASE_PATH}/documents/{document}")
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}
