//! Paragraphs and tables that continue in the next column or on the next page.

use crate::analysis::lines::words::Words;
use crate::model::block::{Block, Content, Table};
use crate::model::seam::Seam;
use crate::model::text::{Run, plain};

/// Characters that end sentences.
const ENDS: &str = ".!?:…。！？؟\"”»)";
/// Those of them that also occur within sentences.
const WITHIN: &str = "\"”»)";

/// Maximum number of header rows repeated on each page.
const HEAD: usize = 3;

/// The end of the last page.
#[derive(Default)]
pub(in crate::analysis) struct Tail {
    last: Option<End>,
}

enum End {
    /// A paragraph.
    Text(Open),
    /// A table.
    Table(Rows),
}

/// Properties of a table that decide whether it continues.
struct Rows {
    widths: Vec<f32>,
    is_ruled: bool,
    /// Texts of the first rows, which may be repeated on each page.
    head: Vec<Vec<(usize, String)>>,
    /// Non-empty columns of the last row, and whether each ends within a sentence.
    last: Vec<(usize, bool)>,
}

/// Properties of a paragraph that decide whether it continues.
struct Open {
    size: f32,
    is_bold: bool,
    /// Last character.
    end: Option<char>,
    /// Whether it has more than one line.
    is_long: bool,
}

impl Tail {
    /// Marks the block that continues from the previous page and records the end of this page. Returns whether a table row
    /// continues.
    pub(in crate::analysis) fn join(&mut self, blocks: &mut [Block]) -> bool {
        let first = blocks
            .iter_mut()
            .find(|block| !matches!(block.content, Content::Rule));
        let mut is_row_open = false;
        match (self.last.take(), first.map(|first| &mut first.content)) {
            (
                Some(End::Text(open)),
                Some(Content::Paragraph {
                    runs, continues, ..
                }),
            ) => *continues = open.goes_on_with(runs),
            (Some(End::Table(rows)), Some(Content::Table(table))) => {
                let repeated = rows.repeated(table);
                table.continues =
                    are_like(&rows.widths, &table.widths, rows.is_ruled && table.ruled)
                        || repeated > 0 && rows.widths.len() == table.widths.len();
                if table.continues && repeated > 0 {
                    table.header_rows = repeated;
                }
                is_row_open = table.continues && rows.goes_on_with(table);
            }
            _ => {}
        }
        self.note(blocks);
        is_row_open
    }

    /// Records the end of a page whose structure declares continuations.
    pub(in crate::analysis) fn note(&mut self, blocks: &[Block]) {
        self.last = last(blocks).and_then(End::of);
    }
}

/// Removes all continuation marks from blocks.
pub(in crate::analysis) fn begin(blocks: &mut [Block]) {
    for block in blocks {
        match &mut block.content {
            Content::Paragraph { continues, .. } => *continues = false,
            Content::Table(table) => table.continues = false,
            _ => {}
        }
    }
}

/// Appends the blocks of a column; its first paragraph may continue the last one.
pub(in crate::analysis) fn append(blocks: &mut Vec<Block>, mut column: Vec<Block>, words: &Words) {
    let open = blocks.last().and_then(Open::of);
    let goes_on = match column.first().map(|first| &first.content) {
        Some(Content::Paragraph { runs, .. }) => open.is_some_and(|open| open.goes_on_with(runs)),
        _ => false,
    };
    if goes_on {
        let rest = column.remove(0);
        blocks
            .last_mut()
            .into_iter()
            .for_each(|block| take_in(block, &rest, words));
    }
    blocks.append(&mut column);
}

/// Appends the rest of a paragraph to it.
fn take_in(block: &mut Block, rest: &Block, words: &Words) {
    let Content::Paragraph { runs: more, .. } = &rest.content else {
        return;
    };
    if let Content::Paragraph { runs, .. } = &mut block.content {
        block.bounds = block
            .bounds
            .zip(rest.bounds)
            .map(|(one, other)| one.union(&other));
        join(runs, more, words);
    }
}

fn join(runs: &mut Vec<Run>, more: &[Run], words: &Words) {
    let seam = Seam::between(&plain(runs), &plain(more), words);
    if let Some(last) = runs.last_mut() {
        match seam {
            Seam::Space => last.text.push(' '),
            Seam::Dehyphenated => drop(last.text.pop()),
            Seam::Nothing => {}
        }
    }
    runs.extend_from_slice(more);
    runs.dedup_by(|next, last| {
        let is_same = next.style == last.style && next.link == last.link;
        if is_same {
            last.text.push_str(&next.text);
        }
        is_same
    });
}

