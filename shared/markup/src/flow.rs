//! Blocks while they are read: items that follow each other become one list, and what says nothing is left out.

use layout::{Alignment, Block, Content, Item, Run, Table};

use crate::line::Line;

/// Blocks in reading order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    blocks: Vec<Block>,
    /// How many quotations the blocks to come stand in.
    pub(crate) quoted: u8,
    /// Lines of code that say nothing, behind the last one that says something.
    blank_lines: usize,
}

/// Most of them that are kept in a row.
const BLANK_LINES: usize = 100;

/// Most characters of a line that is taken for code though nothing says so.
const LONGEST_LINE: usize = 120;

/// What a paragraph of a document is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Role {
    /// Plain text.
    #[default]
    Body,
    /// Text whose spaces and lines are kept.
    Preformatted,
    /// A line of it, which goes on with the lines before.
    CodeLine,
    /// A title, 1 for the highest.
    Heading(u8),
    /// An item of a list.
    Item(Marker),
}

/// What stands before an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marker {
    /// From 0.
    pub(crate) level: u8,
    /// Whether it counts.
    pub(crate) ordered: bool,
    /// As it is shown.
    pub(crate) text: String,
}

impl Flow {
    /// Adds a paragraph, unless it says nothing.
    pub(crate) fn paragraph(&mut self, role: Role, alignment: Alignment, line: Line) {
        self.passage(role, alignment, line, false);
    }

    /// Adds a paragraph that may go on with the last one of the page before.
    pub(crate) fn passage(&mut self, role: Role, alignment: Alignment, line: Line, goes_on: bool) {
        if line.is_blank() {
            self.blank_lines += usize::from(role == Role::CodeLine);
            return;
        }
        let role = self.as_code(role, alignment, &line, goes_on);
        let preformatted = matches!(role, Role::Preformatted | Role::CodeLine);
        let runs = match preformatted {
            true => line.without_end(),
            false => line.trimmed(),
        };
        match role {
            Role::Item(marker) => self.item(Item {
                level: marker.level,
                ordered: marker.ordered,
                marker: marker.text,
                runs,
            }),
            Role::Heading(level) => self.content(Content::Heading {
                level: level.clamp(1, 6),
                runs,
                alignment,
            }),
            Role::CodeLine if self.has_code() => self.code_line(runs),
            Role::Body | Role::Preformatted | Role::CodeLine => {
                self.content(Content::Paragraph {
                    runs,
                    alignment,
                    continues: goes_on,
                    preformatted,
                });
            }
        }
    }

    /// Adds a further line to the last item, or a paragraph if there is none.
    pub(crate) fn go_on_with_item(&mut self, alignment: Alignment, line: Line) {
        if line.is_blank() {
            return;
        }
        let Some(Content::List { items }) = self.blocks.last_mut().map(|last| &mut last.content)
        else {
            return self.paragraph(Role::Body, alignment, line);
        };
        if let Some(item) = items.last_mut() {
            add_behind(&mut item.runs, 1, line.trimmed());
        }
    }

    /// Adds a table, unless it has no cells.
    pub(crate) fn table(&mut self, table: Table) {
        if !table.cells.is_empty() {
            self.content(Content::Table(table));
        }
    }

    /// Adds a picture.
    pub(crate) fn image(&mut self, image: usize, alternative: Option<String>) {
        let alternative = alternative.filter(|words| !words.trim().is_empty());
        self.content(Content::Image { image, alternative });
    }

    /// Adds anything else.
    pub(crate) fn content(&mut self, content: Content) {
        self.extend(vec![Block::from(content)]);
    }

    /// Adds blocks as they are, within the quotations that are open.
    pub(crate) fn extend(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            self.blank_lines = 0;
        }
        let quoted = self.quoted;
        self.blocks.extend(blocks.into_iter().map(|block| Block {
            quoted: block.quoted.saturating_add(quoted),
            ..block
        }));
    }

    /// Whether there is nothing yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// What is there, in reading order.
    pub(crate) fn into_blocks(self) -> Vec<Block> {
        self.blocks
    }

    fn item(&mut self, item: Item) {
        let quoted = self.quoted;
        match self.blocks.last_mut().filter(|last| last.quoted == quoted) {
            Some(last) => match &mut last.content {
                Content::List { items } => items.push(item),
                _ => self.content(Content::List { items: vec![item] }),
            },
            _ => self.content(Content::List { items: vec![item] }),
        }
    }

    /// What a paragraph is that says nothing of itself: short lines of one width are code where one of them is indented by
    /// spaces, and those next to it are.
    fn as_code(&mut self, role: Role, alignment: Alignment, line: &Line, goes_on: bool) -> Role {
        if role != Role::Body || alignment != Alignment::Start || goes_on || !is_narrow(line.runs())
        {
            return role;
        }
        let is_indented = line.begins_with_spaces();
        if is_indented {
            self.gather_code();
        }
        match is_indented || self.has_code() {
            true => Role::CodeLine,
            false => role,
        }
    }

    /// Makes code of the paragraphs at the end that look like it.
    fn gather_code(&mut self) {
        let quoted = self.quoted;
        let looks_so = |block: &&Block| match &block.content {
            Content::Paragraph {
                runs,
                alignment: Alignment::Start,
                continues: false,
                preformatted: false,
            } => block.quoted == quoted && is_narrow(runs),
            _ => false,
        };
        let count = self.blocks.iter().rev().take_while(looks_so).count();
        let lines = self.blocks.split_off(self.blocks.len() - count);
        for block in lines {
            if let Content::Paragraph { runs, .. } = block.content {
                self.passage(Role::CodeLine, Alignment::Start, Line::of(runs), false);
            }
        }
    }

    /// Whether the last block is code, in as many quotations.
    fn has_code(&self) -> bool {
        let last = self.blocks.last().filter(|last| last.quoted == self.quoted);
        last.is_some_and(|last| {
            matches!(
                last.content,
                Content::Paragraph {
                    preformatted: true,
                    ..
                }
            )
        })
    }

    /// Adds a line to the last block, which is code.
    fn code_line(&mut self, line: Vec<Run>) {
        let lines = std::mem::take(&mut self.blank_lines).min(BLANK_LINES) + 1;
        if let Some(Content::Paragraph { runs, .. }) =
            self.blocks.last_mut().map(|last| &mut last.content)
        {
            add_behind(runs, lines, line);
        }
    }
}

