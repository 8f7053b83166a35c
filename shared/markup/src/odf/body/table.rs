//! Tables in text and on slides.

use layout::Table;

use super::Body;
use crate::error::Result;
use crate::flow;
use crate::grid::{Grid, Lines, TableProperties};
use crate::xml::Element;

/// A table that is being read.
#[derive(Default)]
struct Open {
    grid: Grid,
    widths: Vec<f32>,
    header_rows: usize,
    lines: Lines,
    /// Whether the current row is a repetition.
    is_repetition: bool,
}

/// Reads a table; `None` if it is empty.
pub(super) fn read(body: &mut Body, element: &Element) -> Result<Option<Table>> {
    let mut open = Open::default();
    rows(body, element, false, &mut open)?;
    Ok(open.grid.finish(TableProperties {
        widths: open.widths,
        header_rows: open.header_rows,
        ruled: open.lines.divide(),
    }))
}

fn rows(body: &mut Body, element: &Element, header: bool, open: &mut Open) -> Result {
    for inner in element.elements() {
        match inner.name() {
            "table:table-header-rows" => {
                rows(body, inner, open.header_rows == open.grid.rows(), open)?
            }
            "table:table-rows"
            | "table:table-row-group"
            | "table:table-columns"
            | "table:table-column-group"
            | "table:table-header-columns" => rows(body, inner, header, open)?,
            "table:table-column" => column(body, inner, open),
            "table:table-row" => {
                let count = inner
                    .number("table:number-rows-repeated")
                    .unwrap_or(1_usize);
                for copy in 0..count.max(1) {
                    open.is_repetition = copy > 0;
                    open.header_rows += usize::from(header);
                    row(body, inner, open)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn column(body: &Body, element: &Element, open: &mut Open) {
    let width = body
        .styles
        .get("table-column", element.get("table:style-name"))
        .width
        .unwrap_or(0.0);
    let count = element
        .number("table:number-columns-repeated")
        .unwrap_or(1_usize);
    let room = body
        .package
        .budget
        .limits
        .columns
        .saturating_sub(open.widths.len());
    open.widths
        .extend(std::iter::repeat_n(width, count.clamp(1, room.max(1))));
}

fn row(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    open.grid.row(&body.package.budget)?;
    let mut column = 0_usize;
    for cell in element.elements() {
        let count = cell
            .number("table:number-columns-repeated")
            .unwrap_or(1_usize)
            .max(1);
        if cell.is("table:covered-table-cell") {
            column = column.saturating_add(count);
            continue;
        }
        if !cell.is("table:table-cell") {
            continue;
        }
        let style = body.styles.get("table-cell", cell.get("table:style-name"));
        open.lines.cell(style.lines.unwrap_or(0));
        let span = |name| cell.number(name).unwrap_or(1_usize).max(1);
        let spans = (
            span("table:number-rows-spanned"),
            span("table:number-columns-spanned"),
        );
        for copy in 0..count {
            let blocks = body.nested(cell)?;
            if copy > 0 || open.is_repetition {
                body.package.budget.spend(flow::weight(&blocks))?;
            }
            open.grid
                .cell(column, spans, blocks, &body.package.budget)?;
            column = column.saturating_add(1);
        }
    }
    Ok(())
}
