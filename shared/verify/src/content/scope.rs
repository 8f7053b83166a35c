//! What of a source a conversion keeps. What it drops on purpose has warnings or notes of its own.

use domain::format::{Category, Format};

/// The content that must be in the result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope {
    /// Headers and footers that every page has.
    pub(super) headers: bool,
    /// Text boxes and other drawings with text.
    pub(super) text_boxes: bool,
    /// Only tables.
    pub(super) tables_only: bool,
    /// Only the sheet that is active when the workbook is opened.
    pub(super) active_sheet_only: bool,
    /// Only the print ranges of a sheet that has some.
    pub(super) print_ranges: bool,
}

impl Scope {
    /// The content that a conversion between these formats keeps.
    pub(super) fn of(from: Format, to: Format) -> Self {
        let category = |format: Format| format.spec().category;
        let keeps_pages = matches!(to, Format::Pdf | Format::Docx | Format::Odt | Format::Rtf);
        let is_office = category(to) == category(from) || to == Format::Pdf;
        Self {
            headers: keeps_pages && is_office,
            text_boxes: is_office,
            tables_only: matches!(to, Format::Xlsx | Format::Ods | Format::Csv | Format::Tsv)
                && category(from) != Category::Spreadsheet
                && category(from) != Category::Data,
            active_sheet_only: matches!(to, Format::Csv | Format::Tsv)
                && category(from) == Category::Spreadsheet,
            print_ranges: to == Format::Pdf,
        }
    }
}
