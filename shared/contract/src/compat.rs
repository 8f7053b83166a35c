//! Shapes of the compatibility forms. Their bodies may hold members that are not known here; those count for nothing.

mod documents;
mod pdf;
mod public;

pub use documents::{CompressDocument, ConvertDocument, RecogniseText, RecognisedText};
pub use pdf::{MergeFiles, ProcessPdf, SourceCount};
pub use public::{ConvertSample, RenderWebPage};

use domain::field::{self, FieldError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::job::one_source;

/// Most bytes of a result that is handed out in the answer itself. Base64 makes 5.4 MB of it, and a function of Lambda
/// may answer with 6.
pub const ANSWER_BYTES: u64 = 4_000_000;

/// Reads a body that says where its source is, with `sourceKey` or with `url`.
fn with_source<T: DeserializeOwned + JsonSchema>(body: &Value) -> Result<T, Vec<FieldError>> {
    let (read, source) = (field::read(body, "$"), one_source(body));
    match (read, source) {
        (Ok(request), None) => Ok(request),
        (Ok(_), Some(fault)) => Err(vec![fault]),
        (Err(faults), fault) => Err(faults.into_iter().chain(fault).collect()),
    }
}
