//! Options of `sanitize`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::field;

/// Options of `sanitize`: what is removed.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct SanitizeOptions {
    /// Whether scripts are removed. Default: true.
    pub javascript: Option<bool>,
    /// Whether actions are removed that start programs, send or import data, open other documents, play media, or run without a
    /// click. Links to web pages, to mail addresses and within the document stay. Default: true.
    pub actions: Option<bool>,
    /// Whether embedded files are removed. Default: true.
    pub attachments: Option<bool>,
    /// Whether the content of hidden layers is removed. Default: true.
    pub hidden_layers: Option<bool>,
    /// Whether metadata is removed: title, author and other properties, XMP, private data of applications, thumbnails. Default:
    /// false.
    pub metadata: Option<bool>,
}

/// A part of a document that `sanitize` removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanitizedPart {
    /// Scripts.
    JavaScript,
    /// Actions other than links to web pages, to mail addresses and within the document.
    Actions,
    /// Embedded files.
    Attachments,
    /// Content of hidden layers.
    HiddenLayers,
    /// Metadata.
    Metadata,
}

impl SanitizeOptions {
    /// Whether a part is removed.
    #[must_use]
    pub fn removes(&self, part: SanitizedPart) -> bool {
        match part {
            SanitizedPart::JavaScript => self.javascript.unwrap_or(true),
            SanitizedPart::Actions => self.actions.unwrap_or(true),
            SanitizedPart::Attachments => self.attachments.unwrap_or(true),
            SanitizedPart::HiddenLayers => self.hidden_layers.unwrap_or(true),
            SanitizedPart::Metadata => self.metadata.unwrap_or(false),
        }
    }
}
