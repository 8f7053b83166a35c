//! Merges pages into one flow: paragraphs and tables that continue across pages become one, and headers and footers that pages
//! repeat are passed on once.

use super::grid::Grid;
use super::legible;
use super::notes::{Note, Notes};
use super::plain;
use super::running_text::RunningText;
use super::{Result, WriteReport, Writer};
use crate::model::seam::{Seam, Words, is_hyphen};
use crate::{Alignment, Block, Content, Page, Run, Table};

/// Receives the flow of a document as events in order. A paragraph is start, runs and end; a table is start, rows and end; only
/// `page` may come in between. Formats ignore events without equivalent.
pub(super) trait Flowing {
    /// A page begins.
    fn page(&mut self, page: &Page, place: PageStart) -> Result;
    /// A heading, list, picture or rule.
    fn block(&mut self, _block: &Block, _notes: &Notes) -> Result {
        Ok(())
    }
    /// A paragraph begins with these runs.
    fn paragraph(&mut self, _start: &Paragraph<'_>, _notes: &Notes) -> Result {
        Ok(())
    }
    /// The paragraph continues.
    fn runs(&mut self, _runs: &[Run], _notes: &Notes) -> Result {
        Ok(())
    }
    /// The paragraph ends.
    fn end_paragraph(&mut self) -> Result {
        Ok(())
    }
    /// A table begins.
    fn table(&mut self, block: &Block, table: &Table) -> Result;
    /// Rows from `first` on, of the table or of one with the same columns that continues it.
    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Result;
    /// The table ends.
    fn end_table(&mut self) -> Result {
        Ok(())
    }
    /// A footnote, after the content of its page.
    fn note(&mut self, _note: &Note) -> Result {
        Ok(())
    }
    /// Whether it writes each different header and footer once, instead of those of each page.
    fn writes_headers_once(&self) -> bool {
        false
    }
    /// The header of a page, as far as no header or heading before had it; between blocks.
    fn header(&mut self, _blocks: &[Block]) -> Result {
        Ok(())
    }
    /// Whether it writes a picture behind the text of a page, for which the text has its color.
    fn has_background(&self, _page: &Page) -> bool {
        false
    }
    /// Whether a page may continue a paragraph or table of the previous page.
    fn can_continue(&self, _page: &Page) -> bool {
        true
    }
    /// The document ends; `footers` are those of its pages, each once, if it writes them.
    fn finish(self, footers: &[Block]) -> Result<WriteReport>;
}

/// The position where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageStart {
    /// Between blocks.
    Between,
    /// Within a paragraph.
    InParagraph,
    /// Within a table.
    InTable,
}

/// The start of a paragraph.
pub(super) struct Paragraph<'a> {
    pub(super) block: &'a Block,
    pub(super) runs: &'a [Run],
    pub(super) alignment: Alignment,
}

/// Converts pages to flow events.
pub(super) struct Flow<F> {
    sink: F,
    open: Open,
    /// What follows the open paragraph or table, written when it ends.
    deferred: Vec<Deferred>,
    /// The last note number.
    notes: u32,
    headers: RunningText,
    footers: RunningText,
    /// The footers, each once.
    different_footers: Vec<Block>,
}

/// The open block that may continue on the next page.
enum Open {
    Nothing,
    Paragraph(End),
    /// Number of columns and text of the header.
    Table(usize, Vec<Vec<String>>),
}

/// The end of an open paragraph.
#[derive(Default)]
struct End {
    /// Its last characters.
    tail: String,
    /// The runs of the last page, withheld if they end with a hyphen, which may have to be removed.
    withheld: Option<(Vec<Run>, Notes)>,
}

/// Maximum number of retained characters; no word is longer.
const LONGEST_END: usize = 64;

enum Deferred {
    Header(Vec<Block>),
    Block(Block),
    Note(Note),
}

/// Maximum number of deferred blocks; beyond it the next page does not continue the paragraph or table.
const MOST_DEFERRED: usize = 1_000;

