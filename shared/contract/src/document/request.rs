//! Bodies of the library routes.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::library::{Change, InvalidTags, read_tags};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::upload::media_type_error;

/// Maximum length of an import's filename in characters.
const MAX_FILENAME: usize = 180;

/// Maximum length of folder, group and media type in characters.
const MAX_NAME: usize = 120;
/// Text without control characters.
const NAME_PATTERN: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";

// `Debug` omits the URL, whose query may contain a secret.
/// Body of `POST /documents/import`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ImportDocument {
    /// Public HTTPS URL of the file.
    #[schemars(length(max = 2048), extend("format" = "uri"))]
    pub url: String,
    /// Name of the document. Default: from the response of the server, or the last segment of the URL.
    #[schemars(with = "String", length(min = 1, max = 180))]
    pub filename: Option<Filename>,
    /// Media type of the file, if its content is ambiguous. It must not contradict the content.
    #[schemars(with = "String", length(min = 1, max = 120), extend("pattern" = "^[ -~]*/[ -~]*$"))]
    pub content_type: Option<String>,
    /// Folder of the document. Default: `root`.
    #[schemars(with = "String", length(min = 1, max = 120), extend("pattern" = NAME_PATTERN))]
    pub folder_id: Option<String>,
    /// Group of the document. Default: none.
    #[schemars(with = "String", length(min = 1, max = 120), extend("pattern" = NAME_PATTERN))]
    pub group_id: Option<String>,
}

impl std::fmt::Debug for ImportDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ImportDocument({:?}, ***)", self.filename)
    }
}

impl ImportDocument {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member. The SSRF guard checks the URL.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let filename = body.get("filename").and_then(Value::as_str);
        let errors: Vec<_> = [
            at_most("filename", filename, MAX_FILENAME),
            request.content_type.as_deref().and_then(media_type_error),
            named("folderId", request.folder_id.as_deref()),
            named("groupId", request.group_id.as_deref()),
        ]
        .into_iter()
        .flatten()
        .collect();
        result(request, errors)
    }
}

/// Body of `PATCH /documents/{documentId}`. Omitted members stay unchanged.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ChangeDocument {
    /// New name.
    #[schemars(with = "String", length(min = 1, max = 255))]
    pub filename: Option<Filename>,
    /// New folder.
    #[schemars(with = "String", length(min = 1, max = 120), extend("pattern" = NAME_PATTERN))]
    pub folder_id: Option<String>,
    /// New group; `null` removes the document from its group.
    #[schemars(with = "Option<String>", length(min = 1, max = 120), extend("pattern" = NAME_PATTERN))]
    pub group_id: Option<Option<String>>,
    /// New tags: 1 to 50 characters each, without commas. They are converted to lower case, sorted, and deduplicated.
    #[schemars(
        with = "Vec<String>",
        length(max = 50),
        inner(
            length(min = 1, max = 50),
            regex(
                pattern = r"^[^,\x00-\x1f\x7f-\x9f]*[^,\x00-\x1f\x7f-\x9f\s][^,\x00-\x1f\x7f-\x9f]*$"
            )
        )
    )]
    pub tags: Option<Vec<String>>,
    /// `archived` archives the document, `ready` restores it.
    #[schemars(with = "ChangedStatus")]
    pub status: Option<ChangedStatus>,
}

/// A status that the owner can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangedStatus {
    /// Archived: listed only with `status=archived`.
    Archived,
    /// Not archived.
    Ready,
}

impl ChangeDocument {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown or invalid member.
    pub fn read(body: &Value) -> Result<Change, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let group = request.group_id.as_ref().and_then(Option::as_deref);
        let tags = request.tags.as_deref().map(read_tags).transpose();
        let errors: Vec<_> = [
            named("folderId", request.folder_id.as_deref()),
            named("groupId", group),
            tags.as_ref().err().copied().map(invalid_tags),
        ]
        .into_iter()
        .flatten()
        .collect();
        let change = Change {
            filename: request.filename,
            folder_id: request.folder_id,
            group_id: request.group_id,
            tags: tags.ok().flatten(),
            archived: request
                .status
                .map(|status| status == ChangedStatus::Archived),
        };
        result(change, errors)
    }
}

