//! The options of turning a PDF into a document that can be worked on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::ConvertOptions;
use crate::format::Format;

/// What a PDF becomes by the structure that it is found to have.
pub const STRUCTURED: &[Format] = &[
    Format::Docx,
    Format::Xlsx,
    Format::Pptx,
    Format::Html,
    Format::Markdown,
    Format::Csv,
    Format::Json,
];

/// Which of that holds pictures.
pub const ILLUSTRATED: &[Format] = &[Format::Docx, Format::Pptx, Format::Html, Format::Json];

/// What is taken for a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TableDetection {
    /// Text between lines, and text that stands in rows and columns.
    #[default]
    Auto,
    /// Text between lines only.
    Ruled,
    /// Nothing: the text of tables becomes paragraphs.
    Off,
}

/// What becomes of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PictureTreatment {
    /// They are in the result.
    #[default]
    Keep,
    /// They are left out.
    Drop,
}

/// For each of these options its name, whether it is given, and whether it means anything on a document of format `from`.
pub(super) fn placed(options: &ConvertOptions, from: Format) -> [(&'static str, bool, bool); 3] {
    let becomes = |formats: &[Format]| from == Format::Pdf && formats.contains(&options.format);
    [
        ("tables", options.tables.is_some(), becomes(STRUCTURED)),
        ("table", options.table.is_some(), becomes(&[Format::Csv])),
        ("images", options.images.is_some(), becomes(ILLUSTRATED)),
    ]
}

/// A table that is asked for is to be found.
pub(super) fn fault(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let contradicts = options.table.is_some() && options.tables == Some(TableDetection::Off);
    contradicts.then(|| {
        (
            "table",
            "cannot be chosen when `tables` is `off`".to_owned(),
        )
    })
}
