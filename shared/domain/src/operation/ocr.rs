//! The options of `ocr`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::language::Languages;
use crate::field;
use crate::format::Format;

/// What `ocr` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OcrOutput {
    /// The text.
    #[default]
    #[serde(alias = "txt")]
    Text,
    /// Words with their places and how sure each is.
    Json,
    /// The same as HTML [hOCR 1.2].
    Hocr,
    /// The document itself, with the text laid under its pictures.
    Pdf,
}

impl OcrOutput {
    /// The format that it is written in.
    #[must_use]
    pub fn format(self) -> Format {
        match self {
            Self::Text => Format::Txt,
            Self::Json => Format::Json,
            Self::Hocr => Format::Hocr,
            Self::Pdf => Format::Pdf,
        }
    }

    /// The output that is written in a format.
    #[must_use]
    pub fn of(format: Format) -> Option<Self> {
        [Self::Text, Self::Json, Self::Hocr, Self::Pdf]
            .into_iter()
            .find(|output| output.format() == format)
    }
}

/// What `ocr` does with pages that have text already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OcrMode {
    /// Their text is taken as it is.
    #[default]
    SkipText,
    /// Text of an earlier OCR is replaced; text that is seen is kept.
    Redo,
    /// Every page is read as a picture; a page of a PDF with text of its own becomes one.
    Force,
}

/// Options of `ocr`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct OcrOptions {
    /// The languages of the text; English when not given.
    pub language: Option<Languages>,
    /// What is written; `text` when not given, or what the job's target format asks for.
    pub output: Option<OcrOutput>,
    /// What is done with pages that have text already; `skip-text` when not given.
    pub mode: Option<OcrMode>,
}
