//! Bodies of operations on PDF.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::operation::{InvalidOperation, MergeOptions, OPERATIONS, Operation};
use domain::source::SourceUrl;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::job::OPERATIONS_BYTES;

/// How many documents a merge takes.
const MERGED: std::ops::RangeInclusive<usize> = 2..=20;

/// Body of `POST /pdf`, beside which the options of the operation stand.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ProcessPdf {
    /// An operation of `GET /formats` that reads PDF, such as `merge`, `split` or `optimise`; `compress` and
    /// `optimisation` mean the last.
    pub operation: String,
    /// The `sourceKey` of each upload: 2 to 20 for `merge`, in the order of their pages, one for everything else.
    #[schemars(length(min = 1, max = 20))]
    pub source_keys: Vec<String>,
    /// The name of the source; the result is named after it.
    pub filename: Option<Filename>,
}

/// How many documents an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceCount {
    /// Just the one.
    One,
    /// From two to twenty.
    Several,
}

impl SourceCount {
    fn fault(self, count: usize) -> Option<&'static str> {
        match self {
            Self::One if count != 1 => Some("must be exactly one sourceKey for this operation"),
            Self::Several if !MERGED.contains(&count) => Some("must be 2 to 20 sourceKeys"),
            _ => None,
        }
    }
}

impl ProcessPdf {
    /// Reads the body of `POST /pdf`, its options apart.
    ///
    /// # Errors
    /// Every member that is missing, of a wrong type or too large.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        let count = match request.operation.as_str() {
            "merge" => SourceCount::Several,
            _ => SourceCount::One,
        };
        let fault = count.fault(request.source_keys.len());
        let fault = fault.map(|message| FieldError::invalid("$.sourceKeys", message));
        let too_large = (body.to_string().len() > OPERATIONS_BYTES).then(|| {
            let message = format!("must be at most {OPERATIONS_BYTES} bytes with its options");
            FieldError::invalid("$", message)
        });
        let faults: Vec<_> = fault.into_iter().chain(too_large).collect();
        if faults.is_empty() {
            Ok(request)
        } else {
            Err(faults)
        }
    }

    /// The operation with the options that stand beside it in `body`; what the operation does not know counts for
    /// nothing. What a merge takes beside its first source is not among them.
    ///
    /// # Errors
    /// There is no such operation, or its options are wrong.
    pub fn operation(&self, body: &Value) -> Result<Operation, InvalidOperation> {
        if self.operation == "merge" {
            return Ok(Operation::Merge(MergeOptions::default()));
        }
        let known = options_of(&self.operation);
        let members = body.as_object().into_iter().flatten();
        let mut item: Map<String, Value> = members
            .filter(|(name, _)| known.contains(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        item.insert("operation".to_owned(), self.operation.clone().into());
        Operation::read(&Value::Object(item), "$")
    }
}

/// The names of an operation's options, by its JSON Schema.
fn options_of(operation: &str) -> Vec<String> {
    let facts = OPERATIONS.iter().find(|facts| facts.is_named(operation));
    let schema = facts.map(|facts| (facts.options)(&mut SchemaGenerator::default()));
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
    /// The public HTTPS addresses of the PDFs, in the order of their pages.
    #[schemars(
        with = "Vec<String>",
        length(min = 2, max = 20),
        extend("items" = {"type": "string", "format": "uri", "maxLength": 2048})
    )]
    pub files: Vec<SourceUrl>,
    /// The name of the result; `merged.pdf` when not given.
    pub filename: Option<Filename>,
}

impl MergeFiles {
    /// Reads the body of `POST /merge`.
    ///
    /// # Errors
    /// Every member that is missing, of a wrong type or outside its bounds.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        if MERGED.contains(&request.files.len()) {
            return Ok(request);
        }
        let message = "must be 2 to 20 addresses";
        Err(vec![FieldError::invalid("$.files", message)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(faults: Vec<FieldError>) -> Vec<String> {
        faults.into_iter().map(|fault| fault.path).collect()
    }

    fn operation(body: &Value) -> Result<Operation, InvalidOperation> {
        ProcessPdf::read(body).unwrap().operation(body)
    }

    #[test]
    fn a_merge_takes_several_sources_and_everything_else_one() {
        for (operation, counts) in [("merge", 2..=20), ("split", 1..=1), ("nonsense", 1..=1)] {
            for count in [0, 1, 2, 20, 21] {
                let body = json!({"operation": operation, "sourceKeys": vec!["src_1"; count]});
                match ProcessPdf::read(&body) {
                    Ok(_) => assert!(counts.contains(&count), "{body}"),
                    Err(faults) => {
                        assert!(!counts.contains(&count), "{body}");
                        assert_eq!(paths(faults), ["$.sourceKeys"]);
                    }
                }
            }
        }
    }

    #[test]
    fn options_stand_beside_the_operation_and_the_rest_counts_for_nothing() {
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
    fn wrong_options_are_named_by_their_paths() {
        let body = json!({"operation": "rotate", "sourceKeys": ["src_1"], "angle": 45});
        let InvalidOperation::Options(faults) = operation(&body).unwrap_err() else {
            panic!("no options");
        };
        assert_eq!(paths(faults), ["$.angle"]);
        let body = json!({"operation": "shred", "sourceKeys": ["src_1"]});
        let InvalidOperation::Unknown(fault) = operation(&body).unwrap_err() else {
            panic!("known");
        };
        assert_eq!(fault.path, "$.operation");
    }

    #[test]
    fn options_are_bounded_as_a_whole() {
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
            if let Err(faults) = read {
                assert_eq!(paths(faults), ["$.files"]);
            }
        }
        let body = json!({"files": ["https://example.org/a.pdf", 7]});
        assert_eq!(paths(MergeFiles::read(&body).unwrap_err()), ["$.files[1]"]);
    }
}
