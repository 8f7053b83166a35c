//! Bodies of the compatibility routes for PDF operations: `/pdf` and `/merge`.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::operation::{InvalidOperation, MergeOptions, OPERATIONS, Operation};
use domain::source::SourceUrl;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::job::OPERATIONS_BYTES;

/// Number of documents that a merge accepts.
const MERGE_SOURCES: std::ops::RangeInclusive<usize> = 2..=20;

/// Body of `POST /pdf`. The options of the operation are members of the body, too.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ProcessPdf {
    /// A PDF operation listed by `GET /formats`, such as `merge`, `split` or `optimize`. `optimise`, `optimisation`,
    /// `optimization` and `compress` are aliases of `optimize`.
    pub operation: String,
    /// The `sourceKey` of each upload: 2 to 20 for `merge`, in page order, and one for every other operation.
    #[schemars(length(min = 1, max = 20))]
    pub source_keys: Vec<String>,
    /// File name of the source; the result is named after it.
    pub filename: Option<Filename>,
}

/// Number of documents that an operation accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceCount {
    /// Exactly one.
    One,
    /// From 2 to 20.
    Several,
}

impl SourceCount {
    fn error(self, count: usize) -> Option<&'static str> {
        match self {
            Self::One if count != 1 => Some("must be exactly one sourceKey for this operation"),
            Self::Several if !MERGE_SOURCES.contains(&count) => Some("must be 2 to 20 sourceKeys"),
            _ => None,
        }
    }
}

impl ProcessPdf {
    /// Parses the body of `POST /pdf`, without the options of the operation.
    ///
    /// # Errors
    /// Every missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let count = match request.operation.as_str() {
            "merge" => SourceCount::Several,
            _ => SourceCount::One,
        };
        let error = count.error(request.source_keys.len());
        let error = error.map(|message| FieldError::invalid("$.sourceKeys", message));
        let too_large = (body.to_string().len() > OPERATIONS_BYTES).then(|| {
            let message = format!("must be at most {OPERATIONS_BYTES} bytes with its options");
            FieldError::invalid("$", message)
        });
        let errors: Vec<_> = error.into_iter().chain(too_large).collect();
        if errors.is_empty() {
            Ok(request)
        } else {
            Err(errors)
        }
    }

    /// Returns the operation with its options from `body`. Members that are not options are ignored. The additional sources
    /// of a merge are not included.
    ///
    /// # Errors
    /// The operation is unknown, or its options are invalid.
    pub fn operation(&self, body: &Value) -> Result<Operation, InvalidOperation> {
        if self.operation == "merge" {
            return Ok(Operation::Merge(MergeOptions::default()));
        }
        let options = options_of(&self.operation);
        let members = body.as_object().into_iter().flatten();
        let mut item: Map<String, Value> = members
            .filter(|(name, _)| options.contains(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        item.insert("operation".to_owned(), self.operation.clone().into());
        Operation::read(&Value::Object(item), "$")
    }
}

/// Returns the names of an operation's options, from its JSON Schema.
fn options_of(operation: &str) -> Vec<String> {
    let spec = OPERATIONS.iter().find(|spec| spec.is_named(operation));
    let schema = spec.map(|spec| (spec.options)(&mut SchemaGenerator::default()));
    let properties = schema.as_ref().and_then(|schema| schema.get("properties"));
    let names = properties.and_then(Value::as_object).into_iter().flatten();
    names.map(|(name, _)| name.clone()).collect()
}

/// Body of `POST /merge`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct MergeFiles {
    /// Public HTTPS URLs of 2 to 20 PDF files or images, in page order.
    #[schemars(
        with = "Vec<String>",
        length(min = 2, max = 20),
        extend("items" = {"type": "string", "format": "uri", "maxLength": 2048})
    )]
    pub files: Vec<SourceUrl>,
    /// File name of the result. Default: `merged.pdf`.
    pub filename: Option<Filename>,
}

impl MergeFiles {
    /// Parses the body of `POST /merge`.
    ///
    /// # Errors
    /// Every missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        if MERGE_SOURCES.contains(&request.files.len()) {
            return Ok(request);
        }
        let message = "must be 2 to 20 URLs";
        Err(vec![FieldError::invalid("$.files", message)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(errors: Vec<FieldError>) -> Vec<String> {
        errors.into_iter().map(|error| error.path).collect()
    }

    fn operation(body: &Value) -> Result<Operation, InvalidOperation> {
        ProcessPdf::read(body).unwrap().operation(body)
    }

    #[test]
    fn a_merge_accepts_several_sources_and_other_operations_one() {
        for (operation, counts) in [("merge", 2..=20), ("split", 1..=1), ("nonsense", 1..=1)] {
            for count in [0, 1, 2, 20, 21] {
                let body = json!({"operation": operation, "sourceKeys": vec!["src_1"; count]});
                match ProcessPdf::read(&body) {
                    Ok(_) => assert!(counts.contains(&count), "{body}"),
                    Err(errors) => {
                        assert!(!counts.contains(&count), "{body}");
                        assert_eq!(paths(errors), ["$.sourceKeys"]);
                    }
                }
            }
        }
    }

    #[test]
    fn options_are_members_of_the_body_and_unknown_members_are_ignored() {
        let body = json!({
            "operation": "split", "sourceKeys": ["src_1"], "every": 2, "colour": "red", "pages": "1",
        });
        let Operation::Split(options) = operation(&body).unwrap() else {
            panic!("no split");
        };
        assert_eq!(options.every.unwrap().value(), 2);
        for name in ["optimise", "optimisation", "optimize", "compress"] {
            let body = json!({"operation": name, "sourceKeys": ["src_1"], "quality": 50});
            assert!(operation(&body).is_ok(), "{name}");
        }
    }

    #[test]
    fn errors_of_options_have_the_json_path() {
        let body = json!({"operation": "rotate", "sourceKeys": ["src_1"], "angle": 45});
        let InvalidOperation::Options(errors) = operation(&body).unwrap_err() else {
            panic!("no options");
        };
        assert_eq!(paths(errors), ["$.angle"]);
        let body = json!({"operation": "shred", "sourceKeys": ["src_1"]});
        let InvalidOperation::Unknown(error) = operation(&body).unwrap_err() else {
            panic!("known");
        };
        assert_eq!(error.path, "$.operation");
    }

    #[test]
    fn the_total_size_of_options_is_bounded() {
        let order = vec![1_000; OPERATIONS_BYTES / 5];
        let body = json!({"operation": "reorder", "sourceKeys": ["src_1"], "order": order});
        assert_eq!(paths(ProcessPdf::read(&body).unwrap_err()), ["$"]);
    }

    #[test]
    fn two_to_twenty_files_are_merged() {
        for count in [0, 1, 2, 20, 21] {
            let body = json!({"files": vec!["https://example.org/a.pdf"; count]});
            let read = MergeFiles::read(&body);
            assert_eq!(read.is_ok(), (2..=20).contains(&count), "{count}");
            if let Err(errors) = read {
                assert_eq!(paths(errors), ["$.files"]);
            }
        }
        let body = json!({"files": ["https://example.org/a.pdf", 7]});
        assert_eq!(paths(MergeFiles::read(&body).unwrap_err()), ["$.files[1]"]);
    }
}
