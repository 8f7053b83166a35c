//! Options of `ocr`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::language::Languages;
use crate::field;
use crate::format::Format;

/// The output of `ocr`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OcrOutput {
    /// Plain text.
    #[default]
    #[serde(alias = "txt")]
    Text,
    /// Words with their bounding boxes and OCR confidence, as JSON.
    Json,
    /// Words with their bounding boxes and OCR confidence, as HTML [hOCR 1.2].
    Hocr,
    /// A searchable PDF: the document with an invisible text layer.
    Pdf,
}

impl OcrOutput {
    /// Returns the file format of this output.
    #[must_use]
    pub fn format(self) -> Format {
        match self {
            Self::Text => Format::Txt,
            Self::Json => Format::Json,
            Self::Hocr => Format::Hocr,
            Self::Pdf => Format::Pdf,
        }
    }

    /// Returns the output that is written in `format`.
    #[must_use]
    pub fn of(format: Format) -> Option<Self> {
        [Self::Text, Self::Json, Self::Hocr, Self::Pdf]
            .into_iter()
            .find(|output| output.format() == format)
    }
}

/// How `ocr` treats pages that already have text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OcrMode {
    /// Keeps the existing text and recognizes only pages without text.
    #[default]
    SkipText,
    /// Replaces the text layer of an earlier OCR and keeps visible text.
    Redo,
    /// Recognizes every page as an image. A PDF page with visible text is rasterized.
    Force,
}

/// Options of `ocr`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct OcrOptions {
    /// Languages of the text: one to five, joined by `+`. Default: detected on some of the pages.
    pub language: Option<Languages>,
    /// Output of the operation. Default: `text`, or the output that matches the target format of the job.
    pub output: Option<OcrOutput>,
    /// How pages that already have text are treated. Default: `skip-text`.
    pub mode: Option<OcrMode>,
}
