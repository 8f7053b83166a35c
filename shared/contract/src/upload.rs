//! Schemas of the upload route.

use std::collections::BTreeMap;

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::format::Format;
use domain::id::SourceKey;
use domain::operation::is_supported_input;
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Body of `POST /files/upload`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AuthorizeUpload {
    /// File name, such as `report.pdf`.
    pub filename: Filename,
    /// Media type of the file. The upload must have the same `Content-Type`.
    #[schemars(length(min = 1, max = 120), extend("pattern" = "^[ -~]*/[ -~]*$"))]
    pub content_type: String,
    /// Exact size of the file in bytes.
    pub size_bytes: u64,
}

impl AuthorizeUpload {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        match media_type_error(&request.content_type) {
            Some(error) => Err(vec![error]),
            None => Ok(request),
        }
    }

    /// Whether the file type is supported: a known media type, or an unspecific one with a known extension.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        let unspecific = self
            .content_type
            .eq_ignore_ascii_case("application/octet-stream");
        let known_name = || {
            self.filename
                .extension()
                .is_some_and(|name| Format::from_extension(&name).is_some_and(is_supported_input))
        };
        let known_type = Format::from_mime_type(&self.content_type).is_some_and(is_supported_input);
        known_type || (unspecific && known_name())
    }
}

/// Returns the error if `contentType` is not a media type.
pub(crate) fn media_type_error(content_type: &str) -> Option<FieldError> {
    let plain = content_type
        .bytes()
        .all(|byte| (b' '..=b'~').contains(&byte));
    let is_media_type =
        plain && (1..=120).contains(&content_type.len()) && content_type.contains('/');
    (!is_media_type).then(|| {
        let message = "must be a media type such as application/pdf";
        FieldError::invalid("$.contentType", message)
    })
}

/// An upload authorization. Send the file to `uploadUrl` with `method` and exactly these `headers`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadAuthorized {
    /// Presigned URL, valid for 15 minutes and for one upload.
    pub upload_url: String,
    /// Key of the upload, for `sourceKey` in later requests.
    pub source_key: SourceKey,
    /// Expiry of `uploadUrl`, in Unix milliseconds.
    pub expires_at: Timestamp,
    /// HTTP method of the upload: always `PUT`.
    pub method: String,
    /// Headers of the upload, to be sent unchanged.
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
            .map_err(|errors| errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn known_types_and_known_names_are_supported() {
        assert_eq!(read("application/pdf", "whatever"), Ok(true));
        assert_eq!(read("application/octet-stream", "a.docx"), Ok(true));
        assert_eq!(read("application/octet-stream", "a.XLSM"), Ok(true));
        let presentation = "application/vnd.ms-powerpoint.slideshow.macroEnabled.12";
        assert_eq!(read(presentation, "whatever"), Ok(true));
        assert_eq!(read("application/octet-stream", "a.exe"), Ok(false));
        assert_eq!(read("application/json", "a.json"), Ok(false));
        assert_eq!(read("application/x-msdownload", "a.pdf"), Ok(false));
    }

    #[test]
    fn a_media_type_with_header_injection_is_rejected() {
        for bad in ["", "pdf", "a/b\r\nx: y", &format!("a/{}", "b".repeat(120))] {
            assert_eq!(
                read(bad, "a.pdf"),
                Err(vec!["$.contentType".into()]),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn sizes_are_non_negative_integers() {
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
