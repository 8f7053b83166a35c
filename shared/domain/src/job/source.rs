//! The sources of a job's documents.

use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::id::{DocumentId, SourceKey, VersionId};
use crate::source::SourceUrl;

/// Source of a job's document or attachment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JobSource {
    /// An upload of the client.
    Upload(UploadedSource),
    /// A public file, fetched by the processor.
    Remote(RemoteSource),
    /// A version of a saved document.
    Version(VersionSource),
    /// A public web page, loaded by a browser.
    WebPage(WebPageSource),
}

impl JobSource {
    /// Returns the size in bytes if it was determined at acceptance.
    #[must_use]
    pub fn known_size(&self) -> Option<u64> {
        match self {
            Self::Upload(upload) => Some(upload.size_bytes),
            Self::Version(version) => Some(version.size_bytes),
            Self::Remote(_) | Self::WebPage(_) => None,
        }
    }
}

/// A file at a URL, fetched by the processor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteSource {
    /// The URL.
    pub url: SourceUrl,
}

/// A web page, loaded by a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebPageSource {
    /// The URL.
    pub web_page: SourceUrl,
}

/// A version of a saved document, as of the acceptance of the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionSource {
    /// The document.
    pub document: DocumentId,
    /// The version.
    pub version: VersionId,
    /// Entity tag of the object, so that the job reads exactly this content.
    pub etag: String,
    /// Size of the object in bytes.
    pub size_bytes: u64,
}

/// An upload, as of the acceptance of the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadedSource {
    /// The upload.
    pub key: SourceKey,
    /// Entity tag of the object, so that the job reads exactly this content.
    pub etag: String,
    /// Size of the object in bytes.
    pub size_bytes: u64,
}

/// A file that a step uses in addition to the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Index of the step, from 0.
    pub step: usize,
    /// Declared format.
    pub format: Format,
    /// Where the file is.
    pub source: JobSource,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;

    #[test]
    fn every_source_round_trips_and_no_url_is_printed() {
        let upload = UploadedSource {
            key: SourceKey::mint(Timestamp(1), 1),
            etag: "\"1\"".to_owned(),
            size_bytes: 7,
        };
        let url = SourceUrl::new("https://files.example/a.pdf?token=hidden");
        let sources = [
            JobSource::Upload(upload),
            JobSource::Remote(RemoteSource { url }),
        ];
        for source in sources {
            let text = serde_json::to_string(&source).unwrap();
            assert_eq!(serde_json::from_str::<JobSource>(&text).unwrap(), source);
            assert!(!format!("{source:?}").contains("hidden"));
        }
    }
}
