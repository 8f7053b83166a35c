//! Paragraphs and tables that continue in the next column or on the next page.

use crate::analysis::candidates::weights::ratio;
use crate::analysis::document::rows_across_pages;
use crate::analysis::lines::words::Words;
use crate::analysis::lines::write::is_ideographic;
use crate::model::block::{Block, Cell, Content, Table};
use crate::model::seam::Seam;
use crate::model::text::{Run, plain};

/// Characters that end sentences.
const ENDS: &str = ".!?:…。！？؟\"”»)";
/// Those of them that also occur within sentences.
const WITHIN: &str = "\"”»)";

/// Maximum number of header rows repeated on each page.
const HEAD: usize = 3;
/// Tolerance for the widths of drawn columns, and for aligned text, points.
const DRAWN: f32 = 3.0;
const ALIGNED: f32 = 3.0;
/// Height of a paragraph of several lines, and width of a narrow letter, as a fraction of the font size.
const LONG: f32 = 1.9;
const NARROW: f32 = 0.4;

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
    extents: Vec<Option<(f32, f32)>>,
    is_ruled: bool,
    has_header: bool,
    /// Texts of the first rows, which may be repeated on each page.
    head: Vec<Vec<(usize, String)>>,
    /// Cells of the last row that end within a sentence, and the number of its cells.
    last: Vec<Unended>,
    filled: usize,
}

/// A cell that ends within a sentence.
struct Unended {
    column: usize,
    words: usize,
    /// Width left in its line, if it has only one.
    room: Option<f32>,
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
                rows.mark(table);
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

/// Appends the blocks of a column; its first paragraph or table may continue the last one.
pub(in crate::analysis) fn append(blocks: &mut Vec<Block>, mut column: Vec<Block>, words: &Words) {
    let open = blocks.last().and_then(End::of);
    let (goes_on, is_row_open) = match (open, column.first_mut().map(|first| &mut first.content)) {
        (Some(End::Text(open)), Some(Content::Paragraph { runs, .. })) => {
            (open.goes_on_with(runs), false)
        }
        (Some(End::Table(rows)), Some(Content::Table(table))) => {
            // Tables next to each other may have the same columns: only a repeated header shows that they are one.
            let repeated = rows.repeated(table);
            let goes_on = repeated > 0 && rows.widths.len() == table.widths.len();
            if goes_on {
                table.header_rows = repeated;
            }
            (goes_on, goes_on && rows.goes_on_with(table))
        }
        _ => (false, false),
    };
    let count = column.len();
    if is_row_open {
        rows_across_pages::join(blocks, &mut column);
    }
    // A table that had only the joined row is gone.
    if goes_on && column.len() == count && !column.is_empty() {
        let rest = column.remove(0);
        if let Some(block) = blocks.last_mut() {
            take_in(block, rest, words);
        }
    }
    blocks.append(&mut column);
}

/// Appends the rest of a paragraph or table to it.
fn take_in(block: &mut Block, rest: Block, words: &Words) {
    match (&mut block.content, rest.content) {
        (Content::Paragraph { runs, .. }, Content::Paragraph { runs: more, .. }) => {
            join(runs, &more, words);
        }
        (Content::Table(table), Content::Table(more)) => {
            let below = |mut cell: Cell| {
                cell.row = table.rows + cell.row.checked_sub(more.header_rows)?;
                // Rows of another column are not below the others, so lines and edges there have no meaning for the table.
                cell.blocks.iter_mut().for_each(|block| block.bounds = None);
                Some(cell)
            };
            table.cells.extend(more.cells.into_iter().filter_map(below));
            table.rows += more.rows.saturating_sub(more.header_rows);
        }
        _ => return,
    }
    block.bounds = block
        .bounds
        .zip(rest.bounds)
        .map(|(one, other)| one.union(&other));
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
        let cells = table.cells.iter();
        let last: Vec<&Cell> = cells
            .filter(|cell| cell.row + cell.row_span == table.rows)
            .collect();
        let extents = extents(table);
        Self {
            widths: table.widths.clone(),
            filled: last.len(),
            last: last
                .into_iter()
                .filter_map(|cell| Unended::of(cell, &extents))
                .collect(),
            extents,
            is_ruled: table.ruled,
            has_header: has_header(table),
            head: (0..table.header_rows.clamp(1, HEAD))
                .map(|row| row_texts(table, row))
                .collect(),
        }
    }

