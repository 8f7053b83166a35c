//! Cells whose content may be cut, from upper bounds of the space that it needs.

use std::collections::BTreeMap;

use layout::Alignment;
use markup::{Overflow, PlacedCell, SheetCells};

/// Maximum number of rows of a span.
const MAX_ROWS: u32 = 2_000;
/// Height of a line in units of the font size.
const LINE_HEIGHT: f32 = 1.2;
/// A row is a candidate if its text needs this many times its height: the bound of a fitting text is often higher than the row.
const ROW_TOLERANCE: f32 = 1.5;

/// Cells of consecutive rows of a column that may be cut, in twips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first_row: u32,
    pub(super) last_row: u32,
    pub(super) is_number: bool,
    /// Width of the empty cells next to it, over which its text may continue.
    pub(super) free: u32,
    /// Bounds of the longest line and of the longest word.
    pub(super) width: u32,
    pub(super) word: u32,
}

/// Returns the candidates of each column. `widths` has the width of each column, 0 if it is hidden.
pub(super) fn columns(
    cells: &SheetCells,
    widths: &[u32],
    is_right_to_left: bool,
) -> BTreeMap<u32, Vec<Span>> {
    let mut offsets = vec![0_u32];
    offsets.extend(widths.iter().scan(0_u32, |offset, width| {
        *offset = offset.saturating_add(*width);
        Some(*offset)
    }));
    let offset = |column: usize| offsets.get(column).copied();
    let mut columns: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    for row in cells.cells.chunk_by(|one, other| one.row == other.row) {
        for (at, cell) in row.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| row.get(at));
            let left = before.map_or(Some(0), |cell| offset(cell.column + 1));
            let right = row.get(at + 1).and_then(|cell| offset(cell.column));
            let (Some(left), Some(start), Some(end)) =
                (left, offset(cell.column), offset(cell.column + 1))
            else {
                continue;
            };
            let (left, right) = (start - left, right.unwrap_or(u32::MAX) - end);
            let free = free(cell, left, right, is_right_to_left);
            let is_candidate = matches!(cell.overflow, Overflow::Continue | Overflow::Hide)
                && end > start
                && twips(cell.width) > (end - start).saturating_add(free);
            if is_candidate && let Some(span) = span(cell, free) {
                add(columns.entry(cell.column as u32).or_default(), span);
            }
        }
    }
    columns
}

/// Returns the rows with wrapped text that may be cut. `column_width` and `row_height` return sizes in twips.
pub(super) fn rows(
    cells: &SheetCells,
    column_width: impl Fn(u32) -> u32,
    row_height: impl Fn(u32) -> u32,
) -> Vec<u32> {
    let wrapped = cells
        .cells
        .iter()
        .filter(|cell| cell.overflow == Overflow::Wrap);
    let mut rows: Vec<u32> = wrapped
        .filter_map(|cell| {
            let (row, column) = (
                u32::try_from(cell.row).ok()?,
                u32::try_from(cell.column).ok()?,
            );
            let width = column_width(column).max(1) as f32 / 20.0;
            let lines = (cell.length / width).ceil() + cell.lines as f32 - 1.0;
            let needed = twips(lines * cell.font_size * LINE_HEIGHT);
            (needed as f32 > row_height(row) as f32 * ROW_TOLERANCE).then_some(row)
        })
        .collect();
    rows.dedup();
    rows
}

/// The width of the empty cells over which the text of a cell may continue. Where the side depends on the text, the larger one.
fn free(cell: &PlacedCell, left: u32, right: u32, is_right_to_left: bool) -> u32 {
    match cell.alignment {
        _ if cell.overflow == Overflow::Hide => 0,
        Alignment::Center => left.min(right).saturating_mul(2),
        _ if is_right_to_left || cell.right_to_left => left.max(right),
        Alignment::End => left,
        Alignment::Start | Alignment::Justified => right,
    }
}

fn span(cell: &PlacedCell, free: u32) -> Option<Span> {
    let row = u32::try_from(cell.row).ok()?;
    Some(Span {
        first_row: row,
        last_row: row,
        is_number: cell.overflow == Overflow::Hide,
        free,
        width: twips(cell.width),
        word: twips(cell.word),
    })
}

/// Adds a cell to the last span of its column if it is below it and of its kind.
fn add(spans: &mut Vec<Span>, span: Span) {
    match spans.last_mut() {
        Some(last)
            if last.last_row + 1 == span.first_row
                && span.first_row - last.first_row < MAX_ROWS
                && (last.is_number, last.free) == (span.is_number, span.free) =>
        {
            last.last_row = span.first_row;
            last.width = last.width.max(span.width);
            last.word = last.word.max(span.word);
        }
        _ => spans.push(span),
    }
}

fn twips(points: f32) -> u32 {
    (points * 20.0).clamp(0.0, 1_000_000.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: usize, column: usize, alignment: Alignment, overflow: Overflow) -> PlacedCell {
        PlacedCell {
            row,
            column,
            alignment,
            overflow,
            right_to_left: false,
            width: 100.0,
            word: 20.0,
            length: 100.0,
            lines: 1,
            font_size: 10.0,
        }
    }

    #[test]
    fn text_beside_empty_cells_is_no_candidate() {
        use Alignment::{Center, End, Start};
        use Overflow::{Continue, Hide, Other, Wrap};
        // One cell of interest, the columns of others in its row, and whether it is a candidate.
        let cases = [
            (Start, Continue, [0, 2], true),
            (Start, Continue, [0, 4], false),
            (Start, Hide, [0, 4], true),
            (Start, Wrap, [0, 2], false),
            (Start, Other, [0, 2], false),
            (End, Continue, [0, 4], true),
            (Center, Continue, [0, 4], true),
        ];
        for (alignment, overflow, others, expected) in cases {
            let mut row: Vec<_> = others
                .iter()
                .map(|column| cell(3, *column, Start, Other))
                .collect();
            row.insert(1, cell(3, 1, alignment, overflow));
            let cells = SheetCells {
                cells: row,
                ..SheetCells::default()
            };
            let found = columns(&cells, &[800; 6], false);
            let found: Vec<_> = found.into_keys().collect();
            let expected = if expected { vec![1] } else { vec![] };
            assert_eq!(found, expected, "{alignment:?} {overflow:?} {others:?}");
        }
    }

    #[test]
    fn consecutive_cells_are_one_span() {
        let at = |row| cell(row, 0, Alignment::Start, Overflow::Hide);
        let cells = SheetCells {
            cells: vec![at(0), at(1), at(3)],
            ..SheetCells::default()
        };
        let found = columns(&cells, &[800], false);
        let rows = found.get(&0).unwrap().iter();
        let rows: Vec<_> = rows.map(|span| (span.first_row, span.last_row)).collect();
        assert_eq!(rows, [(0, 1), (3, 3)]);
    }

    #[test]
    fn rows_that_are_too_low_for_their_wrapped_text_are_candidates() {
        let cells = SheetCells {
            cells: vec![
                cell(0, 0, Alignment::Start, Overflow::Wrap),
                cell(1, 0, Alignment::Start, Overflow::Wrap),
                cell(2, 0, Alignment::Start, Overflow::Continue),
            ],
            ..SheetCells::default()
        };
        let height = |row| if row == 1 { 720 } else { 240 };
        assert_eq!(rows(&cells, |_| 800, height), [0]);
    }
}