/// Whether runs are of one width, and no longer than lines of code are.
fn is_narrow(runs: &[Run]) -> bool {
    let length = runs.iter().map(|run| run.text.chars().count());
    length.sum::<usize>() <= LONGEST_LINE
        && runs
            .iter()
            .all(|run| run.style.monospaced || run.text.trim().is_empty())
}

/// Adds a line to runs, so many lines below.
fn add_behind(runs: &mut Vec<Run>, lines: usize, line: Vec<Run>) {
    let style = runs.last().map(|run| run.style.clone());
    let mut whole = Line::of(std::mem::take(runs));
    whole.push(&"\n".repeat(lines), &style.unwrap_or_default(), None);
    whole.extend(line);
    *runs = whole.into_runs();
}

/// Notes for the speaker stand below a line; where there are none, there is no line either.
pub(crate) fn below_rule(mut notes: Vec<Block>) -> Vec<Block> {
    if !notes.is_empty() {
        notes.insert(0, Block::from(Content::Rule));
    }
    notes
}

/// What blocks say, as one paragraph of several lines.
pub(crate) fn runs(blocks: Vec<Block>) -> Vec<Run> {
    let mut line = Line::default();
    add_runs(blocks, &mut line);
    line.trimmed()
}

fn add_runs(blocks: Vec<Block>, line: &mut Line) {
    for block in blocks {
        match block.content {
            Content::Heading { runs, .. }
            | Content::Paragraph { runs, .. }
            | Content::Footnote { runs, .. } => {
                add_line(String::new(), runs, line);
            }
            Content::List { items } => {
                items
                    .into_iter()
                    .for_each(|item| add_line(item.marker + " ", item.runs, line));
            }
            Content::Table(table) => table
                .cells
                .into_iter()
                .for_each(|cell| add_runs(cell.blocks, line)),
            Content::Image { .. } | Content::Rule => {}
        }
    }
}

fn add_line(before: String, runs: Vec<Run>, line: &mut Line) {
    let style = runs
        .first()
        .map(|run| run.style.clone())
        .unwrap_or_default();
    if !line.is_blank() {
        line.push("\n", &style, None);
    }
    line.push(&before, &style, None);
    line.extend(runs);
}

/// Shows every run of blocks, those of tables and notes included.
pub(crate) fn each_run(blocks: &mut [Block], see: &mut impl FnMut(&mut Run)) {
    for block in blocks {
        match &mut block.content {
            Content::Heading { runs, .. }
            | Content::Paragraph { runs, .. }
            | Content::Footnote { runs, .. } => {
                runs.iter_mut().for_each(&mut *see);
            }
            Content::List { items } => items
                .iter_mut()
                .flat_map(|item| &mut item.runs)
                .for_each(&mut *see),
            Content::Table(table) => {
                table
                    .cells
                    .iter_mut()
                    .for_each(|cell| each_run(&mut cell.blocks, see));
            }
            Content::Image { .. } | Content::Rule => {}
        }
    }
}

/// How many elements blocks are as large as.
pub(crate) fn weight(blocks: &[Block]) -> usize {
    let weights = blocks.iter().map(|block| match &block.content {
        Content::Heading { runs, .. }
        | Content::Paragraph { runs, .. }
        | Content::Footnote { runs, .. } => size(runs),
        Content::List { items } => items.iter().map(|item| 1 + size(&item.runs)).sum(),
        Content::Table(table) => table
            .cells
            .iter()
            .map(|cell| 1 + weight(&cell.blocks))
            .sum(),
        Content::Image { .. } | Content::Rule => 1,
    });
    weights.sum()
}

fn size(runs: &[Run]) -> usize {
    runs.iter().map(|run| 8 + run.text.len() / 16).sum()
}
