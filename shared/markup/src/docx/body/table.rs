//! Tables.

use layout::Table;

use super::Body;
use crate::docx::properties::{is_on, value};
use crate::docx::styles;
use crate::error::Result;
use crate::grid::{Grid, Lines, TableProperties};
use crate::units;
use crate::xml::Element;

/// Reads a table; `None` if it is empty.
pub(super) fn read(body: &mut Body<'_>, element: &Element) -> Result<Option<Table>> {
    let mut rows = Vec::new();
    within(element, "w:tr", &mut rows);
    let mut grid = Grid::default();
    let (mut header_rows, mut lines) = (0, Lines::default());
    for row in rows {
        let properties = row.find("w:trPr");
        let has = |name| properties.is_some_and(|properties| properties.find(name).is_some());
        if has("w:del") {
            continue;
        }
        let is_header = properties.is_some_and(|properties| is_on(properties, "w:tblHeader"));
        header_rows += usize::from(is_header && header_rows == grid.rows());
        self::row(body, row, &mut grid)?;
        for cell in cells(row) {
            let sides = cell.parts.iter().map(|part| sides(part));
            lines.cell(sides.max().unwrap_or(0));
        }
    }
    let frame = frame(body, element, header_rows, lines);
    Ok(grid.finish(frame))
}

fn row(body: &mut Body<'_>, row: &Element, grid: &mut Grid) -> Result {
    grid.row(&body.package.budget)?;
    let before = row
        .find("w:trPr")
        .and_then(|properties| value(properties, "w:gridBefore")?.parse().ok());
    let mut column: usize = before.unwrap_or(0);
    for cell in cells(row) {
        self::cell(body, &cell, column, grid)?;
        column = column.saturating_add(cell.span);
    }
    Ok(())
}

/// A cell of a row.
struct MergedCell<'a> {
    /// The first cell and those horizontally merged into it.
    parts: Vec<&'a Element>,
    /// Number of grid columns spanned.
    span: usize,
}

/// Returns the cells of a row; `hMerge` continuations are merged.
fn cells(row: &Element) -> Vec<MergedCell<'_>> {
    let mut found = Vec::new();
    within(row, "w:tc", &mut found);
    let mut cells: Vec<MergedCell<'_>> = Vec::new();
    for part in found {
        let span = span(part);
        match cells.last_mut().filter(|_| continues_merge(part)) {
            Some(cell) => {
                cell.parts.push(part);
                cell.span = cell.span.saturating_add(span);
            }
            None => cells.push(MergedCell {
                parts: vec![part],
                span,
            }),
        }
    }
    cells
}

/// Whether a cell continues the cell before it (`hMerge`, written by old versions).
fn continues_merge(cell: &Element) -> bool {
    let merge = cell.at(&["w:tcPr", "w:hMerge"]);
    merge.is_some_and(|merge| merge.get("w:val") != Some("restart"))
}

fn cell(body: &mut Body<'_>, cell: &MergedCell<'_>, column: usize, grid: &mut Grid) -> Result {
    let first = cell.parts.first();
    let merge = first
        .and_then(|first| first.at(&["w:tcPr", "w:vMerge"]))
        .map(|merge| merge.get("w:val").unwrap_or("continue"));
    if merge == Some("continue") && grid.extend_vertical_merge(column) {
        return Ok(());
    }
    let mut blocks = Vec::new();
    for part in &cell.parts {
        blocks.extend(body.nested(part)?);
    }
    grid.cell(column, (1, cell.span), blocks, &body.package.budget)?;
    if merge.is_some() {
        grid.start_vertical_merge();
    }
    Ok(())
}

/// Returns the number of sides with a border.
fn sides(cell: &Element) -> usize {
    let borders = cell.at(&["w:tcPr", "w:tcBorders"]);
    borders.map_or(0, |borders| styles::bordered_sides(borders).count())
}

fn span(cell: &Element) -> usize {
    let span = cell
        .find("w:tcPr")
        .and_then(|properties| value(properties, "w:gridSpan")?.parse().ok());
    span.unwrap_or(1).clamp(1, 16_384)
}

fn frame(body: &Body<'_>, element: &Element, header_rows: usize, lines: Lines) -> TableProperties {
    let properties = element.find("w:tblPr");
    let style = properties.and_then(|properties| body.styles.get(value(properties, "w:tblStyle")?));
    let own = properties
        .and_then(|properties| properties.find("w:tblBorders"))
        .is_some_and(|borders| {
            styles::divides(borders)
                || (lines.of_one() && styles::bordered_sides(borders).next().is_some())
        });
    let shows_first = properties
        .and_then(|properties| properties.find("w:tblLook"))
        .is_some_and(shows_first_row);
    let styled = shows_first && style.is_some_and(|style| style.has_header);
    let columns = element
        .find("w:tblGrid")
        .into_iter()
        .flat_map(|grid| grid.all("w:gridCol"));
    let width = |column: &Element| {
        column
            .get("w:w")
            .and_then(units::twips)
            .unwrap_or(0.0)
            .max(0.0)
    };
    TableProperties {
        widths: columns.map(width).collect(),
        header_rows: header_rows.max(usize::from(styled)),
        ruled: own || lines.divide() || style.is_some_and(|style| style.ruled),
    }
}

fn shows_first_row(look: &Element) -> bool {
    match look.get("w:firstRow") {
        Some(value) => matches!(value, "1" | "true" | "on"),
        None => {
            let bits = look
                .get("w:val")
                .and_then(|bits| u32::from_str_radix(bits, 16).ok());
            bits.is_some_and(|bits| bits & 0x20 != 0)
        }
    }
}

/// Collects descendants with this name, also in content controls and tracked insertions.
fn within<'a>(element: &'a Element, name: &str, found: &mut Vec<&'a Element>) {
    for inner in element.elements() {
        match inner.name() {
            inner_name if inner_name == name => found.push(inner),
            "w:sdt" | "w:sdtContent" | "w:customXml" | "w:ins" | "w:moveTo" => {
                within(inner, name, found)
            }
            _ => {}
        }
    }
}
