//! Body of the routes that process saved documents and their pages.

use domain::field::{self, FieldError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::job::{MAX_OPERATIONS, OPERATIONS_BYTES};

/// Body of `POST /documents/{documentId}/process` and of the same on a page.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ProcessDocument {
    /// What is asked for.
    pub operation: ProcessOperation,
    /// The format that is wanted: needed by `convert`, and elsewhere what the steps leave when not given.
    pub format: Option<String>,
    /// The steps of a `pipeline`, in order; either this or `steps`.
    #[schemars(with = "Vec<Map<String, Value>>", length(min = 1, max = 8))]
    pub pipeline: Option<Vec<Value>>,
    /// The steps of a `pipeline`, or the operations of an `image`, in order.
    #[schemars(with = "Vec<Map<String, Value>>", length(min = 1, max = 8))]
    pub steps: Option<Vec<Value>>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProcessOperation {
    /// Turns it into `format`, and nothing else.
    Convert,
    /// Does `steps` to an image or a page: compress, resize, crop, rotate, cleanup; or turns it into `format`.
    Image,
    /// Does `steps`, or `pipeline`, one after the other.
    Pipeline,
}

impl ProcessDocument {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or too large, or that does not go with the operation. What the
    /// steps say is judged later.
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
        let faults: Vec<_> = sizes.chain(request.misfits()).collect();
        if faults.is_empty() {
            Ok(request)
        } else {
            Err(faults)
        }
    }

    /// What does not go with the operation.
    fn misfits(&self) -> Vec<FieldError> {
        let missing = |path: &str, message: &str| FieldError::new(path, "missing_field", message);
        let beside = |path: &str, message: &str| FieldError::invalid(path, message);
        let (steps, pipeline) = (self.steps.is_some(), self.pipeline.is_some());
        let format = self.format.is_some();
        let faults = match self.operation {
            ProcessOperation::Convert => [
                (!format).then(|| missing("$.format", "is required by `convert`")),
                steps.then(|| beside("$.steps", "does not go with `convert`; use `pipeline`")),
                pipeline.then(|| beside("$.pipeline", "does not go with `convert`")),
            ],
            ProcessOperation::Image => [
                (!steps && !format).then(|| missing("$.steps", "is required, or `format` instead")),
                pipeline.then(|| beside("$.pipeline", "does not go with `image`; use `steps`")),
                None,
            ],
            ProcessOperation::Pipeline => [
                (!steps && !pipeline)
                    .then(|| missing("$.steps", "is required, or `pipeline` instead")),
                (steps && pipeline).then(|| beside("$.pipeline", "must not stand beside `steps`")),
                None,
            ],
        };
        faults.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(body: &Value) -> Vec<(String, String)> {
        let faults = ProcessDocument::read(body).unwrap_err().into_iter();
        faults.map(|fault| (fault.path, fault.code)).collect()
    }

    #[test]
    fn each_operation_takes_its_own_members() {
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
                faults(&body),
                [(path.to_owned(), code.to_owned())],
                "{body}"
            );
        }
        let many = vec![json!({}); 8];
        let body = json!({"operation": "pipeline", "steps": many});
        assert!(ProcessDocument::read(&body).is_ok());
    }
}
