//! Sources: what a client uploaded or where its document is, and which format it is taken for.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::field::FieldError;
use crate::filename::Filename;
use crate::format::Format;
use crate::id::{AccountId, DocumentId, JobId, SourceKey, VersionId};

/// The URL of a remote source, as the client wrote it; the guard of outgoing requests judges it. Prints as `***`: its
/// query may be a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceUrl(String);

impl SourceUrl {
    /// Takes a URL.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self(url.to_owned())
    }

    /// The whole URL.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SourceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SourceUrl(***)")
    }
}

/// What the guard of outgoing requests finds wrong with the text of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UrlRefusal {
    /// It is no URL, too long, or its scheme is not one that may be fetched (the API's `invalid_url`).
    #[error("the URL is not valid")]
    Invalid,
    /// It names a place that may not be reached (the API's `url_blocked`).
    #[error("the URL is not allowed")]
    Blocked,
}

/// The fault of a member that names a source which is unknown, another account's, or was never uploaded: never told apart.
#[must_use]
pub fn unavailable(path: impl Into<String>) -> FieldError {
    let message = "names no uploaded file of this account";
    FieldError::new(path, "source_unavailable", message)
}

/// What the names of all objects of an account begin with: its uploads, the results of its jobs, its saved documents, and
/// what the steps of its pipelines left.
#[must_use]
pub fn account_objects(account: &AccountId) -> [String; 4] {
    ["uploads", "results", "documents", "steps"].map(|kind| format!("{kind}/{account}/"))
}

/// Where an account's upload lies in the object store.
#[must_use]
pub fn upload_object(account: &AccountId, source: &SourceKey) -> String {
    format!("uploads/{account}/{source}")
}

/// Where one attempt's result lies in the object store. A stale worker writes under another attempt.
#[must_use]
pub fn result_object(account: &AccountId, job: &JobId, attempt: u32, name: &str) -> String {
    format!("results/{account}/{job}/{attempt}/{name}")
}

/// What the names of a saved document's objects begin with.
#[must_use]
pub fn document_objects(account: &AccountId, document: &DocumentId) -> String {
    format!("documents/{account}/{document}/")
}

/// Where the content of a version lies in the object store. Beside it there is room for what is made from it.
#[must_use]
pub fn version_object(account: &AccountId, document: &DocumentId, version: &VersionId) -> String {
    format!("{}{version}/content", document_objects(account, document))
}

/// Where the sizes of all pages of a version lie in the object store, as a JSON array of `[width, height]`: only where there
/// are more than its record holds.
#[must_use]
pub fn pages_object(account: &AccountId, document: &DocumentId, version: &VersionId) -> String {
    format!("{}{version}/pages", document_objects(account, document))
}

/// The format that a source claims to have: what the request says, else the type it was uploaded with, else its
/// extension. Plain text is said of so many formats that there the extension counts first.
#[must_use]
pub fn claimed_format(
    stated: Option<Format>,
    content_type: &str,
    filename: &Filename,
) -> Option<Format> {
    let by_type = Format::from_mime_type(content_type);
    let by_name = filename
        .extension()
        .and_then(|extension| Format::from_extension(&extension));
    stated
        .or(by_type.filter(|format| *format != Format::Txt))
        .or(by_name)
        .or(by_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_outright_counts_most() {
        let name = Filename::try_from("table.csv".to_owned()).unwrap();
        assert_eq!(
            claimed_format(Some(Format::Ods), "application/pdf", &name),
            Some(Format::Ods)
        );
        assert_eq!(
            claimed_format(None, "application/pdf", &name),
            Some(Format::Pdf)
        );
        assert_eq!(claimed_format(None, "text/plain", &name), Some(Format::Csv));
        assert_eq!(
            claimed_format(None, "application/octet-stream", &name),
            Some(Format::Csv)
        );
        let bare = Filename::try_from("README".to_owned()).unwrap();
        assert_eq!(claimed_format(None, "text/plain", &bare), Some(Format::Txt));
        assert_eq!(
            claimed_format(None, "application/octet-stream", &bare),
            None
        );
    }
}
