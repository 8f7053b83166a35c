//! Tables.

use layout::Table;

use super::Reader;
use super::paragraph;
use crate::error::Result;
use crate::flow::Flow;
use crate::grid::{Grid, TableProperties};
use crate::units;
use crate::xml::Element;

/// Reads a table; `None` if it is empty.
pub(super) fn read(reader: &mut Reader<'_>, element: &Element) -> Result<Option<Table>> {
    let mut grid = Grid::default();
    for row in element.all("a:tr") {
        grid.row(&reader.package.budget)?;
        for (column, cell) in row.all("a:tc").enumerate() {
            self::cell(reader, cell, column, &mut grid)?;
        }
    }
    let columns = element
        .find("a:tblGrid")
        .into_iter()
        .flat_map(|grid| grid.all("a:gridCol"));
    let width = |column: &Element| column.get("w").and_then(units::emu).unwrap_or(0.0).max(0.0);
    let header = element
        .find("a:tblPr")
        .and_then(|properties| properties.get("firstRow"));
    Ok(grid.finish(TableProperties {
        widths: columns.map(width).collect(),
        header_rows: usize::from(matches!(header, Some("1" | "true"))),
        ruled: true,
    }))
}

fn cell(reader: &mut Reader<'_>, cell: &Element, column: usize, grid: &mut Grid) -> Result {
    let is = |name| matches!(cell.get(name), Some("1" | "true"));
    if is("hMerge") || is("vMerge") {
        return Ok(());
    }
    let mut flow = Flow::default();
    if let Some(body) = cell.find("a:txBody") {
        paragraph::text(reader, body, None, false, &mut flow);
    }
    let span = |name| cell.number::<usize>(name).unwrap_or(1);
    grid.cell(
        column,
        (span("rowSpan"), span("gridSpan")),
        flow.into_blocks(),
        &reader.package.budget,
    )
}
