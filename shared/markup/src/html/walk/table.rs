//! Tables.

use layout::{Block, Table};

use super::{Walk, has_class};
use crate::error::Result;
use crate::grid::{Grid, TableProperties};
use crate::html::context::Context;
use crate::html::inline_style;
use crate::paper;
use crate::warning::Loss;
use crate::xml::Element;

/// Remaining rows of the row span that covers each column.
type Reach = Vec<usize>;

/// Reads a table and its caption.
pub(super) fn read(
    walk: &mut Walk,
    element: &Element,
    context: &Context,
) -> Result<(Vec<Block>, Option<Table>)> {
    let mut caption = Vec::new();
    for inner in element.all("caption") {
        if inline_style::is_hidden(inner) {
            walk.losses.add(Loss::Hidden);
            continue;
        }
        caption.extend(walk.nested(inner, context)?);
    }
    let (rows, heads, hidden) = rows(element);
    walk.losses.add_many(Loss::Hidden, hidden);
    let (mut grid, mut reach, mut columns) = (Grid::default(), Reach::new(), 0);
    let all_heads = |row: &&Element| {
        row.elements().any(|cell| cell.is("th")) && row.elements().all(|cell| !cell.is("td"))
    };
    let header_rows = heads.max(rows.iter().take_while(|row| all_heads(row)).count());
    let count = rows.len();
    for (index, row) in rows.iter().enumerate() {
        grid.row(&walk.budget)?;
        let width = self::row(walk, row, context, &mut grid, (&mut reach, count - index))?;
        columns = columns.max(width);
    }
    let width = paper::TEXT_WIDTH / columns.max(1) as f32;
    let table = grid.finish(TableProperties {
        widths: vec![width; columns],
        // A table in which all rows are header rows has none.
        header_rows: if header_rows < count { header_rows } else { 0 },
        ruled: walk.rules_tables || is_ruled(element, &rows),
    });
    Ok((caption, table))
}

/// Whether the table or one of its cells has a border.
fn is_ruled(element: &Element, rows: &[&Element]) -> bool {
    let by_cell = |row: &&Element| row.elements().any(inline_style::has_border);
    element.get("border").is_some_and(|border| border != "0")
        || has_class(element, "ruled")
        || inline_style::has_border(element)
        || rows.iter().any(by_cell)
}

/// Returns the shown rows in display order (`thead`, `tbody`, `tfoot`), the number of header rows, and that of hidden rows.
fn rows(element: &Element) -> (Vec<&Element>, usize, u32) {
    let (mut heads, mut body, mut feet, mut hidden) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for inner in element.elements() {
        let section = match inner.name() {
            "thead" => &mut heads,
            "tfoot" => &mut feet,
            "tbody" => &mut body,
            _ => continue,
        };
        for row in inner.all("tr") {
            match is_shown(&inner) && is_shown(&row) {
                true => section.push(row),
                false => hidden += 1,
            }
        }
    }
    let count = heads.len();
    let rows = heads.into_iter().chain(body).chain(feet);
    (rows.collect(), count, hidden)
}

fn is_shown(element: &&Element) -> bool {
    !inline_style::is_hidden(element)
}

/// Reads a row and returns its number of columns.
fn row(
    walk: &mut Walk,
    row: &Element,
    context: &Context,
    grid: &mut Grid,
    (reach, left): (&mut Reach, usize),
) -> Result<usize> {
    let mut column = 0;
    let cells = row.elements().filter(|cell| cell.is("td") || cell.is("th"));
    for cell in cells {
        let is_hidden = inline_style::is_hidden(cell);
        walk.losses.add_many(Loss::Hidden, u32::from(is_hidden));
        if inline_style::is_removed(cell) {
            continue;
        }
        while reach.get(column).is_some_and(|rows| *rows > 0) {
            column += 1;
        }
        let span_attribute = |name| cell.number::<usize>(name);
        let column_span = span_attribute("colspan").unwrap_or(1).clamp(1, 1_000);
        let row_span = span_attribute("rowspan")
            .map_or(1, |rows| if rows == 0 { left } else { rows.min(left) });
        let blocks = match is_hidden {
            true => Vec::new(),
            false => walk.nested(cell, context)?,
        };
        grid.cell(column, (row_span, column_span), blocks, &walk.budget)?;
        reach.resize(reach.len().max(column + column_span), 0);
        reach
            .iter_mut()
            .skip(column)
            .take(column_span)
            .for_each(|rows| *rows = row_span);
        column += column_span;
    }
    reach
        .iter_mut()
        .for_each(|rows| *rows = rows.saturating_sub(1));
    Ok(column)
}
