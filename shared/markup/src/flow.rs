//! Collects blocks in reading order: consecutive items form one list, blank paragraphs are dropped, indented monospaced lines
//! become code.

use layout::{Alignment, Block, Content, Item, Run, Table};

use crate::line::Line;
use crate::sheet_cells::SheetCells;

/// Blocks in reading order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    blocks: Vec<Block>,
    /// Quotation depth of the blocks that are added next.
    pub(crate) quote_depth: u8,
    /// Number of blank code lines since the last code line.
    blank_lines: usize,
    /// The cells, if it is a worksheet.
    pub(crate) sheet: SheetCells,
}

/// Maximum number of consecutive blank code lines that are kept.
const BLANK_LINES: usize = 100;

/// Maximum length of a line that is detected as code, in characters.
const LONGEST_LINE: usize = 120;

/// The role of a paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Role {
    /// Body text.
    #[default]
    Body,
    /// Preformatted text: white space and line breaks are kept.
    Preformatted,
    /// One line of code; consecutive lines form one block.
    CodeLine,
    /// A heading of this level, from 1 (highest).
    Heading(u8),
    /// A list item.
    Item(Marker),
}

/// The marker of a list item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marker {
    /// Nesting level, from 0.
    pub(crate) level: u8,
    /// Whether the list is ordered.
    pub(crate) ordered: bool,
    /// Marker as displayed.
    pub(crate) text: String,
}

impl Flow {
    /// The blocks of a worksheet.
    pub(crate) fn of_sheet(sheet: SheetCells) -> Self {
        Self {
            sheet,
            ..Self::default()
        }
    }

    /// Adds a paragraph unless it is blank.
    pub(crate) fn paragraph(&mut self, role: Role, alignment: Alignment, line: Line) {
        self.paragraph_across_pages(role, alignment, line, false);
    }

    /// Adds a paragraph unless it is blank; `continues` marks that it continues the last paragraph of the previous page.
    pub(crate) fn paragraph_across_pages(
        &mut self,
        role: Role,
        alignment: Alignment,
        line: Line,
        continues: bool,
    ) {
        if line.is_blank() {
            self.blank_lines += usize::from(role == Role::CodeLine);
            return;
        }
        let role = self.as_code(role, alignment, &line, continues);
        let preformatted = matches!(role, Role::Preformatted | Role::CodeLine);
        let runs = match preformatted {
            true => line.trimmed_end(),
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
                    continues,
                    preformatted,
                });
            }
        }
    }

    /// Adds a line to the last list item, or a paragraph if there is none.
    pub(crate) fn continue_item(&mut self, alignment: Alignment, line: Line) {
        if line.is_blank() {
            return;
        }
        let Some(Content::List { items }) = self.blocks.last_mut().map(|last| &mut last.content)
        else {
            return self.paragraph(Role::Body, alignment, line);
        };
        if let Some(item) = items.last_mut() {
            append_line(&mut item.runs, 1, line.trimmed());
        }
    }

    /// Adds a table unless it has no cells.
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

    /// Adds other content.
    pub(crate) fn content(&mut self, content: Content) {
        self.extend(vec![Block::from(content)]);
    }

    /// Adds blocks inside the current quotation depth.
    pub(crate) fn extend(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            self.blank_lines = 0;
        }
        let quoted = self.quote_depth;
        self.blocks.extend(blocks.into_iter().map(|block| Block {
            quote_depth: block.quote_depth.saturating_add(quoted),
            ..block
        }));
    }

    /// Whether no block was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the blocks in reading order.
    pub(crate) fn into_blocks(self) -> Vec<Block> {
        self.blocks
    }

    fn item(&mut self, item: Item) {
        let quoted = self.quote_depth;
        match self
            .blocks
            .last_mut()
            .filter(|last| last.quote_depth == quoted)
        {
            Some(last) => match &mut last.content {
                Content::List { items } => items.push(item),
                _ => self.content(Content::List { items: vec![item] }),
            },
            _ => self.content(Content::List { items: vec![item] }),
        }
    }

    /// Detects code in paragraphs without a code style: short monospaced lines, if at least one of the adjacent ones is
    /// indented by spaces.
    fn as_code(&mut self, role: Role, alignment: Alignment, line: &Line, continues: bool) -> Role {
        if role != Role::Body
            || alignment != Alignment::Start
            || continues
            || !is_code_like(line.runs())
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

    /// Converts the trailing monospaced paragraphs to code.
    fn gather_code(&mut self) {
        let quoted = self.quote_depth;
        let is_candidate = |block: &&Block| match &block.content {
            Content::Paragraph {
                runs,
                alignment: Alignment::Start,
                continues: false,
                preformatted: false,
            } => block.quote_depth == quoted && is_code_like(runs),
            _ => false,
        };
        let count = self.blocks.iter().rev().take_while(is_candidate).count();
        let lines = self.blocks.split_off(self.blocks.len() - count);
        for block in lines {
            if let Content::Paragraph { runs, .. } = block.content {
                self.paragraph_across_pages(
                    Role::CodeLine,
                    Alignment::Start,
                    Line::of(runs),
                    false,
                );
            }
        }
    }

    /// Whether the last block is code in the same quotation.
    fn has_code(&self) -> bool {
        let last = self
            .blocks
            .last()
            .filter(|last| last.quote_depth == self.quote_depth);
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
            append_line(runs, lines, line);
        }
    }
}

/// Whether runs are monospaced and no longer than a line of code.
fn is_code_like(runs: &[Run]) -> bool {
    let length = runs.iter().map(|run| run.text.chars().count());
    length.sum::<usize>() <= LONGEST_LINE
        && runs
            .iter()
            .all(|run| run.style.monospaced || run.text.trim().is_empty())
}

/// Appends a line after `lines` line breaks.
fn append_line(runs: &mut Vec<Run>, lines: usize, line: Vec<Run>) {
    let style = runs.last().map(|run| run.style.clone());
    let mut whole = Line::of(std::mem::take(runs));
    whole.push(&"\n".repeat(lines), &style.unwrap_or_default(), None);
    whole.extend(line);
    *runs = whole.into_runs();
}

/// Separates speaker notes from the slide by a rule, if there are any.
pub(crate) fn with_rule_above(mut notes: Vec<Block>) -> Vec<Block> {
    if !notes.is_empty() {
        notes.insert(0, Block::from(Content::Rule));
    }
    notes
}

/// Flattens blocks into one paragraph of several lines.
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

/// Visits the runs of each paragraph and item, including those in tables and notes.
pub(crate) fn each_line(blocks: &mut [Block], see: &mut impl FnMut(&mut [Run])) {
    for block in blocks {
        match &mut block.content {
            Content::Heading { runs, .. }
            | Content::Paragraph { runs, .. }
            | Content::Footnote { runs, .. } => see(runs),
            Content::List { items } => items.iter_mut().for_each(|item| see(&mut item.runs)),
            Content::Table(table) => {
                table
                    .cells
                    .iter_mut()
                    .for_each(|cell| each_line(&mut cell.blocks, see));
            }
            Content::Image { .. } | Content::Rule => {}
        }
    }
}

/// Estimates the memory of blocks, in elements of the budget.
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