impl<F: Flowing> Flow<F> {
    pub(super) fn new(sink: F) -> Self {
        Self {
            sink,
            open: Open::Nothing,
            deferred: Vec::new(),
            notes: 0,
            headers: RunningText::default(),
            footers: RunningText::default(),
            different_footers: Vec::new(),
        }
    }

    fn take(&mut self, page: &mut Page) -> Result {
        // Pages without the background share headers and footers.
        legible::in_margins(page);
        if !self.sink.has_background(page) {
            legible::on_paper(page);
        }
        let notes = Notes::of(page, &mut self.notes);
        let continuation = self.continuation(page);
        let header = match self.sink.writes_headers_once() {
            true => self.new_header(page),
            false => Vec::new(),
        };
        if continuation.is_none() {
            self.close()?;
            self.sink.page(page, PageStart::Between)?;
            self.sink.header(&header)?;
        } else if !header.is_empty() {
            self.deferred.push(Deferred::Header(header));
        }
        let last = last_open(&page.blocks);
        for (index, block) in page.blocks.iter().enumerate() {
            let is_behind = continuation.is_some_and(|first| index < first)
                || last.is_some_and(|last| index > last);
            match &block.content {
                Content::Footnote { .. } => {}
                _ if is_behind && !matches!(self.open, Open::Nothing) => {
                    self.deferred.push(Deferred::Block(block.clone()));
                }
                _ if continuation == Some(index) => {
                    self.continue_open(page, block, &notes, last == Some(index))?;
                    self.close_unless(last == Some(index))?;
                }
                _ => {
                    self.emit(block, &notes, last == Some(index))?;
                    self.close_unless(last == Some(index))?;
                }
            }
        }
        // Any text of the page may reference the notes.
        let notes = notes.all().iter().cloned();
        self.deferred.extend(notes.map(Deferred::Note));
        Ok(())
    }

    /// Returns the new blocks of the header of a page, and remembers those of its footer.
    fn new_header(&mut self, page: &Page) -> Vec<Block> {
        let footer = self.footers.new_of(&page.footer, page.number);
        self.different_footers.extend(footer.into_iter().cloned());
        for block in &page.blocks {
            self.headers.remember_heading(block, page.number);
        }
        let header = self.headers.new_of(&page.header, page.number);
        header.into_iter().cloned().collect()
    }

    /// Returns the index of the block that continues the open one.
    fn continuation(&self, page: &Page) -> Option<usize> {
        let blocks = &page.blocks;
        let index = blocks.iter().position(|block| !may_interrupt(block))?;
        let goes_on = match (&self.open, &blocks.get(index)?.content) {
            (Open::Paragraph(_), Content::Paragraph { continues, .. }) => *continues,
            (Open::Table(columns, _), Content::Table(table)) => {
                table.continues && Grid::of(table).columns == *columns
            }
            _ => false,
        };
        (goes_on && self.deferred.len() < MOST_DEFERRED && self.sink.can_continue(page))
            .then_some(index)
    }

    fn continue_open(
        &mut self,
        page: &Page,
        block: &Block,
        notes: &Notes,
        is_last: bool,
    ) -> Result {
        match (&mut self.open, &block.content) {
            (Open::Paragraph(end), Content::Paragraph { runs, .. }) => {
                let seam = end.seam(runs, &page.blocks);
                if let Some((withheld, notes)) = end.released(seam) {
                    self.sink.runs(&withheld, &notes)?;
                }
                self.sink.page(page, PageStart::InParagraph)?;
                if seam == Seam::Space {
                    self.sink.runs(&[space()], notes)?;
                }
                let ready = end.take(runs, notes, is_last);
                self.sink.runs(ready, notes)
            }
            (Open::Table(_, header), Content::Table(table)) => {
                let grid = Grid::of(table);
                self.sink.page(page, PageStart::InTable)?;
                let repeated = header_of(table, &grid) == *header;
                let first = if repeated { grid.header_rows } else { 0 };
                self.sink.rows(table, &grid, first, notes)
            }
            _ => Ok(()),
        }
    }

