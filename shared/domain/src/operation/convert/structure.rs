//! Options of conversions from PDF to editable documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConvertOptions;
use crate::format::Format;
use crate::operation::number::TokenCount;
use crate::operation::{converts_by_structure, has_pages};

/// Target formats that are written from the detected structure of a PDF.
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

/// Target formats of [`STRUCTURED`] that can contain images.
pub const WITH_IMAGES: &[Format] = &[
    Format::Docx,
    Format::Pptx,
    Format::Html,
    Format::Markdown,
    Format::Json,
];

/// Target formats that can keep the position of every line (`mode: layout`).
pub const FIXED_LAYOUT: &[Format] = &[Format::Docx, Format::Pptx, Format::Html, Format::Txt];

/// Whether text flows, or keeps its position on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LayoutMode {
    /// Paragraphs, lists and tables in reading order, as flowing text.
    #[default]
    Flow,
    /// Every line at its position on the page, without tables and lists; for forms and flyers.
    Layout,
}

/// Whether text without characters is recognized: pages without text, outlined text and pictures of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OcrPolicy {
    /// OCR recognizes it.
    #[default]
    Auto,
    /// It is missing as text.
    Off,
}

/// How tables are detected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TableDetection {
    /// By ruling lines, and by the alignment of text in rows and columns.
    #[default]
    Auto,
    /// By ruling lines only.
    Ruled,
    /// Not at all: the text of tables becomes paragraphs.
    Off,
}

/// Whether images are included, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ImageHandling {
    /// Images are included; in Markdown as data URLs at the end of the document. `keep` is accepted as well.
    #[default]
    #[serde(alias = "keep")]
    Embed,
    /// Only for Markdown: the result is a ZIP archive of `document.md` and its images, such as `images/1.png`.
    Files,
    /// Images are dropped; their alternative text is kept where the format has a place for it.
    Drop,
}

/// How the text is split into chunks for retrieval and language models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Chunking {
    /// Maximum size of a chunk in estimated tokens: one for every four Latin or two other letters of a word, and one for each
    /// ideograph and punctuation mark. A row of a table is never split. Required.
    pub max_tokens: TokenCount,
}

/// For each option: its name, whether it is given, and whether it applies to a document of format `from`.
pub(super) fn options(options: &ConvertOptions, from: Format) -> [(&'static str, bool, bool); 9] {
    let is_pdf = from == Format::Pdf;
    let writes = |formats: &[Format]| has_pages(from) && formats.contains(&options.format);
    let by_structure =
        |format: Format| options.format == format && converts_by_structure(from, options.format);
    [
        ("mode", options.mode.is_some(), writes(FIXED_LAYOUT)),
        ("tables", options.tables.is_some(), writes(STRUCTURED)),
        (
            "table",
            options.table.is_some(),
            writes(&[Format::Csv]) || by_structure(Format::Csv),
        ),
        (
            "images",
            options.images.is_some(),
            (is_pdf && writes(WITH_IMAGES)) || includes_images(from, options.format),
        ),
        ("ocr", options.ocr.is_some(), is_pdf && writes(STRUCTURED)),
        ("language", options.language.is_some(), writes(STRUCTURED)),
        (
            "chunk",
            options.chunk.is_some(),
            writes(&[Format::Json]) || by_structure(Format::Json),
        ),
        (
            "pageMarkers",
            options.page_markers.is_some(),
            writes(&[Format::Markdown]),
        ),
        (
            "explain",
            options.explain.is_some(),
            writes(&[Format::Json]),
        ),
    ]
}

/// Whether a conversion by structure includes the images of the document.
fn includes_images(from: Format, to: Format) -> bool {
    converts_by_structure(from, to) && !from.is_delimited_text() && WITH_IMAGES.contains(&to)
}

/// Returns the first option that contradicts another one, with an error message.
pub(super) fn check(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let tables_off = options.tables == Some(TableDetection::Off);
    let is_fixed_layout = options.mode == Some(LayoutMode::Layout);
    let is_ocr_off = options.ocr == Some(OcrPolicy::Off);
    let (name, message) =
        if options.images == Some(ImageHandling::Files) && options.format != Format::Markdown {
            ("images", "can be `files` for Markdown only")
        } else if options.table.is_some() && tables_off {
            ("table", "cannot be given when `tables` is `off`")
        } else if tables_off && options.format == Format::Csv {
            (
                "tables",
                "cannot be `off` for CSV, which contains tables only",
            )
        } else if options.tables.is_some() && is_fixed_layout {
            ("tables", "is not supported when `mode` is `layout`")
        } else if options.language.is_some() && is_ocr_off {
            ("language", "is not supported when `ocr` is `off`")
        } else {
            return None;
        };
    Some((name, message.to_owned()))
}
