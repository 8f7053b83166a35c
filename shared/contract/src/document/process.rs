//! Body of the routes that process saved documents and pages.

use domain::field::{self, FieldError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::job::{MAX_OPERATIONS, OPERATIONS_BYTES};

/// Body of `POST /documents/{documentId}/process` and `POST /documents/{documentId}/pages/{pageId}/process`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ProcessDocument {
    /// Kind of processing.
    pub operation: ProcessOperation,
    /// Target format. Required for `convert`. Default for other operations: the format that the steps produce.
    pub format: Option<String>,
    /// Steps of a `pipeline` in order; alternative name of `steps`.
    #[schemars(with = "Vec<Map<String, Value>>", length(min = 1, max = 8))]
    pub pipeline: Option<Vec<Value>>,
    /// Steps of a `pipeline`, or operations of an `image`, in order.
    #[schemars(with = "Vec<Map<String, Value>>", length(min = 1, max = 8))]
    pub steps: Option<Vec<Value>>,
}

/// Kind of processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProcessOperation {
    /// Converts the document to `format`.
    Convert,
    /// Applies image operations (`compress`, `resize`, `crop`, `rotate`, `cleanup`), or converts an image to `format`.
    Image,
    /// Applies `steps` (or `pipeline`) in order.
    Pipeline,
}

impl ProcessDocument {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member, and members that do not apply to the operation. The steps are validated
    /// later.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let sizes = [
            ("pipeline", request.pipeline.as_deref()),
            ("steps", request.steps.as_deref()),
        ];
        let sizes = sizes.into_iter().filter_map(|(name, items)| {
            let (count, bytes) = (items?.len(), body.get(name)?.to_string().len());
            let message = if !(1..=MAX_OPERATIONS).contains(&count) {
                format!("must be 1 to {MAX_OPERATIONS} steps")
            } else if bytes > OPERATIONS_BYTES {
                format!("must be at most {OPERATIONS_BYTES} bytes")
            } else {
                return None;
            };
            Some(FieldError::invalid(format!("$.{name}"), message))
        });
        let errors: Vec<_> = sizes.chain(request.inapplicable_members()).collect();
        if errors.is_empty() {
            Ok(request)
        } else {
            Err(errors)
        }
    }

    /// Returns the errors of members that do not apply to the operation.
    fn inapplicable_members(&self) -> Vec<FieldError> {
        let missing = |path: &str, message: &str| FieldError::new(path, "missing_field", message);
        let inapplicable = |path: &str, message: &str| FieldError::invalid(path, message);
        let (steps, pipeline) = (self.steps.is_some(), self.pipeline.is_some());
        let format = self.format.is_some();
        let errors = match self.operation {
            ProcessOperation::Convert => [
                (!format).then(|| missing("$.format", "is required by `convert`")),
                steps.then(|| {
                    inapplicable("$.steps", "is not supported by `convert`; use `pipeline`")
                }),
                pipeline.then(|| inapplicable("$.pipeline", "is not supported by `convert`")),
            ],
            ProcessOperation::Image => [
                (!steps && !format)
                    .then(|| missing("$.steps", "is required unless `format` is given")),
                pipeline.then(|| {
                    inapplicable("$.pipeline", "is not supported by `image`; use `steps`")
                }),
                None,
            ],
            ProcessOperation::Pipeline => [
                (!steps && !pipeline)
                    .then(|| missing("$.steps", "is required unless `pipeline` is given")),
                (steps && pipeline)
                    .then(|| inapplicable("$.pipeline", "cannot be combined with `steps`")),
                None,
            ],
        };
        errors.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn errors(body: &Value) -> Vec<(String, String)> {
        let errors = ProcessDocument::read(body).unwrap_err().into_iter();
        errors.map(|error| (error.path, error.code)).collect()
    }

    #[test]
    fn each_operation_accepts_its_own_members_only() {
        let step = json!([{"operation": "ocr"}]);
        for right in [
            json!({"operation": "convert", "format": "pdf"}),
            json!({"operation": "image", "format": "png"}),
            json!({"operation": "image", "steps": step}),
            json!({"operation": "image", "steps": step, "format": "png"}),
            json!({"operation": "pipeline", "steps": step}),
            json!({"operation": "pipeline", "pipeline": step, "format": "pdf"}),
        ] {
            assert!(ProcessDocument::read(&right).is_ok(), "{right}");
        }
        for (body, path, code) in [
            (json!({}), "$.operation", "missing_field"),
            (json!({"operation": "ocr"}), "$.operation", "invalid_value"),
            (
                json!({"operation": "Convert", "format": "pdf"}),
                "$.operation",
                "invalid_value",
            ),
            (json!({"operation": "convert"}), "$.format", "missing_field"),
            (
                json!({"operation": "convert", "format": null}),
                "$.format",
                "invalid_value",
            ),
            (
                json!({"operation": "convert", "format": "pdf", "steps": step}),
                "$.steps",
                "invalid_value",
            ),
            (
                json!({"operation": "convert", "format": "pdf", "pipeline": step}),
                "$.pipeline",
                "invalid_value",
            ),
            (json!({"operation": "image"}), "$.steps", "missing_field"),
            (
                json!({"operation": "image", "format": "png", "pipeline": step}),
                "$.pipeline",
                "invalid_value",
            ),
            (json!({"operation": "pipeline"}), "$.steps", "missing_field"),
            (
                json!({"operation": "pipeline", "steps": step, "pipeline": step}),
                "$.pipeline",
                "invalid_value",
            ),
            (
                json!({"operation": "pipeline", "steps": []}),
                "$.steps",
                "invalid_value",
            ),
            (
                json!({"operation": "pipeline", "pipeline": vec![json!({}); 9]}),
                "$.pipeline",
                "invalid_value",
            ),
            (
                json!({"operation": "pipeline", "steps": ["o".repeat(OPERATIONS_BYTES)]}),
                "$.steps",
                "invalid_value",
            ),
            (
                json!({"operation": "pipeline", "steps": {}}),
                "$.steps",
                "invalid_value",
            ),
            (
                json!({"operation": "pipeline", "steps": step, "tags": []}),
                "$.tags",
                "unknown_field",
            ),
            (json!([]), "$", "invalid_value"),
        ] {
            assert_eq!(
                errors(&body),
                [(path.to_owned(), code.to_owned())],
                "{body}"
            );
        }
        let many = vec![json!({}); 8];
        let body = json!({"operation": "pipeline", "steps": many});
        assert!(ProcessDocument::read(&body).is_ok());
    }
}
