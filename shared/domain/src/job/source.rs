//! Where the documents of a job come from.

use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::id::{DocumentId, SourceKey, VersionId};
use crate::source::SourceUrl;

/// What a job is done to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JobSource {
    /// What a client uploaded.
    Upload(UploadedSource),
    /// A public file, which the processor fetches.
    Remote(RemoteSource),
    /// A version of a saved document.
    Version(VersionSource),
    /// A public web page, which a browser loads.
    WebPage(WebPageSource),
}

impl JobSource {
    /// The size in bytes, where accepting has seen it.
    #[must_use]
    pub fn known_size(&self) -> Option<u64> {
        match self {
            Self::Upload(upload) => Some(upload.size_bytes),
            Self::Version(version) => Some(version.size_bytes),
            Self::Remote(_) | Self::WebPage(_) => None,
        }
    }
}

/// A file at a URL, as it is when the processor fetches it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteSource {
    /// Where it is.
    pub url: SourceUrl,
}

/// A web page, as it is when the browser loads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebPageSource {
    /// Where it is.
    pub web_page: SourceUrl,
}

/// The content of a saved document's version, as it was when the job was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionSource {
    /// The document.
    pub document: DocumentId,
    /// Its version.
    pub version: VersionId,
    /// The object's entity tag, so that the job reads this very object.
    pub etag: String,
    /// The object's size in bytes.
    pub size_bytes: u64,
}

/// An upload, as it was when the job was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadedSource {
    /// The upload.
    pub key: SourceKey,
    /// The object's entity tag, so that the job reads this very object.
    pub etag: String,
    /// The object's size in bytes.
    pub size_bytes: u64,
}

/// A file that a step needs beside the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// The place of the step, from 0.
    pub step: usize,
    /// What it claims to be.
    pub format: Format,
    /// Where it is.
    pub source: JobSource,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;

    #[test]
    fn each_kind_of_source_reads_back_and_no_url_is_printed() {
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
