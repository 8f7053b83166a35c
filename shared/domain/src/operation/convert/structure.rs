//! The options of turning a PDF into a document that can be worked on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConvertOptions;
use crate::format::Format;
use crate::operation::{has_pages, is_read};

/// What a PDF becomes by the structure that it is found to have.
pub const STRUCTURED: &[Format] = &[
    Format::Docx,
    Format::Xlsx,
    Format::Pptx,
    Format::Html,
    Format::Markdown,
    Format::Csv,
    Format::Json,
    Format::Txt,
];

/// Which of that holds pictures.
pub const ILLUSTRATED: &[Format] = &[Format::Docx, Format::Pptx, Format::Html, Format::Json];

/// What keeps the place of every line, when that is asked for.
pub const PLACED: &[Format] = &[Format::Docx, Format::Pptx, Format::Html, Format::Txt];

/// Whether text moves on as it is worked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextPlacement {
    /// Paragraphs, lists and tables in reading order, which flow over lines and pages anew.
    #[default]
    Flow,
    /// Every line where it stands, for forms and flyers: no tables, no lists.
    Layout,
}

/// What becomes of pages without text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Recognition {
    /// They are read by OCR.
    #[default]
    Auto,
    /// They have no text in the result either.
    Off,
}

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
pub(super) fn placed(options: &ConvertOptions, from: Format) -> [(&'static str, bool, bool); 6] {
    let is_pdf = from == Format::Pdf;
    let becomes = |formats: &[Format]| has_pages(from) && formats.contains(&options.format);
    let lists_tables = options.format == Format::Csv && is_read(from, options.format);
    [
        ("mode", options.mode.is_some(), becomes(PLACED)),
        ("tables", options.tables.is_some(), becomes(STRUCTURED)),
        (
            "table",
            options.table.is_some(),
            becomes(&[Format::Csv]) || lists_tables,
        ),
        (
            "images",
            options.images.is_some(),
            (is_pdf && becomes(ILLUSTRATED)) || shows_pictures(from, options.format),
        ),
        ("ocr", options.ocr.is_some(), is_pdf && becomes(STRUCTURED)),
        ("language", options.language.is_some(), becomes(STRUCTURED)),
    ]
}

/// Whether a document that is read shows its pictures in what it becomes.
fn shows_pictures(from: Format, to: Format) -> bool {
    is_read(from, to) && !from.is_table_in_text() && ILLUSTRATED.contains(&to)
}

/// Options that contradict each other: a table is asked for and none is looked for.
pub(super) fn fault(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let are_off = options.tables == Some(TableDetection::Off);
    let is_placed = options.mode == Some(TextPlacement::Layout);
    let is_unread = options.ocr == Some(Recognition::Off);
    let (name, message) = if options.table.is_some() && are_off {
        ("table", "cannot be chosen when `tables` is `off`")
    } else if are_off && options.format == Format::Csv {
        ("tables", "cannot be `off` where tables alone are kept")
    } else if options.tables.is_some() && is_placed {
        ("tables", "means nothing when `mode` is `layout`")
    } else if options.language.is_some() && is_unread {
        ("language", "means nothing when `ocr` is `off`")
    } else {
        return None;
    };
    Some((name, message.to_owned()))
}