fn result<T>(request: T, errors: Vec<FieldError>) -> Result<T, Vec<FieldError>> {
    if errors.is_empty() {
        Ok(request)
    } else {
        Err(errors)
    }
}

fn at_most(member: &str, text: Option<&str>, most: usize) -> Option<FieldError> {
    let long = text?.chars().count() > most;
    long.then(|| {
        FieldError::invalid(
            format!("$.{member}"),
            format!("must be at most {most} characters"),
        )
    })
}

fn named(member: &str, text: Option<&str>) -> Option<FieldError> {
    let text = text?;
    let right = (1..=MAX_NAME).contains(&text.chars().count()) && !text.contains(char::is_control);
    (!right).then(|| {
        let message = "must be 1 to 120 characters without control characters";
        FieldError::invalid(format!("$.{member}"), message)
    })
}

fn invalid_tags(invalid: InvalidTags) -> FieldError {
    let path = match invalid {
        InvalidTags::Tag(place) => format!("$.tags[{place}]"),
        InvalidTags::TooMany => "$.tags".to_owned(),
    };
    FieldError::invalid(path, invalid.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn errors<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<String> {
        let paths = read.unwrap_err().into_iter().map(|error| error.path);
        paths.collect()
    }

    fn import(member: &str, value: Value) -> Result<ImportDocument, Vec<FieldError>> {
        let mut body = json!({"url": "https://example.org/a.pdf"});
        body[member] = value;
        ImportDocument::read(&body)
    }

    #[test]
    fn an_import_requires_the_url_only() {
        assert!(import("url", json!("https://example.org/a")).is_ok());
        assert_eq!(errors(ImportDocument::read(&json!({}))), ["$.url"]);
        assert_eq!(errors(import("url", json!(7))), ["$.url"]);
        assert_eq!(errors(import("tags", json!([]))), ["$.tags"]);
    }

    #[test]
    fn members_of_an_import_have_bounds() {
        assert!(import("filename", json!("x".repeat(180))).is_ok());
        assert_eq!(
            errors(import("filename", json!("x".repeat(181)))),
            ["$.filename"]
        );
        let padded = |length: usize| format!("text/{}", "x".repeat(length - 5));
        assert!(import("contentType", json!(padded(120))).is_ok());
        for bad in [json!(padded(121)), json!("pdf"), json!("text/\u{fc}")] {
            assert_eq!(errors(import("contentType", bad)), ["$.contentType"]);
        }
        for member in ["contentType", "folderId", "groupId"] {
            assert!(member == "contentType" || import(member, json!("x".repeat(120))).is_ok());
            for bad in [
                json!("x".repeat(121)),
                json!(""),
                json!("a\nb"),
                json!(null),
                json!(1),
            ] {
                assert_eq!(errors(import(member, bad)), [format!("$.{member}")]);
            }
        }
    }

    #[test]
    fn an_update_keeps_omitted_members() {
        assert_eq!(ChangeDocument::read(&json!({})), Ok(Change::default()));
        let change = ChangeDocument::read(&json!({"groupId": null, "status": "ready"})).unwrap();
        assert_eq!(change.group_id, Some(None));
        assert_eq!(change.archived, Some(false));
        let change = ChangeDocument::read(&json!({"tags": ["B", "a", "b"]})).unwrap();
        assert_eq!(change.tags.unwrap(), ["a", "b"]);
    }

    #[test]
    fn errors_of_an_update_have_the_json_path() {
        for (body, path) in [
            (json!({"colour": 1}), "$.colour"),
            (json!({"filename": null}), "$.filename"),
            (json!({"filename": ".."}), "$.filename"),
            (json!({"folderId": null}), "$.folderId"),
            (json!({"folderId": ""}), "$.folderId"),
            (json!({"groupId": ""}), "$.groupId"),
            (json!({"tags": ["a", "b,c"]}), "$.tags[1]"),
            (json!({"tags": "a"}), "$.tags"),
            (json!({"status": "processing"}), "$.status"),
            (json!([]), "$"),
        ] {
            assert_eq!(errors(ChangeDocument::read(&body)), [path]);
        }
        let many: Vec<String> = (0..51).map(|n| n.to_string()).collect();
        assert_eq!(
            errors(ChangeDocument::read(&json!({"tags": many}))),
            ["$.tags"]
        );
    }
}
