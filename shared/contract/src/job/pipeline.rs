//! Schemas of `POST /pipeline`.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::job::Job;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{JobCreated, MAX_OPERATIONS, OPERATIONS_BYTES, SavedDocumentJobCreated};

/// Maximum length of a pipeline's filename in characters.
const MAX_FILENAME: usize = 180;

/// Body of `POST /pipeline`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(extend("dependentRequired" = {"versionId": ["documentId"]}))]
#[schemars(transform = field::without_null)]
pub struct CreatePipeline {
    /// The `sourceKey` of an upload. Required.
    pub source_key: String,
    /// Operations to apply, in order.
    #[schemars(with = "Vec<Map<String, Value>>", length(min = 1, max = 8))]
    pub steps: Vec<Value>,
    /// Saved document that receives the result as a new version. Requires the scope `documents:read`. Default: the result is
    /// not saved in the library.
    pub document_id: Option<String>,
    /// Version of the document from which the result is derived: the parent of the new version. Default: the current version.
    pub version_id: Option<String>,
    /// File name of the source; the result is named after it. Default: `document` with the extension of the format.
    #[schemars(with = "String", length(min = 1, max = 180))]
    pub filename: Option<Filename>,
}

impl CreatePipeline {
    /// Parses the body of `POST /pipeline`.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member. The steps are validated later.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let steps = check_steps(&request.steps, body);
        let named = body.get("filename").and_then(Value::as_str);
        let too_long = named.is_some_and(|name| name.chars().count() > MAX_FILENAME);
        let filename = too_long.then(|| {
            let message = format!("must be at most {MAX_FILENAME} characters");
            FieldError::invalid("$.filename", message)
        });
        let without_document = request.version_id.is_some() && request.document_id.is_none();
        let document = without_document.then(|| {
            let message = "is required when versionId is given";
            FieldError::new("$.documentId", "missing_field", message)
        });
        let errors: Vec<_> = steps.into_iter().chain(filename).chain(document).collect();
        if errors.is_empty() {
            Ok(request)
        } else {
            Err(errors)
        }
    }
}

fn check_steps(steps: &[Value], body: &Value) -> Option<FieldError> {
    let bytes = body.get("steps").map_or(0, |steps| steps.to_string().len());
    let message = if !(1..=MAX_OPERATIONS).contains(&steps.len()) {
        format!("must be 1 to {MAX_OPERATIONS} steps")
    } else if bytes > OPERATIONS_BYTES {
        format!("must be at most {OPERATIONS_BYTES} bytes")
    } else {
        return None;
    };
    Some(FieldError::invalid("$.steps", message))
}

/// An accepted pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PipelineCreated {
    /// The result becomes a version of a saved document.
    Saved(SavedDocumentJobCreated),
    /// The result is not saved in the library.
    Alone(JobCreated),
}

impl PipelineCreated {
    /// Creates the response for `job`.
    #[must_use]
    pub fn of(job: &Job, created: bool) -> Self {
        match &job.document {
            Some(work) => Self::Saved(SavedDocumentJobCreated::of(job, work, created)),
            None => Self::Alone(JobCreated::of(job, created)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body() -> Value {
        json!({"sourceKey": "src_1", "steps": [{"operation": "ocr"}]})
    }

    fn with(name: &str, value: Value) -> Value {
        let mut body = body();
        body[name] = value;
        body
    }

    fn errors(body: &Value) -> Vec<(String, String)> {
        let errors = CreatePipeline::read(body).unwrap_err().into_iter();
        errors.map(|error| (error.path, error.code)).collect()
    }

    #[test]
    fn the_minimal_and_the_maximal_body_are_valid() {
        let request = CreatePipeline::read(&body()).unwrap();
        assert_eq!((request.filename, request.document_id), (None, None));
        let step = json!({"operation": "ocr"});
        let largest = json!({
            "sourceKey": "src_1", "steps": vec![step; 8], "documentId": "doc_1", "versionId": "ver_1",
            "filename": "n".repeat(180),
        });
        assert!(CreatePipeline::read(&largest).is_ok());
    }

    #[test]
    fn errors_have_the_json_path() {
        let invalid = |path: &str| (path.to_owned(), "invalid_value".to_owned());
        let missing = |path: &str| (path.to_owned(), "missing_field".to_owned());
        assert_eq!(
            errors(&json!({})),
            [missing("$.sourceKey"), missing("$.steps")]
        );
        for name in ["format", "url", "metadata", "operations", "pipeline"] {
            let unknown = (format!("$.{name}"), "unknown_field".to_owned());
            assert_eq!(errors(&with(name, json!(1))), [unknown]);
        }
        for (name, value) in [
            ("sourceKey", json!(null)),
            ("steps", json!({})),
            ("steps", json!([])),
            ("steps", json!(vec![json!({"operation": "ocr"}); 9])),
            ("steps", json!(["x".repeat(OPERATIONS_BYTES)])),
            ("documentId", json!(null)),
            ("documentId", json!(7)),
            ("filename", json!("")),
            ("filename", json!("n".repeat(181))),
        ] {
            let path = format!("$.{name}");
            assert_eq!(errors(&with(name, value)), [invalid(&path)]);
        }
        let alone = with("versionId", json!("ver_1"));
        assert_eq!(errors(&alone), [missing("$.documentId")]);
    }
}
