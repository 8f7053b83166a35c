//! Tables.

use std::fmt::Write as _;

use super::slide::Slide;
use super::text::{self, ParagraphStyle};
use crate::writers::direction::is_rtl_table;
use crate::writers::grid::{Grid, GridCell, Slot};
use crate::writers::ooxml::drawingml::solid_fill;
use crate::writers::page_transform::{EmuRect, units};
use crate::writers::plain;
use crate::{Alignment, Block, Borders, Cell, Content, Rect, Run, Style, Table};

/// Writes a table in its bounds, unless it has no rows or columns.
pub(super) fn frame(slide: &mut Slide<'_>, table: &Table, bounds: Rect) {
    let whole = Grid::of(table);
    // Some programs drop rows and columns in which no cell begins, and would lose the cells after them.
    let (grid, rows, columns) = whole.without_empty_tracks();
    if grid.rows == 0 || grid.columns == 0 {
        return;
    }
    let place = slide.place(bounds);
    let name = slide.named("Table", "");
    let direction = if is_rtl_table(table) {
        " rtl=\"1\""
    } else {
        ""
    };
    let header = if grid.header_rows > 0 {
        " firstRow=\"1\""
    } else {
        ""
    };
    write!(
        slide.xml,
        "<p:graphicFrame><p:nvGraphicFramePr>{name}<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp=\"1\"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>{}\
<a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl><a:tblPr{direction}{header}/><a:tblGrid>",
        place.xml("p:xfrm")
    )
    .ok();
    let widths = widths(table, whole.columns, place, slide.frame.scale);
    for width in sums(&widths, &columns) {
        write!(slide.xml, "<a:gridCol w=\"{width}\"/>").ok();
    }
    slide.xml.push_str("</a:tblGrid>");
    let height = place.height / i64::try_from(whole.rows).unwrap_or(i64::MAX);
    let heights = sums(&vec![height; whole.rows], &rows);
    let black = table.has_grid().then_some([0; 3]);
    let around = Borders {
        top: black,
        right: black,
        bottom: black,
        left: black,
    };
    for (row, height) in heights.into_iter().enumerate() {
        write!(slide.xml, "<a:tr h=\"{height}\">").ok();
        cells(slide, table, &grid, row, around);
        slide.xml.push_str("</a:tr>");
    }
    slide
        .xml
        .push_str("</a:tbl></a:graphicData></a:graphic></p:graphicFrame>");
}

/// Writes the cells of a row; `around` are the lines of cells without borders of their own.
fn cells(slide: &mut Slide<'_>, table: &Table, grid: &Grid, row: usize, around: Borders) {
    let mut left: Option<GridCell> = None;
    for slot in grid.row(row) {
        let (merged, blocks) = match slot {
            Slot::Empty => (String::new(), &[][..]),
            Slot::Begins(placed) => {
                left = Some(placed);
                let blocks = table
                    .cells
                    .get(placed.cell)
                    .map_or(&[][..], |cell| &cell.blocks);
                (
                    span("rowSpan", placed.row_span) + &span("gridSpan", placed.column_span),
                    blocks,
                )
            }
            Slot::FromAbove(placed) => {
                left = Some(placed);
                (
                    span("gridSpan", placed.column_span) + " vMerge=\"1\"",
                    &[][..],
                )
            }
            Slot::FromLeft => (covered(left, row), &[][..]),
        };
        let look = match slot {
            Slot::Empty => None,
            Slot::Begins(placed) | Slot::FromAbove(placed) => Some(placed),
            Slot::FromLeft => left,
        };
        let look = look.and_then(|placed| table.cells.get(placed.cell));
        cell(slide, &lines_and_fill(look, around), &merged, blocks);
    }
}

/// Returns the merge attribute of a position that the cell on its left spans.
fn covered(left: Option<GridCell>, row: usize) -> String {
    match left {
        Some(left) if left.row < row => " hMerge=\"1\" vMerge=\"1\"".to_owned(),
        Some(left) => span("rowSpan", left.row_span) + " hMerge=\"1\"",
        None => String::new(),
    }
}

fn span(name: &str, count: usize) -> String {
    if count > 1 {
        format!(" {name}=\"{count}\"")
    } else {
        String::new()
    }
}

/// Returns the lines around a cell and the color behind it.
fn lines_and_fill(cell: Option<&Cell>, around: Borders) -> String {
    let borders = cell.and_then(|cell| cell.borders).unwrap_or(around);
    let sides = [
        ("L", borders.left),
        ("R", borders.right),
        ("T", borders.top),
        ("B", borders.bottom),
    ];
    let sides = sides.into_iter().filter_map(|(side, color)| {
        let fill = solid_fill(color?);
        Some(format!("<a:ln{side} w=\"6350\">{fill}</a:ln{side}>"))
    });
    let fill = cell.and_then(|cell| cell.fill).map(solid_fill);
    sides.chain(fill).collect()
}

fn cell(slide: &mut Slide<'_>, properties: &str, merged: &str, blocks: &[Block]) {
    let mut paragraphs: String = blocks
        .iter()
        .map(|block| paragraphs(slide, block))
        .collect();
    if paragraphs.is_empty() {
        paragraphs.push_str("<a:p/>");
    }
    write!(
        slide.xml,
        "<a:tc{merged}><a:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</a:txBody>\
<a:tcPr marL=\"38100\" marR=\"38100\" marT=\"0\" marB=\"0\">{properties}</a:tcPr></a:tc>"
    )
    .ok();
}

/// Returns the paragraphs of a block in a cell; cells cannot contain tables and pictures.
fn paragraphs(slide: &mut Slide<'_>, block: &Block) -> String {
    match &block.content {
        Content::Heading { runs, .. } => text::paragraph(slide, runs, &ParagraphStyle::default()),
        Content::Paragraph {
            runs, alignment, ..
        } => text::paragraph(
            slide,
            runs,
            &ParagraphStyle {
                alignment: *alignment,
                ..ParagraphStyle::default()
            },
        ),
        Content::List { items } => text::list(slide, items),
        Content::Table(_) | Content::Footnote { .. } => {
            let run = Run {
                text: plain::of_block(block),
                style: Style::default(),
                link: None,
            };
            text::paragraph(
                slide,
                &[run],
                &ParagraphStyle {
                    alignment: Alignment::Start,
                    ..ParagraphStyle::default()
                },
            )
        }
        Content::Image { .. } | Content::Rule => String::new(),
    }
}

/// Returns the sum of the lengths from each index to the next, and from the last to the end.
fn sums(lengths: &[i64], firsts: &[usize]) -> Vec<i64> {
    let ends = firsts.iter().skip(1).copied().chain([lengths.len()]);
    let sum = |(first, end): (&usize, usize)| lengths.get(*first..end).into_iter().flatten().sum();
    firsts.iter().zip(ends).map(sum).collect()
}

/// Returns the column widths; unknown ones share the width of the table.
fn widths(table: &Table, columns: usize, place: EmuRect, scale: f32) -> Vec<i64> {
    let even = place.width / i64::try_from(columns).unwrap_or(i64::MAX).max(1);
    let width = |column: usize| match table.widths.get(column) {
        Some(width) if *width > 0.0 => units(width * scale),
        _ => even,
    };
    (0..columns).map(|column| width(column).max(1)).collect()
}
