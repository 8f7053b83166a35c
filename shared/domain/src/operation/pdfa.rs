//! Options of `pdfa`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::field;

/// Options of `pdfa`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct PdfaOptions {
    /// Conformance level. Default: `2b`.
    pub level: Option<PdfaLevel>,
}

/// Part and conformance level of PDF/A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PdfaLevel {
    /// ISO 19005-1, level B: without transparency, layers and attached files.
    #[serde(rename = "1b")]
    A1b,
    /// ISO 19005-2, level B.
    #[default]
    #[serde(rename = "2b")]
    A2b,
    /// ISO 19005-2, level U: every character has its Unicode text.
    #[serde(rename = "2u")]
    A2u,
    /// ISO 19005-3, level B: may have attached files of any format.
    #[serde(rename = "3b")]
    A3b,
}

impl PdfaLevel {
    /// Returns the part of ISO 19005.
    #[must_use]
    pub fn part(self) -> u8 {
        match self {
            Self::A1b => 1,
            Self::A2b | Self::A2u => 2,
            Self::A3b => 3,
        }
    }

    /// Returns the conformance level as XMP metadata state it.
    #[must_use]
    pub fn conformance(self) -> &'static str {
        match self {
            Self::A1b | Self::A2b | Self::A3b => "B",
            Self::A2u => "U",
        }
    }
}