    /// Marks the next table if it continues this one.
    fn mark(&self, table: &mut Table) {
        let repeated = self.repeated(table);
        table.continues =
            self.widths.len() == table.widths.len() && (repeated > 0 || self.are_like(table));
        if table.continues && (repeated > 0 || !has_header(table)) {
            table.header_rows = repeated;
        }
    }

    /// Returns how many rows at the top of the next table repeat those of this one, regardless of style.
    fn repeated(&self, table: &Table) -> usize {
        let rows = self
            .head
            .iter()
            .take(table.rows.saturating_sub(1))
            .enumerate();
        let same =
            rows.take_while(|(row, head)| !head.is_empty() && **head == row_texts(table, *row));
        same.count()
    }

    /// Whether the first row of the next table continues the last row: it has text only in columns with an unfinished sentence,
    /// and not in all columns that the last row fills.
    fn goes_on_with(&self, table: &Table) -> bool {
        let first = table.cells.iter();
        let first: Vec<&Cell> = first.filter(|cell| cell.row == table.header_rows).collect();
        let is_open = |cell: &&Cell| {
            let mut last = self.last.iter();
            let last = last.find(|last| last.column == cell.column);
            last.is_some_and(|last| last.goes_on_with(cell))
        };
        !first.is_empty() && first.len() < self.filled && first.iter().all(is_open)
    }

    /// Whether the columns of another table are those of this one: drawn at the same places, or with text that leaves the same
    /// gaps and begins or ends at the same places.
    fn are_like(&self, table: &Table) -> bool {
        if self.is_ruled && table.ruled {
            let mut widths = self.widths.iter().zip(&table.widths);
            return widths.all(|(one, other)| (one - other).abs() < DRAWN);
        }
        let extents = extents(table);
        let pairs = self.extents.iter().zip(&extents);
        let both: Vec<(f32, f32)> = pairs
            .clone()
            .filter_map(|(one, other)| match (*one, *other) {
                (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
                (one, other) => one.or(other),
            })
            .collect();
        let are_apart = |one: (f32, f32), other: (f32, f32)| one.1 <= other.0 || other.1 <= one.0;
        let mut steps = both.iter().zip(both.iter().skip(1));
        let are_aligned = |one: (f32, f32), other: (f32, f32)| {
            (one.0 - other.0).abs() < ALIGNED || (one.1 - other.1).abs() < ALIGNED
        };
        let mut filled = pairs.filter_map(|(one, other)| one.zip(*other));
        !(self.has_header && has_header(table))
            && steps.all(|(one, other)| are_apart(*one, *other))
            && filled.all(|(one, other)| are_aligned(one, other))
    }
}

/// Returns the texts of the cells of a row, with their columns; none if the row has no text, or something else.
fn row_texts(table: &Table, row: usize) -> Vec<(usize, String)> {
    let cells = || table.cells.iter().filter(|cell| cell.row == row);
    let mut blocks = cells().flat_map(|cell| &cell.blocks);
    let is_text = blocks.all(|block| matches!(block.content, Content::Paragraph { .. }));
    let texts: Vec<_> = cells().map(|cell| (cell.column, text(cell))).collect();
    match is_text && texts.iter().any(|(_, text)| !text.trim().is_empty()) {
        true => texts,
        false => Vec::new(),
    }
}

fn text(cell: &Cell) -> String {
    let text = |block: &Block| match &block.content {
        Content::Paragraph { runs, .. } => plain(runs),
        _ => String::new(),
    };
    cell.blocks.iter().map(text).collect()
}

/// Whether the first row is bold.
fn has_header(table: &Table) -> bool {
    let first = table.cells.iter().filter(|cell| cell.row == 0);
    let blocks = first.flat_map(|cell| &cell.blocks);
    let mut bold = blocks.map(|block| match &block.content {
        Content::Paragraph { runs, .. } => runs.iter().all(|run| run.style.bold),
        _ => false,
    });
    bold.next() == Some(true) && bold.all(|is_bold| is_bold)
}

/// Returns the extent of the text of each column.
fn extents(table: &Table) -> Vec<Option<(f32, f32)>> {
    let mut extents: Vec<Option<(f32, f32)>> = vec![None; table.widths.len()];
    for cell in table.cells.iter().filter(|cell| cell.column_span == 1) {
        for bounds in cell.blocks.iter().filter_map(|block| block.bounds) {
            if let Some(extent) = extents.get_mut(cell.column) {
                let (left, right) = extent.unwrap_or((bounds.left, bounds.right));
                *extent = Some((left.min(bounds.left), right.max(bounds.right)));
            }
        }
    }
    extents
}

impl Unended {
    fn of(cell: &Cell, extents: &[Option<(f32, f32)>]) -> Option<Self> {
        let block = cell.blocks.last()?;
        let Content::Paragraph { runs, .. } = &block.content else {
            return None;
        };
        let text = plain(runs);
        let size = runs.last()?.style.size;
        let bounds = block.bounds.filter(|bounds| bounds.height() < size * LONG);
        let widest = extents.get(cell.column).copied().flatten();
        let room = bounds.zip(widest);
        (!text.ends_with(|end: char| ENDS.contains(end))).then(|| Self {
            column: cell.column,
            words: text.split_whitespace().count(),
            room: room.map(|(bounds, (left, right))| right - left - bounds.width()),
        })
    }

