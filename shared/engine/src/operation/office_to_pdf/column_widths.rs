//! Sizes the columns of a sheet without layout, read from CSV or TSV, to their content.

use office::Document;

/// Maximum number of cells that LibreOffice measures, which bounds the time.
const MAX_CELLS: u32 = 20_000;
/// Maximum width of a column in twips, beyond which its text is wrapped: of one of many, and of all together on an A4 page.
const MAX_WIDTH: u32 = 4_000;
const PAGE_WIDTH: u32 = 9_600;
/// Maximum number of columns that are wrapped.
const MAX_WRAPPED: usize = 200;

/// Sizes the columns of the only sheet.
pub(super) fn fit(document: &Document<'_>) {
    let Some(sheet) = document.current_sheet() else {
        return;
    };
    let columns = sheet.last_column + 1;
    let rows = (MAX_CELLS / columns).clamp(1, sheet.last_row + 1);
    document.select(&format!("A1:{}{rows}", column_name(sheet.last_column)));
    document.fit_columns();
    let widths = document.column_widths();
    let most = MAX_WIDTH.max(PAGE_WIDTH / columns);
    let wide = (0..columns).filter(|column| widths.get(*column) > most);
    for column in wide.take(MAX_WRAPPED) {
        let column = column_name(column);
        document.select(&format!("{column}1:{column}{}", sheet.last_row + 1));
        document.set_column_width(most);
        document.wrap_text();
    }
}

/// The name of a column, from 0: `A`, `B`, …, `Z`, `AA`, ….
fn column_name(column: u32) -> String {
    let mut name = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        name.extend(char::from_u32(u32::from('A') + rest % 26));
        rest /= 26;
    }
    name.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        assert_eq!(
            [0, 25, 26, 701, 702].map(column_name),
            ["A", "Z", "AA", "ZZ", "AAA"]
        );
    }
}
