//! HTML tables, for what pipe tables cannot express: cells that span rows or columns, or contain lists, code or tables.

use super::formatting::{BaseStyle, FormattedText, Formatting, formatted_texts};
use super::formula::Part;
use crate::writers::grid::{Grid, Slot};
use crate::writers::marker::is_bullet;
use crate::writers::notes::Notes;
use crate::writers::plain;
use crate::writers::xml::Escaped;
use crate::{Block, Content, Item, Run, Script, Table};

/// Whether a table is written as HTML. Tables with pictures are not, because references to their data are Markdown.
pub(super) fn is_needed(table: &Table) -> bool {
    let blocks = || table.cells.iter().flat_map(|cell| &cell.blocks);
    let spans = table
        .cells
        .iter()
        .any(|cell| cell.row_span > 1 || cell.column_span > 1);
    let is_structured = |block: &Block| {
        matches!(block.content, Content::List { .. } | Content::Table(_)) || plain::is_code(block)
    };
    (spans || blocks().any(is_structured)) && !has_picture(table)
}

fn has_picture(table: &Table) -> bool {
    let mut blocks = table.cells.iter().flat_map(|cell| &cell.blocks);
    blocks.any(|block| match &block.content {
        Content::Image { .. } => true,
        Content::Table(table) => has_picture(table),
        _ => false,
    })
}

/// Returns a row on one line. An empty line would end the HTML. References to notes are their superscript labels, because
/// HTML cannot contain those of Markdown.
pub(super) fn row(table: &Table, grid: &Grid, row: usize) -> String {
    let name = if row < grid.header_rows { "th" } else { "td" };
    let mut html = String::from("<tr>");
    for slot in grid.row(row) {
        let (cell, rows, columns) = match slot {
            Slot::Empty => (None, 1, 1),
            Slot::Begins(placed) => (
                table.cells.get(placed.cell),
                placed.row_span,
                placed.column_span,
            ),
            Slot::FromLeft | Slot::FromAbove(_) => continue,
        };
        let span = |name: &str, count: usize| match count {
            0 | 1 => String::new(),
            count => format!(" {name}=\"{count}\""),
        };
        let (rows, columns) = (span("rowspan", rows), span("colspan", columns));
        let content = cell.map(|cell| of_blocks(&cell.blocks)).unwrap_or_default();
        html.push_str(&format!("<{name}{rows}{columns}>{content}</{name}>"));
    }
    html.push_str("</tr>");
    html
}

fn of_blocks(blocks: &[Block]) -> String {
    let mut html = String::new();
    let mut follows_text = false;
    for block in blocks {
        let (text, is_text) = match &block.content {
            _ if plain::is_code(block) => {
                let code = Escaped(&plain::of_block(block)).to_string();
                (format!("<pre>{}</pre>", code.replace('\n', "&#10;")), false)
            }
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => {
                (of_runs(runs), true)
            }
            Content::List { items } => (of_items(items), false),
            Content::Table(table) => {
                let grid = Grid::of(table);
                let rows: String = (0..grid.rows).map(|at| row(table, &grid, at)).collect();
                (format!("<table>{rows}</table>"), false)
            }
            _ => (escaped(&plain::of_block(block)), true),
        };
        if !text.is_empty() {
            html.push_str(if follows_text && is_text { "<br>" } else { "" });
            html.push_str(&text);
            follows_text = is_text;
        }
    }
    html
}

fn of_items(items: &[Item]) -> String {
    let items = items.iter().map(|item| {
        let text = of_runs(&item.runs);
        match item.ordered || !is_bullet(&item.marker) {
            true => format!("<li>{} {text}</li>", escaped(&item.marker)),
            false => format!("<li>{text}</li>"),
        }
    });
    format!("<ul>{}</ul>", items.collect::<String>())
}

fn of_runs(runs: &[Run]) -> String {
    let parts = runs.iter().map(Part::from);
    let texts = formatted_texts(parts, &Notes::default(), BaseStyle::of(runs));
    let html: String = texts.iter().map(of_text).collect();
    html.trim().to_owned()
}

fn of_text(piece: &FormattedText) -> String {
    let elements = match &piece.formatting {
        Formatting::Formula => Vec::new(),
        Formatting::Note(_) => vec![(true, "sup")],
        Formatting::Code { .. } => vec![(true, "code")],
        Formatting::Text {
            bold,
            italic,
            strikethrough,
            script,
            ..
        } => vec![
            (*script == Script::Sub, "sub"),
            (*script == Script::Super, "sup"),
            (*strikethrough, "del"),
            (*italic, "em"),
            (*bold, "strong"),
        ],
    };
    let mut html = escaped(&piece.text);
    for (_, element) in elements.iter().filter(|(is_set, _)| *is_set) {
        html = format!("<{element}>{html}</{element}>");
    }
    match piece.formatting.url() {
        Some(url) => format!("<a href=\"{}\">{html}</a>", Escaped(url)),
        None => html,
    }
}

/// Returns a text as HTML on one line.
fn escaped(text: &str) -> String {
    Escaped(text)
        .to_string()
        .replace("&quot;", "\"")
        .replace('\n', "<br>")
}
