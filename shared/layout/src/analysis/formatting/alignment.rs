//! The alignment of table cells: that of the edge at which the texts of a column meet, or the middle of their areas.

use super::tracks::Tracks;
use crate::model::block::{Alignment, Block, Borders, Cell, Content, Table};
use crate::model::geometry::Rect;

/// Distance within which edges meet, points.
const MEETS: f32 = 1.5;
/// Least number of texts that show an alignment, and least part of them that meet.
const TEXTS: usize = 2;
const AGREEING: (usize, usize) = (4, 5);
/// Greatest height of one line, in font sizes. More lines show their alignment themselves.
const LINE: f32 = 1.7;

/// The position of a text that its alignment fixes.
type Edge = fn(&Rect) -> f32;

/// Aligns the cells of columns whose texts meet at their right edges or centers, and columns and header rows whose texts are in
/// the middle of cells with a color or lines.
pub(super) fn align(table: &mut Table, tracks: &Tracks) {
    // Right-to-left text starts where left-to-right text ends.
    if tracks.is_mirrored {
        return;
    }
    let header_rows = table.header_rows;
    let mut columns: Vec<Vec<Rect>> = vec![Vec::new(); table.widths.len()];
    for cell in table.cells.iter().filter(|cell| is_body(cell, header_rows)) {
        if let Some(column) = columns.get_mut(cell.column) {
            column.append(&mut texts(cell));
        }
    }
    let edges: Vec<Option<(Alignment, Edge, f32)>> =
        columns.iter().map(|texts| met(texts)).collect();
    for cell in table.cells.iter_mut().filter(|cell| cell.column_span == 1) {
        if let Some(Some((alignment, edge, place))) = edges.get(cell.column)
            && *alignment != Alignment::Start
            && texts(cell)
                .iter()
                .all(|text| (edge(text) - place).abs() <= MEETS)
        {
            set(cell, *alignment);
        }
    }
    for (column, edge) in edges.iter().enumerate() {
        if edge.is_none() {
            let is_in = |cell: &Cell| cell.column == column && is_body(cell, header_rows);
            center(table, tracks, is_in);
        }
    }
    center(table, tracks, |cell| cell.row < header_rows);
}

fn is_body(cell: &Cell, header_rows: usize) -> bool {
    cell.row >= header_rows && cell.column_span == 1
}

/// Centers cells if all of their texts are in the middle of areas that are drawn.
fn center(table: &mut Table, tracks: &Tracks, is_in: impl Fn(&Cell) -> bool) {
    let mut middle = 0;
    for cell in table.cells.iter().filter(|cell| is_in(cell)) {
        let borders = cell.borders.unwrap_or_default();
        let is_drawn = cell.fill.is_some() || borders != Borders::default();
        let Some(area) = tracks.area(cell).filter(|_| is_drawn) else {
            return;
        };
        let is_middle = |text: &Rect| (area.center().0 - text.center().0).abs() <= MEETS;
        let texts = texts(cell);
        if !texts.iter().all(is_middle) || !cell.blocks.iter().all(may_be_centered) {
            return;
        }
        middle += texts.len();
    }
    if middle >= TEXTS {
        let cells = table.cells.iter_mut().filter(|cell| is_in(cell));
        cells.for_each(|cell| set(cell, Alignment::Center));
    }
}

/// Whether a block is a paragraph that is centered or has one line.
fn may_be_centered(block: &Block) -> bool {
    let is_centered = matches!(
        block.content,
        Content::Paragraph {
            alignment: Alignment::Center,
            ..
        }
    );
    is_centered || is_line(block)
}

/// Whether a block is a paragraph of one line.
fn is_line(block: &Block) -> bool {
    let Content::Paragraph { runs, .. } = &block.content else {
        return false;
    };
    let size = runs.iter().map(|run| run.style.size).fold(0.0, f32::max);
    let height = block.bounds.map(|bounds| bounds.height());
    height.is_some_and(|height| height <= size * LINE)
}

fn set(cell: &mut Cell, aligned: Alignment) {
    for block in cell.blocks.iter_mut().filter(|block| is_line(block)) {
        if let Content::Paragraph { alignment, .. } = &mut block.content {
            *alignment = aligned;
        }
    }
}

/// Returns the bounds of the paragraphs of a cell that have one line.
fn texts(cell: &Cell) -> Vec<Rect> {
    let lines = cell.blocks.iter().filter(|block| is_line(block));
    lines.filter_map(|block| block.bounds).collect()
}

/// Returns where the texts of a column meet; `None` if they are as wide as each other, or do not meet.
fn met(texts: &[Rect]) -> Option<(Alignment, Edge, f32)> {
    let widths = || texts.iter().map(Rect::width);
    let narrowest = widths().fold(f32::INFINITY, f32::min);
    let widest = widths().fold(0.0, f32::max);
    if texts.len() < TEXTS || widest - narrowest <= MEETS * 2.0 {
        return None;
    }
    let edges: [(Alignment, Edge); 3] = [
        (Alignment::Start, |text| text.left),
        (Alignment::End, |text| text.right),
        (Alignment::Center, |text| text.center().0),
    ];
    let mut best: Option<(usize, (Alignment, Edge, f32))> = None;
    for (alignment, edge) in edges {
        let mut places: Vec<f32> = texts.iter().map(edge).collect();
        places.sort_by(f32::total_cmp);
        let middle = *places.get(places.len() / 2)?;
        let meets = |place: &&f32| (*place - middle).abs() <= MEETS;
        let count = places.iter().filter(meets).count();
        if best.as_ref().is_none_or(|(most, _)| count > *most) {
            best = Some((count, (alignment, edge, middle)));
        }
    }
    let (part, whole) = AGREEING;
    let is_enough = |count: usize| count >= TEXTS && count * whole >= texts.len() * part;
    best.filter(|(count, _)| is_enough(*count))
        .map(|(_, met)| met)
}
