//! Plain text of blocks.

use super::grid::Grid;
use crate::{Block, Content, Item, Run, Table, plain};

/// Returns the text of blocks, a line each; pictures have none.
pub(super) fn of_blocks(blocks: &[Block]) -> String {
    let texts = blocks.iter().map(of_block);
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// Returns the text of a block: one line per list item or table row, with tabs between cells.
pub(super) fn of_block(block: &Block) -> String {
    match &block.content {
        Content::Paragraph { runs, .. } if is_code(block) => clean_code(&plain(runs)),
        Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => clean(&plain(runs)),
        Content::List { items } => of_items(items),
        Content::Table(table) => of_table(table),
        Content::Footnote { label, runs } => clean(&format!("{label} {}", plain(runs))),
        Content::Image { .. } | Content::Rule => String::new(),
    }
}

/// Returns the texts of a row; positions without a cell of their own are empty.
pub(super) fn of_row(table: &Table, grid: &Grid, row: usize) -> Vec<String> {
    let slots = grid.row(row).into_iter();
    let text = |cell: Option<usize>| {
        cell.and_then(|cell| table.cells.get(cell))
            .map(|cell| of_blocks(&cell.blocks))
    };
    slots
        .map(|slot| text(slot.begins()).unwrap_or_default())
        .collect()
}

/// Whether a block is code: preformatted, or monospaced.
pub(super) fn is_code(block: &Block) -> bool {
    let is_monospaced = |runs: &[Run]| {
        let are_narrow = runs.iter().all(|run| run.style.monospaced);
        are_narrow && runs.iter().any(|run| run.text.contains('\n'))
    };
    match &block.content {
        Content::Paragraph {
            runs, preformatted, ..
        } => *preformatted || is_monospaced(runs),
        _ => false,
    }
}

/// Returns a text without control characters and trailing spaces.
pub(super) fn clean(text: &str) -> String {
    clean_code(text.trim_start())
}

/// Removes control characters and trailing spaces, and keeps the leading spaces of the first line, as code needs them.
fn clean_code(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect();
    let text = text.trim_start_matches('\n').trim_end();
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// Returns the texts of items, one line each or more.
pub(super) fn of_items(items: &[Item]) -> String {
    let line = |item: &Item| {
        let indent = "  ".repeat(usize::from(item.level));
        let text = clean(&format!("{} {}", item.marker, plain(&item.runs)));
        format!("{indent}{}", text.replace('\n', &format!("\n{indent}  ")))
    };
    let lines: Vec<_> = items.iter().map(line).collect();
    lines.join("\n")
}

fn of_table(table: &Table) -> String {
    let grid = Grid::of(table);
    let line = |row| {
        let cells: Vec<_> = of_row(table, &grid, row)
            .iter()
            .map(|text| one_line(text))
            .collect();
        cells.join("\t")
    };
    let lines: Vec<_> = (0..grid.rows).map(line).collect();
    lines.join("\n")
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\t'])
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ")
}
