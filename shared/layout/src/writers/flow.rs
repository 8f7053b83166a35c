//! Pages as one flow: paragraphs and tables that go on from page to page become one, however many pages they take.

use super::grid::Grid;
use super::legible;
use super::notes::{Note, Notes};
use super::plain;
use super::{Outcome, WriteReport, Writer};
use crate::model::seam::{Seam, Words, is_hyphen};
use crate::{Alignment, Block, Content, Page, Run, Table};

/// What is told of a flow of pages, in order. A paragraph, its runs and its end follow each other, save for pages that begin
/// within; so do a table, its rows and its end. What a format has no place for, it ignores.
pub(super) trait Flowing {
    /// A page begins.
    fn page(&mut self, page: &Page, place: Place) -> Outcome;
    /// A heading, a list, a picture or a rule.
    fn block(&mut self, _block: &Block, _notes: &Notes) -> Outcome {
        Ok(())
    }
    /// A paragraph begins with these runs.
    fn paragraph(&mut self, _start: &Paragraph<'_>, _notes: &Notes) -> Outcome {
        Ok(())
    }
    /// The paragraph goes on.
    fn runs(&mut self, _runs: &[Run], _notes: &Notes) -> Outcome {
        Ok(())
    }
    /// The paragraph ends.
    fn end_paragraph(&mut self) -> Outcome {
        Ok(())
    }
    /// A table begins.
    fn table(&mut self, block: &Block, table: &Table) -> Outcome;
    /// Rows of the table, or of one of as many columns that goes on with it, from this row on.
    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Outcome;
    /// The table ends.
    fn end_table(&mut self) -> Outcome {
        Ok(())
    }
    /// A footnote, after what its page says.
    fn note(&mut self, _note: &Note) -> Outcome {
        Ok(())
    }
    /// Whether a page may go on with a paragraph or table of the page before.
    fn can_go_on(&self, _page: &Page) -> bool {
        true
    }
    /// The document ends.
    fn finish(self) -> Outcome<WriteReport>;
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Between blocks.
    Between,
    /// Within a paragraph.
    InParagraph,
    /// Within a table.
    InTable,
}

/// How a paragraph begins.
pub(super) struct Paragraph<'a> {
    pub(super) block: &'a Block,
    pub(super) runs: &'a [Run],
    pub(super) alignment: Alignment,
}

/// Tells pages as one flow.
pub(super) struct Flow<F> {
    sink: F,
    open: Open,
    /// What stands behind the open paragraph or table on its pages.
    waiting: Vec<Waiting>,
    /// The last number given to a note.
    notes: u32,
}

/// What may go on with the next page.
enum Open {
    Nothing,
    Paragraph(End),
    /// Has so many columns, and a header that says this.
    Table(usize, Vec<Vec<String>>),
}

/// How an open paragraph ends.
#[derive(Default)]
struct End {
    /// The last of what it says.
    said: String,
    /// Its runs on the last page, where they end with a hyphen: not told before it is known whether that belongs to a word.
    held: Option<(Vec<Run>, Notes)>,
}

/// Most characters that are kept of what a paragraph says: no word is longer.
const MOST_SAID: usize = 64;

enum Waiting {
    Block(Block),
    Note(Note),
}

/// Most that may wait: a page that goes on behind that much begins anew.
const MOST_WAITING: usize = 1_000;

impl<F: Flowing> Flow<F> {
    pub(super) fn new(sink: F) -> Self {
        Self {
            sink,
            open: Open::Nothing,
            waiting: Vec::new(),
            notes: 0,
        }
    }

    fn take(&mut self, page: &mut Page) -> Outcome {
        legible::on_white(page);
        let notes = Notes::of(page, &mut self.notes);
        let going_on = self.going_on(page);
        if going_on.is_none() {
            self.close()?;
            self.sink.page(page, Place::Between)?;
        }
        let last = last_open(&page.blocks);
        for (index, block) in page.blocks.iter().enumerate() {
            let is_behind = going_on.is_some_and(|first| index < first)
                || last.is_some_and(|last| index > last);
            match &block.content {
                Content::Footnote { .. } => {}
                _ if is_behind && !matches!(self.open, Open::Nothing) => {
                    self.waiting.push(Waiting::Block(block.clone()));
                }
                _ if going_on == Some(index) => {
                    self.go_on(page, block, &notes, last == Some(index))?;
                    self.close_unless(last == Some(index))?;
                }
                _ => {
                    self.tell(block, &notes, last == Some(index))?;
                    self.close_unless(last == Some(index))?;
                }
            }
        }
        // Whatever the page says may refer to them.
        let notes = notes.all().iter().cloned();
        self.waiting.extend(notes.map(Waiting::Note));
        Ok(())
    }

