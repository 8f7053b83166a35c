//! Blocks while they are read: items that follow each other become one list, and what says nothing is left out.

use layout::{Alignment, Block, Content, Item, Run, Table};

use crate::line::Line;

/// Blocks in reading order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    blocks: Vec<Block>,
}

/// What a paragraph of a document is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Role {
    /// Plain text.
    #[default]
    Body,
    /// Text whose spaces and lines are kept.
    Preformatted,
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
            return;
        }
        let runs = match role {
            Role::Preformatted => line.without_end(),
            _ => line.trimmed(),
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
            }),
            Role::Body | Role::Preformatted => self.content(Content::Paragraph {
                runs,
                alignment,
                continues: goes_on,
            }),
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
            let style = item.runs.last().map(|run| run.style.clone());
            let mut whole = Line::of(std::mem::take(&mut item.runs));
            whole.push("\n", &style.unwrap_or_default(), None);
            whole.extend(line.trimmed());
            item.runs = whole.into_runs();
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
        self.blocks.push(Block {
            bounds: None,
            content,
        });
    }

    /// Adds blocks as they are.
    pub(crate) fn extend(&mut self, blocks: Vec<Block>) {
        self.blocks.extend(blocks);
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
        match self.blocks.last_mut() {
            Some(last) => match &mut last.content {
                Content::List { items } => items.push(item),
                _ => self.content(Content::List { items: vec![item] }),
            },
            _ => self.content(Content::List { items: vec![item] }),
        }
    }
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
