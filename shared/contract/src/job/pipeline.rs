//! Shapes of `POST /pipeline`.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::job::Job;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{JobCreated, MAX_OPERATIONS, OPERATIONS_BYTES, SavedDocumentJobCreated};

/// Longest name of a pipeline's source, in characters.
const MOST_FILENAME: usize = 180;

/// Body of `POST /pipeline`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(extend("dependentRequired" = {"versionId": ["documentId"]}))]
#[schemars(transform = field::without_null)]
pub struct CreatePipeline {
    /// The `sourceKey` of an upload.
    pub source_key: String,
    /// What is done to it, in order.
    #[schemars(with = "Vec<Map<String, Value>>", length(min = 1, max = 8))]
    pub steps: Vec<Value>,
    /// The saved document that the result becomes a version of.
    pub document_id: Option<String>,
    /// The version of it that the result is made from; the current one when not given.
    pub version_id: Option<String>,
    /// The name of the source, which the result is named after; `document` with the extension of its type when not given.
    #[schemars(with = "String", length(min = 1, max = 180))]
    pub filename: Option<Filename>,
}

impl CreatePipeline {
    /// Reads the body of `POST /pipeline`.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or too large. What the steps say is judged later.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let steps = misfit_of_steps(&request.steps, body);
        let named = body.get("filename").and_then(Value::as_str);
        let too_long = named.is_some_and(|name| name.chars().count() > MOST_FILENAME);
        let filename = too_long.then(|| {
            let message = format!("must be at most {MOST_FILENAME} characters");
            FieldError::invalid("$.filename", message)
        });
        let without_document = request.version_id.is_some() && request.document_id.is_none();
        let document = without_document.then(|| {
            let message = "is required where versionId is given";
            FieldError::new("$.documentId", "missing_field", message)
        });
        let faults: Vec<_> = steps.into_iter().chain(filename).chain(document).collect();
        if faults.is_empty() {
            Ok(request)
        } else {
            Err(faults)
        }
    }
}

fn misfit_of_steps(steps: &[Value], body: &Value) -> Option<FieldError> {
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

/// The answer to an accepted pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PipelineCreated {
    /// Its result becomes a version of a saved document.
    Saved(SavedDocumentJobCreated),
    /// Its result stands by itself.
    Alone(JobCreated),
}

impl PipelineCreated {
    /// The answer for `job`.
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

    fn faults(body: &Value) -> Vec<(String, String)> {
        let faults = CreatePipeline::read(body).unwrap_err().into_iter();
        faults.map(|fault| (fault.path, fault.code)).collect()
    }

    #[test]
    fn the_smallest_and_the_largest_body_are_read() {
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
    fn each_fault_is_named_by_its_path() {
        let invalid = |path: &str| (path.to_owned(), "invalid_value".to_owned());
        let missing = |path: &str| (path.to_owned(), "missing_field".to_owned());
        assert_eq!(
            faults(&json!({})),
            [missing("$.sourceKey"), missing("$.steps")]
        );
        for name in ["format", "url", "metadata", "operations", "pipeline"] {
            let unknown = (format!("$.{name}"), "unknown_field".to_owned());
            assert_eq!(faults(&with(name, json!(1))), [unknown]);
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
            assert_eq!(faults(&with(name, value)), [invalid(&path)]);
        }
        let alone = with("versionId", json!("ver_1"));
        assert_eq!(faults(&alone), [missing("$.documentId")]);
    }
}
