//! Bodies of the library's routes.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::library::{Change, InvalidTags, read_tags};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::upload::no_media_type;

/// Longest name of an import, in characters.
const MOST_FILENAME: usize = 180;

/// Longest name of a folder or a group, and longest media type, in characters.
const MOST_NAME: usize = 120;

/// Body of `POST /documents/import`. Prints without its URL, whose query may be a secret.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ImportDocument {
    /// The public HTTPS address of the file.
    #[schemars(length(max = 2048), extend("format" = "uri"))]
    pub url: String,
    /// Its name; without one, what its server or the address calls it.
    #[schemars(with = "String", length(min = 1, max = 180))]
    pub filename: Option<Filename>,
    /// Its media type, for bytes that do not tell; those that do must not contradict it.
    #[schemars(with = "String", length(min = 1, max = 120), extend("pattern" = "^[ -~]*/[ -~]*$"))]
    pub content_type: Option<String>,
    /// The folder to put it into; `root` when not given.
    #[schemars(with = "String", length(min = 1, max = 120))]
    pub folder_id: Option<String>,
    /// The group it belongs to.
    #[schemars(with = "String", length(min = 1, max = 120))]
    pub group_id: Option<String>,
}

impl std::fmt::Debug for ImportDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ImportDocument({:?}, ***)", self.filename)
    }
}

impl ImportDocument {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or out of bounds. The URL's form is judged by the guard of
    /// outgoing requests.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let filename = body.get("filename").and_then(Value::as_str);
        let faults: Vec<_> = [
            at_most("filename", filename, MOST_FILENAME),
            request.content_type.as_deref().and_then(no_media_type),
            named("folderId", request.folder_id.as_deref()),
            named("groupId", request.group_id.as_deref()),
        ]
        .into_iter()
        .flatten()
        .collect();
        all_right(request, faults)
    }
}

/// Body of `PATCH /documents/{documentId}`; what is left out stays as it is.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ChangeDocument {
    /// Another name.
    #[schemars(with = "String", length(min = 1, max = 255))]
    pub filename: Option<Filename>,
    /// Another folder.
    #[schemars(with = "String", length(min = 1, max = 120))]
    pub folder_id: Option<String>,
    /// Another group; `null` for none.
    #[schemars(with = "Option<String>", length(min = 1, max = 120))]
    pub group_id: Option<Option<String>>,
    /// Other tags: 1 to 50 characters each, no commas; kept in lower case, sorted, each once.
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
    /// `archived` puts the document away, `ready` takes it back.
    #[schemars(with = "ChangedStatus")]
    pub status: Option<ChangedStatus>,
}

/// The status that an owner may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangedStatus {
    /// Put away.
    Archived,
    /// Taken back.
    Ready,
}

impl ChangeDocument {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, of a wrong type or out of bounds.
    pub fn read(body: &Value) -> Result<Change, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let group = request.group_id.as_ref().and_then(Option::as_deref);
        let tags = request.tags.as_deref().map(read_tags).transpose();
        let faults: Vec<_> = [
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
        all_right(change, faults)
    }
}

fn all_right<T>(request: T, faults: Vec<FieldError>) -> Result<T, Vec<FieldError>> {
    if faults.is_empty() {
        Ok(request)
    } else {
        Err(faults)
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
    let right = (1..=MOST_NAME).contains(&text.chars().count()) && !text.contains(char::is_control);
    (!right).then(|| {
        let message = "must be 1 to 120 characters, none of them a control character";
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

    fn faults<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<String> {
        let paths = read.unwrap_err().into_iter().map(|fault| fault.path);
        paths.collect()
    }

    fn import(member: &str, value: Value) -> Result<ImportDocument, Vec<FieldError>> {
        let mut body = json!({"url": "https://example.org/a.pdf"});
        body[member] = value;
        ImportDocument::read(&body)
    }

    #[test]
    fn an_import_needs_its_url_alone() {
        assert!(import("url", json!("https://example.org/a")).is_ok());
        assert_eq!(faults(ImportDocument::read(&json!({}))), ["$.url"]);
        assert_eq!(faults(import("url", json!(7))), ["$.url"]);
        assert_eq!(faults(import("tags", json!([]))), ["$.tags"]);
    }

    #[test]
    fn members_of_an_import_have_bounds() {
        assert!(import("filename", json!("x".repeat(180))).is_ok());
        assert_eq!(
            faults(import("filename", json!("x".repeat(181)))),
            ["$.filename"]
        );
        let padded = |length: usize| format!("text/{}", "x".repeat(length - 5));
        assert!(import("contentType", json!(padded(120))).is_ok());
        for bad in [json!(padded(121)), json!("pdf"), json!("text/\u{fc}")] {
            assert_eq!(faults(import("contentType", bad)), ["$.contentType"]);
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
                assert_eq!(faults(import(member, bad)), [format!("$.{member}")]);
            }
        }
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        assert_eq!(ChangeDocument::read(&json!({})), Ok(Change::default()));
        let change = ChangeDocument::read(&json!({"groupId": null, "status": "ready"})).unwrap();
        assert_eq!(change.group_id, Some(None));
        assert_eq!(change.archived, Some(false));
        let change = ChangeDocument::read(&json!({"tags": ["B", "a", "b"]})).unwrap();
        assert_eq!(change.tags.unwrap(), ["a", "b"]);
    }

    #[test]
    fn faults_of_a_change_are_named_by_their_path() {
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
            assert_eq!(faults(ChangeDocument::read(&body)), [path]);
        }
        let many: Vec<String> = (0..51).map(|n| n.to_string()).collect();
        assert_eq!(
            faults(ChangeDocument::read(&json!({"tags": many}))),
            ["$.tags"]
        );
    }
}
