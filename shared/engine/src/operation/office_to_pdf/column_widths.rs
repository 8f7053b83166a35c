//! Sizes the columns of a sheet without layout, read from CSV or TSV, to their content.

use office::Document;
use office::kit::sheets::cell_name;

/// Maximum number of cells that LibreOffice measures, which bounds the time.
const MAX_CELLS: u32 = 20_000;
/// Maximum width of a column in twips, beyond which its text is wrapped: of one of many, and of all together on an A4 page.
const MAX_WIDTH: u32 = 4_000;
pub(super) const PAGE_WIDTH: u32 = 9_600;
/// Height of the rows on a page in twips. What is higher would be cut at its end.
const PAGE_HEIGHT: u32 = 13_000;
/// Maximum number of columns that are wrapped.
const MAX_WRAPPED: usize = 200;

/// The size of a table, in twips.
#[derive(Debug, Default)]
pub(super) struct TableSize {
    /// The width of each column.
    pub(super) columns: Vec<u32>,
    /// The height of the highest row.
    pub(super) row_height: u32,
    /// The height of all measured rows.
    pub(super) height: u32,
}

/// Sizes the columns of the only sheet. Returns the size of the table, without columns if LibreOffice does not report it.
pub(super) fn fit(document: &Document<'_>) -> TableSize {
    let Some(sheet) = document.sheet(0) else {
        return TableSize::default();
    };
    let columns = sheet.last_column + 1;
    let rows = (MAX_CELLS / columns).clamp(1, sheet.last_row + 1);
    document.select(&format!("A1:{}", cell_name(rows - 1, sheet.last_column)));
    document.fit_columns();
    let widths = document.column_widths();
    let most = MAX_WIDTH.max(PAGE_WIDTH / columns);
    let wide = (0..columns).filter(|column| widths.get(*column) > most);
    let wide: Vec<u32> = wide.take(MAX_WRAPPED).collect();
    let wrap = |width| {
        for column in &wide {
            let (first, last) = (cell_name(0, *column), cell_name(sheet.last_row, *column));
            document.select(&format!("{first}:{last}"));
            document.set_column_width(width);
            document.wrap_text();
        }
    };
    wrap(most);
    let highest = |document: &Document<'_>| {
        let heights = document.row_heights();
        let heights = (0..rows).map(|row| heights.get(row));
        heights.max().unwrap_or(0)
    };
    let mut row_height = highest(document);
    if most < PAGE_WIDTH && row_height > PAGE_HEIGHT {
        wrap(PAGE_WIDTH);
        row_height = highest(document);
    }
    let (widths, heights) = (document.column_widths(), document.row_heights());
    TableSize {
        columns: (0..columns).map(|column| widths.get(column)).collect(),
        row_height,
        height: (0..rows).map(|row| heights.get(row)).sum(),
    }
}
