//! Finds results without content, pictures that are not in a result although its format can have them, and text outside tables
//! that a format of tables does not contain.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, ImageHandling};
use layout::writers::{is_sheet_of_text, text_outside_tables};
use layout::{Block, Content, Page, plain};
use task::expected_text::add_left_out_text;
use task::options::keeps_pictures;
use task::{DroppedContent, Task, TaskError, TaskResult, Warning};

/// Maximum number of different headers and footers that are counted.
const MAX_REPEATED: usize = 10_000;

/// The content of the pages that were written.
pub(super) struct WrittenContent<'a> {
    task: &'a Task,
    options: &'a ConvertOptions,
    has_content: bool,
    pictures: u32,
    /// Number of words; those of running headers and footers once.
    outside_tables: u32,
    /// Letters of the headers and footers so far.
    repeated: HashSet<String>,
}

impl<'a> WrittenContent<'a> {
    /// Content of no pages.
    pub(super) fn new(task: &'a Task, options: &'a ConvertOptions) -> Self {
        Self {
            task,
            options,
            has_content: false,
            pictures: 0,
            outside_tables: 0,
            repeated: HashSet::new(),
        }
    }

    /// Adds a page.
    pub(super) fn add(&mut self, page: &Page) -> TaskResult<()> {
        for blocks in [&page.header, &page.blocks, &page.footer] {
            self.add_blocks(blocks);
        }
        match self.options.table {
            None => self.add_outside_tables(page),
            Some(_) => Ok(()),
        }
    }

    /// Counts and records the text of a page that a result of tables leaves out.
    fn add_outside_tables(&mut self, page: &Page) -> TaskResult<()> {
        let mut texts = match self.options.format {
            Format::Xlsx if is_sheet_of_text(page) => Vec::new(),
            Format::Csv | Format::Xlsx => text_outside_tables(&page.blocks),
            _ => return Ok(()),
        };
        let margins = [&page.header, &page.footer].map(|blocks| text_outside_tables(blocks));
        let repeated = &mut self.repeated;
        let counted = margins.iter().flatten().filter(|text| {
            let letters: String = text
                .chars()
                .filter(|letter| letter.is_alphabetic())
                .collect();
            // Page numbers are not content.
            !letters.is_empty() && repeated.len() < MAX_REPEATED && repeated.insert(letters)
        });
        let words = texts.iter().chain(counted);
        let words = words.map(|text| verify::count_words(text)).sum::<u64>();
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        self.outside_tables = self.outside_tables.saturating_add(words);
        texts.extend(margins.into_iter().flatten());
        match self.task.from {
            // Other sources are read without the text outside tables.
            Format::Pdf => add_left_out_text(self.task, &texts),
            _ => Ok(()),
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

    /// Returns warnings about pictures of which Markdown has only the words, unless the request drops them, and about text
    /// outside tables.
    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let options = self.options;
        let has_words_only = options.format == Format::Markdown
            && !keeps_pictures(options)
            && options.images != Some(ImageHandling::Drop);
        let pictures = if has_words_only { self.pictures } else { 0 };
        let dropped = [
            (DroppedContent::EmbeddablePictures, pictures),
            (DroppedContent::TextOutsideTables, self.outside_tables),
        ];
        let dropped = dropped.into_iter().filter(|(_, count)| *count > 0);
        dropped.map(|(content, count)| Warning::Dropped(content, count))
    }

    /// Requires content in a result without a layout of its own. Pages without text have a warning instead.
    pub(super) fn check(&self) -> TaskResult<()> {
        let task = self.task;
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
    let mut reader = BufReader::new(File::open(task.document())?);
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
            "The document has no text but pictures. Set `images` to `embed` to include them."
                .to_owned()
        }
        _ => format!("The document has no text but pictures, which {to} cannot contain."),
    };
    TaskError::document(JobErrorCode::OutputInvalid, &message)
}
