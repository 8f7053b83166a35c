//! Shapes of the upload route.

use std::collections::BTreeMap;

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::format::Format;
use domain::id::SourceKey;
use domain::operation::is_worked_on;
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Body of `POST /files/upload`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AuthorizeUpload {
    /// The name of the file.
    pub filename: Filename,
    /// The media type that it will be uploaded with.
    #[schemars(length(min = 1, max = 120), extend("pattern" = "^[ -~]*/[ -~]*$"))]
    pub content_type: String,
    /// The exact size in bytes.
    pub size_bytes: u64,
}

impl AuthorizeUpload {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or out of bounds.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        match no_media_type(&request.content_type) {
            Some(fault) => Err(vec![fault]),
            None => Ok(request),
        }
    }

    /// Whether this service reads such files: a known media type, or an unspecific one with a known extension.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        let unspecific = self
            .content_type
            .eq_ignore_ascii_case("application/octet-stream");
        let known_name = || {
            self.filename
                .extension()
                .is_some_and(|name| Format::from_extension(&name).is_some_and(is_worked_on))
        };
        let known_type = Format::from_mime_type(&self.content_type).is_some_and(is_worked_on);
        known_type || (unspecific && known_name())
    }
}

/// What is wrong with the member `contentType` of a request, when that is no media type.
pub(crate) fn no_media_type(content_type: &str) -> Option<FieldError> {
    let plain = content_type
        .bytes()
        .all(|byte| (b' '..=b'~').contains(&byte));
    let right = plain && (1..=120).contains(&content_type.len()) && content_type.contains('/');
    (!right).then(|| {
        let message = "must be a media type such as application/pdf";
        FieldError::invalid("$.contentType", message)
    })
}

/// An authorised upload: send the bytes to `uploadUrl` with `method` and exactly these `headers`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadAuthorized {
    /// Where to send the bytes; works for 15 minutes and for one upload.
    pub upload_url: String,
    /// Names the file in later requests.
    pub source_key: SourceKey,
    /// When `uploadUrl` stops working, in Unix milliseconds.
    pub expires_at: Timestamp,
    /// Always `PUT`.
    pub method: String,
    /// Headers to send as they are.
    pub headers: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(content_type: &str, filename: &str) -> Result<bool, Vec<String>> {
        let body = json!({"filename": filename, "contentType": content_type, "sizeBytes": 1});
        AuthorizeUpload::read(&body)
            .map(|request| request.is_supported())
            .map_err(|faults| faults.into_iter().map(|fault| fault.path).collect())
    }

    #[test]
    fn known_types_and_known_names_are_supported() {
        assert_eq!(read("application/pdf", "whatever"), Ok(true));
        assert_eq!(read("application/octet-stream", "a.docx"), Ok(true));
        assert_eq!(read("application/octet-stream", "a.exe"), Ok(false));
        assert_eq!(read("application/json", "a.json"), Ok(false));
        assert_eq!(read("application/x-msdownload", "a.pdf"), Ok(false));
    }

    #[test]
    fn a_type_that_could_break_a_header_is_refused() {
        for bad in ["", "pdf", "a/b\r\nx: y", &format!("a/{}", "b".repeat(120))] {
            assert_eq!(
                read(bad, "a.pdf"),
                Err(vec!["$.contentType".into()]),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn sizes_are_whole_and_not_negative() {
        for bad in [json!(-1), json!(1.5), json!(1e24), json!("1"), json!(null)] {
            let body =
                json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": bad});
            assert_eq!(
                AuthorizeUpload::read(&body).unwrap_err()[0].path,
                "$.sizeBytes"
            );
        }
    }
}
