//! Schemas of the compatibility routes: deprecated routes that wrap a job. Unknown members of their bodies are ignored.

mod documents;
mod pdf;
mod public;

pub use documents::{CompressDocument, ConvertDocument, RecognizeText, RecognizedText};
pub use pdf::{MergeFiles, ProcessPdf, SourceCount};
pub use public::{ConvertSample, RenderWebPage};

use domain::field::{self, FieldError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::job::one_source;

/// Maximum size in bytes of a result in the response itself: 5.4 MB in base64, below the response limit of Lambda (6 MB).
pub const MAX_INLINE_RESULT_BYTES: u64 = 4_000_000;

/// Parses a body with exactly one of `sourceKey` and `url`.
fn with_source<T: DeserializeOwned + JsonSchema>(body: &Value) -> Result<T, Vec<FieldError>> {
    let (read, source) = (field::read(body, "$"), one_source(body));
    match (read, source) {
        (Ok(request), None) => Ok(request),
        (Ok(_), Some(error)) => Err(vec![error]),
        (Err(errors), error) => Err(errors.into_iter().chain(error).collect()),
    }
}
