//! Content of a source that is not in a result.

use domain::limits::NESTED_TABLES;
use serde::{Deserialize, Serialize};

/// A type of dropped content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DroppedContent {
    /// Hidden sheets, rows, columns, slides or text.
    Hidden,
    /// Charts.
    Charts,
    /// Embedded objects that only the application which created them can render.
    Objects,
    /// Images that are missing, damaged, too large, or in an unsupported format.
    Pictures,
    /// Images that the format contains only if the request asks for them.
    EmbeddablePictures,
    /// Tables nested deeper than the limit. Their text is in the result.
    DeeplyNestedTables,
    /// Formulas without a cached result, or with one that the document marks as stale.
    UncachedFormulas,
    /// Words outside tables, in a result of tables.
    TextOutsideTables,
    /// Sheets other than the active one.
    Sheets,
    /// Unreadable parts of a damaged document.
    Damage,
    /// Comments.
    Comments,
    /// Headers and footers of sheets, except for page numbers and names.
    SheetHeaders,
    /// Texts of slide masters and layouts.
    MasterTexts,
    /// Links of pictures or shapes, with a calculated target, or to a file, a network share, a place that is not in the result, or
    /// a scheme that is not allowed. Linked text is kept.
    Links,
    /// Attached files of a PDF.
    Attachments,
    /// Structure tags of a PDF.
    Tags,
    /// Form fields of a PDF, whose values are in the page content.
    FormFields,
}

impl DroppedContent {
    /// The code of the warning.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Hidden => "hidden_left_out",
            Self::Charts => "chart_left_out",
            Self::Objects => "object_left_out",
            Self::Pictures | Self::EmbeddablePictures => "picture_missing",
            Self::DeeplyNestedTables => "nested_tables_dissolved",
            Self::UncachedFormulas => "formulas_not_calculated",
            Self::TextOutsideTables => "text_outside_tables",
            Self::Sheets => "sheets_left_out",
            Self::Damage => "damage_left_out",
            Self::Comments => "comments_left_out",
            Self::SheetHeaders => "headers_left_out",
            Self::MasterTexts => "master_text_left_out",
            Self::Links => "links_left_out",
            Self::Attachments => "attachments_left_out",
            Self::Tags => "tags_left_out",
            Self::FormFields => "fields_flattened",
        }
    }

    /// The message for this number of occurrences.
    pub(super) fn message(self, count: u32) -> String {
        let were = |one: &str, many: &str| match count {
            1 => format!("1 {one} was"),
            count => format!("{count} {many} were"),
        };
        match self {
            Self::Hidden => {
                "Hidden content, such as sheets, rows, slides, text, or what is outside a page, was dropped.".to_owned()
            }
            Self::Charts => format!(
                "{} dropped. Convert to PDF to keep charts.",
                were("chart", "charts")
            ),
            Self::Objects => format!(
                "{} dropped, because only the application that created them can render them.",
                were("embedded object", "embedded objects")
            ),
            Self::Pictures => format!(
                "{} dropped: missing, damaged, too large, or in an unsupported format such as EMF.",
                were("image", "images")
            ),
            Self::EmbeddablePictures => format!(
                "{} dropped; their alternative text was kept. Set `images` to `embed` or `files` to include images.",
                were("image", "images")
            ),
            Self::DeeplyNestedTables => format!(
                "{} converted to text, because tables can be nested at most {NESTED_TABLES} levels deep.",
                were("table", "tables")
            ),
            Self::UncachedFormulas => format!(
                "{} not calculated, because the source has no current result. Open and save it in a spreadsheet application first.",
                were("formula", "formulas")
            ),
            Self::TextOutsideTables => format!(
                "{} dropped, because the format contains tables only.",
                were("word outside tables", "words outside tables")
            ),
            Self::Sheets => format!(
                "{} dropped. The result is the active sheet.",
                were("other sheet", "other sheets")
            ),
            Self::Damage => {
                "Damaged parts of the source were dropped. Compare the result with the source."
                    .to_owned()
            }
            Self::Comments => format!("{} dropped.", were("comment", "comments")),
            Self::SheetHeaders => format!(
                "{} dropped. Convert to PDF to keep headers and footers.",
                were(
                    "header or footer of a sheet",
                    "headers and footers of sheets"
                )
            ),
            Self::MasterTexts => format!(
                "{} dropped. Convert to PDF to keep what the slide master shows on every slide.",
                were(
                    "text of a slide master or layout",
                    "texts of slide masters and layouts"
                )
            ),
            Self::Links => format!(
                "{} dropped: of pictures or shapes, with a calculated target, or to a file, a network share, a place that is not in the result, or a scheme that is not allowed. Linked text was kept.",
                were("link", "links")
            ),
            Self::Attachments => format!(
                "{} dropped, because this level of PDF/A has none. Set `level` to `3b` to keep them.",
                were("attached file", "attached files")
            ),
            Self::Tags => "The structure tags of the document, which assistive technology reads, were dropped.".to_owned(),
            Self::FormFields => format!(
                "{} converted to page content.",
                were("form field", "form fields")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_agrees_with_its_count() {
        assert_eq!(
            DroppedContent::Charts.message(1),
            "1 chart was dropped. Convert to PDF to keep charts."
        );
        assert_eq!(
            DroppedContent::Charts.message(2),
            "2 charts were dropped. Convert to PDF to keep charts."
        );
    }
}
