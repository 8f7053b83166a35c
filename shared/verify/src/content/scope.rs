//! What of a source a conversion keeps. What it drops on purpose has warnings or notes of its own.

use domain::format::{Category, Format};

/// The content that must be in the result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope {
    /// Headers and footers that every page has.
    pub(super) headers: bool,
    /// Each different header and footer, which the result has once.
    pub(super) running_text: bool,
    /// Text boxes and other drawings with text.
    pub(super) text_boxes: bool,
    /// Only tables.
    pub(super) tables_only: bool,
    /// Only the sheet that is active when the workbook is opened.
    pub(super) active_sheet_only: bool,
    /// Only the print ranges of a sheet that has some.
    pub(super) print_ranges: bool,
    /// Whether the lines of neighboring cells may be mixed in the result.
    pub(super) mixes_cells: bool,
    /// Whether the words may be elsewhere in the result: notes, headers and footers.
    pub(super) is_aside: bool,
    /// Text of charts.
    pub(super) charts: bool,
    /// Text of diagrams.
    pub(super) diagrams: bool,
    /// Whether the document is a result, of which everything is read.
    pub(super) is_result: bool,
    /// Numbers and dates of cells as text.
    pub(super) values: bool,
    /// Text of formulas, which applications draw with symbols of their own.
    pub(super) formulas: bool,
}

impl Scope {
    /// The content that a conversion between these formats keeps.
    pub(super) fn of(from: Format, to: Format) -> Self {
        let category = |format: Format| format.spec().category;
        let keeps_pages = matches!(to, Format::Pdf | Format::Docx | Format::Odt | Format::Rtf);
        let is_office = category(to) == category(from) || to == Format::Pdf;
        let is_plain = matches!(to, Format::Txt | Format::Csv | Format::Tsv);
        // RTF has pictures of them, and other applications than spreadsheets display the picture of a chart in OpenDocument.
        let keeps_charts = is_office && !is_plain && to != Format::Rtf;
        Self {
            headers: keeps_pages && is_office,
            running_text: category(from) == Category::Text
                && matches!(
                    to,
                    Format::Markdown | Format::Html | Format::Json | Format::Txt
                ),
            // The text of slides is in boxes.
            text_boxes: is_office
                || matches!(category(from), Category::Text | Category::Presentation),
            tables_only: matches!(to, Format::Xlsx | Format::Ods | Format::Csv | Format::Tsv)
                && category(from) != Category::Spreadsheet
                && category(from) != Category::Data,
            active_sheet_only: matches!(to, Format::Csv | Format::Tsv)
                && category(from) == Category::Spreadsheet,
            print_ranges: to == Format::Pdf,
            mixes_cells: to == Format::Pdf,
            is_aside: false,
            charts: keeps_charts && !matches!(from, Format::Odt | Format::Odp),
            // Other results have pictures of them.
            diagrams: match category(from) {
                Category::Spreadsheet => to == Format::Pdf,
                Category::Text => !matches!(to, Format::Odt | Format::Rtf),
                _ => true,
            },
            is_result: false,
            values: false,
            formulas: !is_office,
        }
    }
}
