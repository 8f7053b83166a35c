//! Options of `compare`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::field;
use crate::format::Format;
use crate::id::SourceKey;

/// The output of `compare`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CompareOutput {
    /// The differences of each page, as JSON.
    #[default]
    Json,
    /// The pages of both versions side by side, with the differences marked.
    Pdf,
}

impl CompareOutput {
    /// Returns the file format of this output.
    #[must_use]
    pub fn format(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Pdf => Format::Pdf,
        }
    }

    /// Returns the output that is written in `format`.
    #[must_use]
    pub fn of(format: Format) -> Option<Self> {
        let mut all = [Self::Json, Self::Pdf].into_iter();
        all.find(|output| output.format() == format)
    }
}

/// Options of `compare`. The document of the job is the later version.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CompareOptions {
    /// Key of an upload with the earlier version, a PDF. Required.
    #[schemars(with = "String")]
    pub source_key: SourceKey,
    /// Output of the operation. Default: `json`.
    pub output: Option<CompareOutput>,
}