    fn emit(&mut self, block: &Block, notes: &Notes, is_last: bool) -> Result {
        match &block.content {
            Content::Paragraph {
                runs, alignment, ..
            } => {
                let start = Paragraph {
                    block,
                    runs,
                    alignment: *alignment,
                };
                self.sink.paragraph(&start, notes)?;
                let mut end = End::default();
                let ready = end.take(runs, notes, is_last);
                self.open = Open::Paragraph(end);
                self.sink.runs(ready, notes)
            }
            Content::Table(table) => {
                let grid = Grid::of(table);
                self.open = Open::Table(grid.columns, header_of(table, &grid));
                self.sink.table(block, table)?;
                self.sink.rows(table, &grid, 0, notes)
            }
            _ => self.sink.block(block, notes),
        }
    }

    fn close_unless(&mut self, may_continue: bool) -> Result {
        if may_continue { Ok(()) } else { self.close() }
    }

    /// Ends the open block and emits the deferred blocks.
    fn close(&mut self) -> Result {
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing => {}
            Open::Paragraph(end) => {
                if let Some((withheld, notes)) = end.withheld {
                    self.sink.runs(&withheld, &notes)?;
                }
                self.sink.end_paragraph()?;
            }
            Open::Table(..) => self.sink.end_table()?,
        }
        for deferred in std::mem::take(&mut self.deferred) {
            match deferred {
                Deferred::Header(blocks) => self.sink.header(&blocks)?,
                Deferred::Block(block) => self.sink.block(&block, &Notes::default())?,
                Deferred::Note(note) => self.sink.note(&note)?,
            }
        }
        Ok(())
    }
}

impl<F: Flowing> Writer for Flow<F> {
    fn page(&mut self, mut page: Page) -> Result {
        self.take(&mut page)
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        self.close()?;
        self.sink.finish(&self.different_footers)
    }
}

/// Whether a block may be between the parts of a paragraph.
fn may_interrupt(block: &Block) -> bool {
    matches!(
        block.content,
        Content::Image { .. } | Content::Rule | Content::Footnote { .. }
    )
}

/// Returns the index of the block that may continue on the next page.
fn last_open(blocks: &[Block]) -> Option<usize> {
    let last = blocks.iter().rposition(|block| !may_interrupt(block))?;
    let content = &blocks.get(last)?.content;
    matches!(content, Content::Paragraph { .. } | Content::Table(_)).then_some(last)
}

fn header_of(table: &Table, grid: &Grid) -> Vec<Vec<String>> {
    (0..grid.header_rows)
        .map(|row| plain::of_row(table, grid, row))
        .collect()
}

impl End {
    /// Adds runs to the paragraph and returns those that can be written now, given that it may continue.
    fn take<'a>(&mut self, runs: &'a [Run], notes: &Notes, may_continue: bool) -> &'a [Run] {
        for run in runs {
            self.tail.push_str(&run.text);
        }
        let before = self.tail.chars().count().saturating_sub(LONGEST_END);
        self.tail = self.tail.chars().skip(before).collect();
        if may_continue && self.tail.ends_with(is_hyphen) {
            self.withheld = Some((runs.to_vec(), notes.clone()));
            return &[];
        }
        runs
    }

    /// Returns how the paragraph is joined with its continuation on a page of these blocks.
    fn seam(&self, rest: &[Run], blocks: &[Block]) -> Seam {
        let words = Words::of(&[blocks]);
        Seam::between(&self.tail, &crate::plain(rest), &words)
    }

    /// Returns the withheld runs, without the hyphen if it only divided a word.
    fn released(&mut self, seam: Seam) -> Option<(Vec<Run>, Notes)> {
        let (mut withheld, notes) = self.withheld.take()?;
        let last = withheld.iter_mut().rfind(|run| !run.text.is_empty());
        if let Some(last) = last.filter(|_| seam == Seam::Dehyphenated) {
            last.text.pop();
        }
        Some((withheld, notes))
    }
}

fn space() -> Run {
    Run {
        text: " ".to_owned(),
        style: crate::Style::default(),
        link: None,
    }
}
