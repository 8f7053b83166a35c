//! Sources of documents: URLs, object keys, and the declared format.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::field::FieldError;
use crate::filename::Filename;
use crate::format::Format;
use crate::id::{AccountId, DocumentId, JobId, SourceKey, VersionId};

/// The URL of a remote source as sent by the client, not yet checked by the SSRF guard. `Debug` prints `***`, because the
/// query may contain a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceUrl(String);

impl SourceUrl {
    /// Wraps a URL.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self(url.to_owned())
    }

    /// Returns the full URL.
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

/// Why the SSRF guard rejects a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UrlError {
    /// Not a URL, too long, or of a scheme that is not supported (`invalid_url` in the API).
    #[error("the URL is not valid")]
    Invalid,
    /// The host must not be reached (`url_blocked` in the API).
    #[error("the URL is not allowed")]
    Blocked,
}

/// Creates the error for a source that is unknown, belongs to another account, or was never uploaded. The three cases are not
/// distinguished.
#[must_use]
pub fn unavailable(path: impl Into<String>) -> FieldError {
    let message = "is not an uploaded file of this account";
    FieldError::new(path, "source_unavailable", message)
}

/// Returns the key prefixes of all objects of an account: uploads, job results, saved documents, and artifacts of pipeline
/// steps.
#[must_use]
pub fn account_objects(account: &AccountId) -> [String; 4] {
    ["uploads", "results", "documents", "steps"].map(|kind| format!("{kind}/{account}/"))
}

/// Returns the object key of an upload.
#[must_use]
pub fn upload_object(account: &AccountId, source: &SourceKey) -> String {
    format!("uploads/{account}/{source}")
}

/// Returns the object key of the result of one attempt. A stale worker writes under another attempt number.
#[must_use]
pub fn result_object(account: &AccountId, job: &JobId, attempt: u32, name: &str) -> String {
    format!("results/{account}/{job}/{attempt}/{name}")
}

/// Returns the key prefix of a saved document.
#[must_use]
pub fn document_objects(account: &AccountId, document: &DocumentId) -> String {
    format!("documents/{account}/{document}/")
}

/// Returns the object key of a version's content. Derived objects share its prefix.
#[must_use]
pub fn version_object(account: &AccountId, document: &DocumentId, version: &VersionId) -> String {
    format!("{}{version}/content", document_objects(account, document))
}

/// Returns the object key of the page sizes of a version, a JSON array of `[width, height]`. It exists only if the version
/// has more pages than its record lists.
#[must_use]
pub fn pages_object(account: &AccountId, document: &DocumentId, version: &VersionId) -> String {
    format!("{}{version}/pages", document_objects(account, document))
}

/// Returns the declared format of a source: from the request, else from the media type of the upload, else from the file
/// extension. For `text/plain` the extension takes precedence, because clients use that type for many formats.
#[must_use]
pub fn declared_format(
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
    fn a_declared_format_has_precedence() {
        let name = Filename::try_from("table.csv".to_owned()).unwrap();
        assert_eq!(
            declared_format(Some(Format::Ods), "application/pdf", &name),
            Some(Format::Ods)
        );
        assert_eq!(
            declared_format(None, "application/pdf", &name),
            Some(Format::Pdf)
        );
        assert_eq!(
            declared_format(None, "text/plain", &name),
            Some(Format::Csv)
        );
        assert_eq!(
            declared_format(None, "application/octet-stream", &name),
            Some(Format::Csv)
        );
        let bare = Filename::try_from("README".to_owned()).unwrap();
        assert_eq!(
            declared_format(None, "text/plain", &bare),
            Some(Format::Txt)
        );
        assert_eq!(
            declared_format(None, "application/octet-stream", &bare),
            None
        );
    }
}