fn last(blocks: &[Block]) -> Option<&Block> {
    blocks
        .iter()
        .rev()
        .find(|block| !matches!(block.content, Content::Footnote { .. } | Content::Rule))
}

impl End {
    fn of(block: &Block) -> Option<Self> {
        match &block.content {
            Content::Table(table) => Some(Self::Table(Rows::of(table))),
            _ => Open::of(block).map(Self::Text),
        }
    }
}

impl Rows {
    fn of(table: &Table) -> Self {
        let last = table
            .cells
            .iter()
            .filter(|cell| cell.row + cell.row_span == table.rows);
        Self {
            widths: table.widths.clone(),
            is_ruled: table.ruled,
            head: (0..HEAD).map(|row| said(table, row)).collect(),
            last: last
                .map(|cell| (cell.column, is_unended(&cell.blocks)))
                .collect(),
        }
    }

    /// Returns how many rows at the top of the next table repeat those of this one, regardless of style.
    fn repeated(&self, table: &Table) -> usize {
        let rows = self
            .head
            .iter()
            .take(table.rows.saturating_sub(1))
            .enumerate();
        let same = rows.take_while(|(row, head)| !head.is_empty() && **head == said(table, *row));
        same.count()
    }

    /// Whether the first row of the next table continues the last row: it has text only in columns with an unfinished sentence,
    /// and not in all columns that the last row fills.
    fn goes_on_with(&self, table: &Table) -> bool {
        let first: Vec<usize> = table
            .cells
            .iter()
            .filter(|cell| cell.row == table.header_rows)
            .map(|cell| cell.column)
            .collect();
        let is_open = |column: &usize| self.last.contains(&(*column, true));
        !first.is_empty() && first.len() < self.last.len() && first.iter().all(is_open)
    }
}

/// Returns the texts of the cells of a row, with their columns.
fn said(table: &Table, row: usize) -> Vec<(usize, String)> {
    let cells = table.cells.iter().filter(|cell| cell.row == row);
    let text = |block: &Block| match &block.content {
        Content::Paragraph { runs, .. } => plain(runs),
        _ => String::new(),
    };
    cells
        .map(|cell| (cell.column, cell.blocks.iter().map(text).collect()))
        .collect()
}

/// Whether blocks end with several words of an unfinished sentence.
fn is_unended(blocks: &[Block]) -> bool {
    let Some(Content::Paragraph { runs, .. }) = blocks.last().map(|block| &block.content) else {
        return false;
    };
    let text = plain(runs);
    text.split_whitespace().count() > 2 && !text.ends_with(|end: char| ENDS.contains(end))
}

impl Open {
    fn of(block: &Block) -> Option<Self> {
        let Content::Paragraph { runs, .. } = &block.content else {
            return None;
        };
        let style = &runs.last()?.style;
        let end = plain(runs).chars().next_back();
        Some(Self {
            size: style.size,
            is_bold: style.bold,
            end,
            is_long: block
                .bounds
                .is_some_and(|bounds| bounds.height() > style.size * 1.9),
        })
    }

    /// Whether text that begins like this continues it.
    fn goes_on_with(&self, runs: &[Run]) -> bool {
        let Some(first) = runs.first() else {
            return false;
        };
        let is_same = (first.style.size - self.size).abs() < 0.3;
        let is_lower = first.text.chars().next().is_some_and(char::is_lowercase);
        let is_alike = self.is_long && first.style.bold == self.is_bold;
        let is_ended = self.end.is_some_and(|end| match is_lower {
            true => ENDS.contains(end) && !WITHIN.contains(end),
            false => ENDS.contains(end),
        });
        is_same && !is_ended && (is_lower || is_alike)
    }
}

/// Whether columns belong to one table. Widths inferred from text differ between pages.
fn are_like(one: &[f32], other: &[f32], are_ruled: bool) -> bool {
    let all: f32 = one.iter().sum();
    let most = if are_ruled {
        3.0
    } else {
        (all * 0.12).max(3.0)
    };
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| (one - other).abs() < most)
}
