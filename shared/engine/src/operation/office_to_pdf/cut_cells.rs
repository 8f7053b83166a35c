//! Shows cells whose content LibreOffice would cut: widens their columns, wraps their text, or raises their rows.
//!
//! LibreOffice measures the cells that may be cut by fitting their column to them. A column without cut cells gets its width back,
//! so that a sheet without them does not change.

mod candidates;

use std::collections::HashMap;

use markup::{Limits, Options, Reader, SheetCells};
use office::Document;
use office::kit::sheets::{Sheet, Sizes, cell_name};
use task::Task;

use self::candidates::Span;

/// Maximum number of cells of a sheet.
const MAX_CELLS: usize = 500_000;
/// Maximum number of sheets.
const MAX_SHEETS: i32 = 100;
/// Maximum number of measurements in a document, which bounds the time. [`MEASURED_ROWS`] rows count as one more.
const MAX_MEASURED: u32 = 200;
const MEASURED_ROWS: u32 = 100;
/// Maximum number of rows of a span that get their height back because fitting lowered them.
const MAX_LOWERED: usize = 200;
/// Maximum number of spans that are measured in a column, the widest first.
const MAX_SPANS: usize = 16;
/// Maximum width to which a column is widened for text and for numbers, in twips (7 and 14 cm). Longer text is wrapped.
const MAX_TEXT_WIDTH: u32 = 4_000;
const MAX_NUMBER_WIDTH: u32 = 8_000;
/// What LibreOffice adds to the optimal width of a column, and a tolerance, in twips.
const EXTRA_WIDTH: u32 = 113;
const TOLERANCE: u32 = 15;
/// Half a line in twips: a row that lacks less shows its text.
const HALF_LINE: u32 = 120;
/// Width of A4, and of the margins of a page, in twips.
const A4: f32 = 11_906.0;
const MARGINS: f32 = 2_000.0;
/// The last column of a sheet, from 0.
const LAST_COLUMN: u32 = 16_383;
const LAST_ROW: u32 = 1_048_575;

/// Changes the visible sheets of a spreadsheet in which cells are cut, except for protected ones.
pub(super) fn show_whole(document: &Document<'_>, task: &Task) {
    if task.from.is_delimited_text() {
        return;
    }
    // A document that only LibreOffice can read, such as an encrypted one, stays as it is.
    let options = Options {
        limits: Limits {
            placed_cells: MAX_CELLS,
            ..Limits::default()
        },
        locale: task::options::locale(&task.operation),
        speaker_notes: false,
    };
    let Ok(mut reader) = Reader::open(&task.source, task.from, &options) else {
        return;
    };
    let sheets = (0..document.sheets().min(MAX_SHEETS)).filter_map(|index| {
        let sheet = document.sheet(index)?;
        Some((sheet.name.clone(), (index, sheet)))
    });
    let sheets: HashMap<String, (i32, Sheet)> = sheets.collect();
    let mut left = MAX_MEASURED;
    while left > 0
        && let Ok(Some(cells)) = reader.next_sheet()
    {
        let found = sheets.get(&cells.name);
        if let Some((index, sheet)) = found.filter(|(_, sheet)| sheet.is_editable()) {
            document.show_sheet(*index);
            fit_columns(document, sheet, &cells, &mut left);
            fit_rows(document, sheet, &cells, &mut left);
        }
    }
}

fn fit_columns(document: &Document<'_>, sheet: &Sheet, cells: &SheetCells, left: &mut u32) {
    let sizes = document.column_widths();
    let mut widths: Vec<u32> = (0..=sheet.last_column.min(LAST_COLUMN))
        .map(
            |column| match cells.hidden_columns.contains(&(column as usize)) {
                true => 0,
                false => sizes.get(column),
            },
        )
        .collect();
    let page = match cells.page.width > 0.0 {
        true => cells.page.width * 20.0,
        false => A4,
    };
    let page = (page - MARGINS) as u32;
    // Below the content, where no cells are merged, unless the content reaches the last row.
    let below = (sheet.last_row + 1).min(LAST_ROW);
    for (column, spans) in candidates::columns(cells, &widths, sheet.is_right_to_left()) {
        let before = *left;
        let cut = cut(document, &sizes, column, spans, left);
        if *left == before {
            return;
        }
        let width = chosen_width(&mut widths, column, &cut, page);
        document.select(&cell_name(below, column));
        document.set_column_width(width);
        let wrapped = cut
            .iter()
            .filter(|(span, needed)| !span.is_number && *needed > width);
        wrapped.for_each(|(span, _)| wrap(document, column, span));
    }
}

/// Wraps the text of a span, and raises its rows where that is needed.
fn wrap(document: &Document<'_>, column: u32, span: &Span) {
    let before = document.row_heights();
    select(document, column, span);
    document.wrap_text();
    document.fit_rows();
    let fitted = document.row_heights();
    let lowered =
        (span.first_row..=span.last_row).filter(|row| fitted.get(*row) < before.get(*row));
    for row in lowered.take(MAX_LOWERED) {
        document.select(&cell_name(row, column));
        document.set_row_height(before.get(row));
    }
}