    /// Which of a page's blocks goes on with what is open.
    fn going_on(&self, page: &Page) -> Option<usize> {
        let blocks = &page.blocks;
        let index = blocks.iter().position(|block| !is_aside(block))?;
        let goes_on = match (&self.open, &blocks.get(index)?.content) {
            (Open::Paragraph(_), Content::Paragraph { continues, .. }) => *continues,
            (Open::Table(columns, _), Content::Table(table)) => {
                table.continues && Grid::of(table).columns == *columns
            }
            _ => false,
        };
        (goes_on && self.waiting.len() < MOST_WAITING && self.sink.can_go_on(page)).then_some(index)
    }

    fn go_on(&mut self, page: &Page, block: &Block, notes: &Notes, is_last: bool) -> Outcome {
        match (&mut self.open, &block.content) {
            (Open::Paragraph(end), Content::Paragraph { runs, .. }) => {
                let seam = end.seam(runs, &page.blocks);
                if let Some((held, notes)) = end.released(seam) {
                    self.sink.runs(&held, &notes)?;
                }
                self.sink.page(page, Place::InParagraph)?;
                if seam == Seam::Space {
                    self.sink.runs(&[space()], notes)?;
                }
                let told = end.take(runs, notes, is_last);
                self.sink.runs(told, notes)
            }
            (Open::Table(_, header), Content::Table(table)) => {
                let grid = Grid::of(table);
                self.sink.page(page, Place::InTable)?;
                let repeated = header_of(table, &grid) == *header;
                let first = if repeated { grid.header_rows } else { 0 };
                self.sink.rows(table, &grid, first, notes)
            }
            _ => Ok(()),
        }
    }

    fn tell(&mut self, block: &Block, notes: &Notes, is_last: bool) -> Outcome {
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
                let told = end.take(runs, notes, is_last);
                self.open = Open::Paragraph(end);
                self.sink.runs(told, notes)
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

    fn close_unless(&mut self, may_go_on: bool) -> Outcome {
        if may_go_on { Ok(()) } else { self.close() }
    }

    /// Ends what is open, and tells what waited for that.
    fn close(&mut self) -> Outcome {
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing => {}
            Open::Paragraph(end) => {
                if let Some((held, notes)) = end.held {
                    self.sink.runs(&held, &notes)?;
                }
                self.sink.end_paragraph()?;
            }
            Open::Table(..) => self.sink.end_table()?,
        }
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Block(block) => self.sink.block(&block, &Notes::default())?,
                Waiting::Note(note) => self.sink.note(&note)?,
            }
        }
        Ok(())
    }
}

impl<F: Flowing> Writer for Flow<F> {
    fn page(&mut self, mut page: Page) -> Outcome {
        self.take(&mut page)
    }

    fn finish(mut self: Box<Self>) -> Outcome<WriteReport> {
        self.close()?;
        self.sink.finish()
    }
}

/// Whether a block may stand between the parts of a paragraph.
fn is_aside(block: &Block) -> bool {
    matches!(
        block.content,
        Content::Image { .. } | Content::Rule | Content::Footnote { .. }
    )
}

/// Which of a page's blocks may go on with the next page.
fn last_open(blocks: &[Block]) -> Option<usize> {
    let last = blocks.iter().rposition(|block| !is_aside(block))?;
    let content = &blocks.get(last)?.content;
    matches!(content, Content::Paragraph { .. } | Content::Table(_)).then_some(last)
}

fn header_of(table: &Table, grid: &Grid) -> Vec<Vec<String>> {
    (0..grid.header_rows)
        .map(|row| plain::of_row(table, grid, row))
        .collect()
}

impl End {
    /// Takes what the paragraph says next, and gives what of it can be told if the paragraph may go on behind it.
    fn take<'a>(&mut self, runs: &'a [Run], notes: &Notes, may_go_on: bool) -> &'a [Run] {
        for run in runs {
            self.said.push_str(&run.text);
        }
        let before = self.said.chars().count().saturating_sub(MOST_SAID);
        self.said = self.said.chars().skip(before).collect();
        if may_go_on && self.said.ends_with(is_hyphen) {
            self.held = Some((runs.to_vec(), notes.clone()));
            return &[];
        }
        runs
    }

    /// What is between the paragraph and the rest of it on a page of these blocks.
    fn seam(&self, rest: &[Run], blocks: &[Block]) -> Seam {
        let words = Words::of(&[blocks]);
        Seam::between(&self.said, &crate::plain(rest), &words)
    }

    /// What was held, without its hyphen where that only divides a word.
    fn released(&mut self, seam: Seam) -> Option<(Vec<Run>, Notes)> {
        let (mut held, notes) = self.held.take()?;
        let last = held.iter_mut().rfind(|run| !run.text.is_empty());
        if let Some(last) = last.filter(|_| seam == Seam::Divided) {
            last.text.pop();
        }
        Some((held, notes))
    }
}

fn space() -> Run {
    Run {
        text: " ".to_owned(),
        style: crate::Style::default(),
        link: None,
    }
}
