//! What blocks say, without how it looks.

use super::grid::Grid;
use crate::{Block, Content, Item, Run, Table, plain};

/// What blocks say, a line each; pictures say nothing.
pub(super) fn of_blocks(blocks: &[Block]) -> String {
    let texts = blocks.iter().map(of_block);
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// What a block says: of a list a line an item, of a table a line a row with tabs between the cells.
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

/// What the cells of a row say, an empty text for places without a cell of their own.
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

/// Whether a block is lines of code: it says so, or looks like that.
pub(super) fn is_code(block: &Block) -> bool {
    let looks_so = |runs: &[Run]| {
        let are_narrow = runs.iter().all(|run| run.style.monospaced);
        are_narrow && runs.iter().any(|run| run.text.contains('\n'))
    };
    match &block.content {
        Content::Paragraph {
            runs, preformatted, ..
        } => *preformatted || looks_so(runs),
        _ => false,
    }
}

/// A text of lines: without control characters, and without spaces at the ends of lines.
pub(super) fn clean(text: &str) -> String {
    clean_code(text.trim_start())
}

/// The same with the spaces that its first line begins with.
fn clean_code(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect();
    let text = text.trim_start_matches('\n').trim_end();
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn of_items(items: &[Item]) -> String {
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