/// Returns the spans of a column that are cut, with the width of the column that shows them in one line.
fn cut(
    document: &Document<'_>,
    sizes: &Sizes,
    column: u32,
    mut spans: Vec<Span>,
    left: &mut u32,
) -> Vec<(Span, u32)> {
    spans.sort_by_key(|span| std::cmp::Reverse(span.width.saturating_sub(span.free)));
    let mut cut = Vec::new();
    for span in spans.into_iter().take(MAX_SPANS) {
        let Some(rest) = left.checked_sub(1 + (span.last_row - span.first_row) / MEASURED_ROWS)
        else {
            break;
        };
        *left = rest;
        select(document, column, &span);
        document.fit_columns();
        let needed = document
            .column_widths()
            .get(column)
            .saturating_sub(span.free);
        if needed > sizes.get(column) + EXTRA_WIDTH + TOLERANCE {
            cut.push((span, needed));
        }
    }
    cut
}

fn select(document: &Document<'_>, column: u32, span: &Span) {
    let (first, last) = (
        cell_name(span.first_row, column),
        cell_name(span.last_row, column),
    );
    document.select(&format!("{first}:{last}"));
}

/// Returns the new width of a column, and replaces it in `widths`: that of the widest number, and that of the widest text with which
/// the sheet does not need more pages in width. Longer text is wrapped, for which the column is as wide as the longest word.
fn chosen_width(widths: &mut [u32], column: u32, cut: &[(Span, u32)], page: u32) -> u32 {
    let own = widths.get(column as usize).copied().unwrap_or(0);
    let mut pages_with = |width| {
        if let Some(own) = widths.get_mut(column as usize) {
            *own = width;
        }
        pages(widths, page)
    };
    let (numbers, texts): (Vec<_>, Vec<_>) = cut.iter().partition(|(span, _)| span.is_number);
    let number = numbers.iter().map(|(_, needed)| *needed).max();
    let least = own.max(number.unwrap_or(0).min(MAX_NUMBER_WIDTH));
    let count = pages_with(least);
    let bounded = |needed: u32| needed.min(MAX_TEXT_WIDTH);
    let mut needed: Vec<u32> = texts.iter().map(|(_, needed)| bounded(*needed)).collect();
    needed.retain(|needed| *needed > least);
    needed.sort_unstable_by_key(|needed| std::cmp::Reverse(*needed));
    let widest = needed.into_iter().find(|width| pages_with(*width) <= count);
    let width = widest.unwrap_or(least);
    let wrapped = texts.iter().filter(|(_, needed)| *needed > width);
    let word = wrapped.map(|(span, _)| span.word.min(MAX_TEXT_WIDTH)).max();
    let width = width.max(word.unwrap_or(0));
    pages_with(width);
    width
}

/// The number of pages across that columns need.
fn pages(widths: &[u32], page: u32) -> u32 {
    let (mut count, mut used) = (1, 0);
    for width in widths {
        if used > 0 && used + width > page {
            (count, used) = (count + 1, 0);
        }
        used += width;
    }
    count
}

/// Raises rows in which wrapped text is cut.
fn fit_rows(document: &Document<'_>, sheet: &Sheet, cells: &SheetCells, left: &mut u32) {
    let (widths, heights) = (document.column_widths(), document.row_heights());
    let mut rows = candidates::rows(cells, |column| widths.get(column), |row| heights.get(row));
    rows.truncate(*left as usize);
    if rows.is_empty() {
        return;
    }
    *left -= rows.len() as u32;
    let empty_column = (sheet.last_column + 1).min(LAST_COLUMN);
    for row in &rows {
        document.select(&cell_name(*row, empty_column));
        document.fit_rows();
    }
    let fitted = document.row_heights();
    for row in rows {
        let (height, fitted) = (heights.get(row), fitted.get(row));
        if fitted != height && fitted < height + HALF_LINE {
            document.select(&cell_name(row, empty_column));
            document.set_row_height(height);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(is_number: bool, word: u32, needed: u32) -> (Span, u32) {
        let span = Span {
            first_row: 0,
            last_row: 0,
            is_number,
            free: 0,
            width: needed,
            word,
        };
        (span, needed)
    }

    #[test]
    fn text_widens_its_column_unless_the_sheet_would_need_more_pages() {
        let chosen = |cut: &[_]| chosen_width(&mut [4_000, 1_000, 4_000], 1, cut, 10_000);
        assert_eq!(chosen(&[]), 1_000);
        assert_eq!(chosen(&[cut(false, 500, 1_900)]), 1_900);
        let long = cut(false, 1_200, 3_000);
        assert_eq!(chosen(&[long]), 1_200);
        assert_eq!(chosen(&[long, cut(false, 0, 1_500)]), 1_500);
        assert_eq!(chosen(&[cut(true, 0, 3_000)]), 3_000);
        assert_eq!(chosen(&[cut(true, 0, 90_000)]), MAX_NUMBER_WIDTH);
        let very_long = [cut(false, 0, 90_000)];
        assert_eq!(
            chosen_width(&mut [1_000], 0, &very_long, 10_000),
            MAX_TEXT_WIDTH
        );
    }
}
