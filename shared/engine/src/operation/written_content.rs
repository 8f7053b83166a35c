//! Finds results without content, and pictures that are not in a result although its format can have them.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::ConvertOptions;
use layout::{Block, Content, Page, plain};
use task::options::keeps_pictures;
use task::{DroppedContent, Task, TaskError, TaskResult, Warning};

/// The content of the pages that were written.
pub(super) struct WrittenContent<'a> {
    options: &'a ConvertOptions,
    has_content: bool,
    pictures: u32,
}

impl<'a> WrittenContent<'a> {
    /// Content of no pages.
    pub(super) fn new(options: &'a ConvertOptions) -> Self {
        Self {
            options,
            has_content: false,
            pictures: 0,
        }
    }

    /// Adds a page.
    pub(super) fn add(&mut self, page: &Page) {
        for blocks in [&page.header, &page.blocks, &page.footer] {
            self.add_blocks(blocks);
        }
    }

    fn add_blocks(&mut self, blocks: &[Block]) {
        let is_visible = |text: &str| !text.trim().is_empty();
        for block in blocks {
            self.has_content |= match &block.content {
                Content::Heading { runs, .. }
                | Content::Paragraph { runs, .. }
                | Content::Footnote { runs, .. } => is_visible(&plain(runs)),
                Content::List { items } => items.iter().any(|item| is_visible(&plain(&item.runs))),
                Content::Image { alternative, .. } => {
                    self.pictures = self.pictures.saturating_add(1);
                    keeps_pictures(self.options) || alternative.as_deref().is_some_and(is_visible)
                }
                Content::Table(table) => {
                    table
                        .cells
                        .iter()
                        .for_each(|cell| self.add_blocks(&cell.blocks));
                    false
                }
                Content::Rule => false,
            };
        }
    }

    /// Returns a warning if pictures were dropped by default.
    pub(super) fn dropped_pictures(&self) -> Option<Warning> {
        let is_default = self.options.format == Format::Markdown && self.options.images.is_none();
        let dropped = Warning::Dropped(DroppedContent::EmbeddablePictures, self.pictures);
        (is_default && self.pictures > 0).then_some(dropped)
    }

    /// Requires content in a result without a layout of its own. Pages without text have a warning instead.
    pub(super) fn check(&self, task: &Task) -> TaskResult<()> {
        if matches!(task.from.spec().category, Category::Pdf | Category::Image) {
            return Ok(());
        }
        let has_content = match task.to {
            Format::Html | Format::Xlsx => self.has_content,
            _ => return check_text(task, self.pictures),
        };
        match has_content {
            true => Ok(()),
            false => Err(without_content(task.to, self.pictures)),
        }
    }
}

/// Requires text in a result that consists of text.
fn check_text(task: &Task, pictures: u32) -> TaskResult<()> {
    if !matches!(task.to, Format::Txt | Format::Markdown | Format::Csv) {
        return Ok(());
    }
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'"');
    let mut reader = BufReader::new(File::open(task.output())?);
    loop {
        let bytes = reader.fill_buf()?;
        let length = bytes.len();
        if length == 0 {
            return Err(without_content(task.to, pictures));
        }
        if !bytes.iter().all(is_separator) {
            return Ok(());
        }
        reader.consume(length);
    }
}

fn without_content(to: Format, pictures: u32) -> TaskError {
    let message = match (pictures, to) {
        (0, _) => "The document has no text.".to_owned(),
        (_, Format::Markdown | Format::Html) => {
            "The document has no text but pictures. Set `images` to `keep` to include them."
                .to_owned()
        }
        _ => format!("The document has no text but pictures, which {to} cannot contain."),
    };
    TaskError::document(JobErrorCode::OutputInvalid, &message)
}