    /// Whether a cell continues it: in lower case, or with a word for which its line has no space.
    fn goes_on_with(&self, cell: &Cell) -> bool {
        let text = text(cell);
        let word = text.split_whitespace().next().unwrap_or_default();
        let characters = word.chars().take_while(|one| !is_ideographic(*one)).count();
        let size = cell.blocks.iter().find_map(|block| match &block.content {
            Content::Paragraph { runs, .. } => Some(runs.first()?.style.size),
            _ => None,
        });
        let least = ratio(characters.max(1), 1) * size.unwrap_or(0.0) * NARROW;
        match self.room {
            Some(room) if text.starts_with(char::is_lowercase) => self.words > 2 || room < least,
            Some(room) => self.words > 0 && room < least,
            None => self.words > 2,
        }
    }
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
                .is_some_and(|bounds| bounds.height() > style.size * LONG),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::block::Alignment;
    use crate::model::text::Style;

    fn paragraph(text: &str) -> Block {
        let run = Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        };
        Block::from(Content::Paragraph {
            runs: vec![run],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        })
    }

    /// A table of two columns with a header; empty cells are left out.
    fn table(rows: &[[&str; 2]]) -> Block {
        let mut cells = Vec::new();
        for (row, texts) in rows.iter().enumerate() {
            for (column, text) in texts
                .iter()
                .enumerate()
                .filter(|(_, text)| !text.is_empty())
            {
                cells.push(Cell {
                    row,
                    column,
                    row_span: 1,
                    column_span: 1,
                    blocks: vec![paragraph(text)],
                    ..Cell::default()
                });
            }
        }
        Block::from(Content::Table(Table {
            widths: vec![100.0; 2],
            rows: rows.len(),
            header_rows: 1,
            cells,
            ruled: false,
            confidence: 1.0,
            continues: false,
        }))
    }

    fn appended(column: Vec<Block>) -> Vec<Block> {
        let head = ["Name", "Note"];
        let mut blocks = vec![table(&[head, ["", ""], ["Lamp", "made of many small"]])];
        append(&mut blocks, column, &Words::default());
        blocks
    }

    #[test]
    fn a_table_whose_only_row_continues_another_takes_no_other_block_with_it() {
        let rest = table(&[["Name", "Note"], ["", "pieces of glass"]]);
        let blocks = appended(vec![rest, paragraph("Below.")]);
        assert_eq!(blocks.len(), 2, "{blocks:?}");
        assert_eq!(plain_of(&blocks[1]), "Below.");
        let Content::Table(table) = &blocks[0].content else {
            panic!("{blocks:?}");
        };
        assert_eq!(table.rows, 3);
        assert_eq!(text(&table.cells[3]), "made of many small pieces of glass");
    }

    #[test]
    fn only_a_repeated_header_is_left_out() {
        // The blank row is no repetition.
        let rest = table(&[["Name", "Note"], ["", ""], ["Rope", "Green."]]);
        let blocks = appended(vec![rest]);
        let Content::Table(table) = &blocks[0].content else {
            panic!("{blocks:?}");
        };
        assert_eq!((blocks.len(), table.rows), (1, 5));
    }

    fn plain_of(block: &Block) -> String {
        let Content::Paragraph { runs, .. } = &block.content else {
            panic!("{block:?}");
        };
        plain(runs)
    }
}
