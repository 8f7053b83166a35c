//! Finds results without content, pictures that are not in a result although its format can have them, and text outside tables
//! that a format of tables does not contain.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, ImageHandling};
use layout::writers::{is_sheet_of_text, text_outside_tables};
use layout::{Block, Content, FixedPage, Page, plain};
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

    /// Adds a page of fixed layout.
    pub(super) fn add_fixed(&mut self, page: &FixedPage) {
        let is_visible = |text: String| !text.trim().is_empty();
        let mut lines = page.lines.iter();
        self.has_content |=
            !page.graphics.is_empty() || lines.any(|line| is_visible(plain(&line.runs)));
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

    /// Requires content in the result. `advice` completes the error message.
    pub(super) fn check(&self, advice: impl FnOnce() -> TaskResult<String>) -> TaskResult<()> {
        let task = self.task;
        let has_pages = matches!(task.from.spec().category, Category::Pdf | Category::Image);
        let has_content = match task.to {
            Format::Txt | Format::Markdown | Format::Csv => has_text(&task.document())?,
            Format::Html | Format::Xlsx => self.has_content,
            _ if has_pages => self.has_content,
            _ => true,
        };
        match has_content {
            true => Ok(()),
            false => Err(without_content(task.to, self.pictures, &advice()?)),
        }
    }
}

/// Whether a result that consists of text has more than separators.
pub(super) fn has_text(result: &Path) -> TaskResult<bool> {
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'"');
    let mut reader = BufReader::new(File::open(result)?);
    loop {
        let bytes = reader.fill_buf()?;
        let length = bytes.len();
        if length == 0 {
            return Ok(false);
        }
        if !bytes.iter().all(is_separator) {
            return Ok(true);
        }
        reader.consume(length);
    }
}

fn without_content(to: Format, pictures: u32, advice: &str) -> TaskError {
    let message = match (pictures, to) {
        (0, _) => "The document has no text.".to_owned(),
        (_, Format::Markdown) => {
            "The document has no text but pictures. Set `images` to `embed` or `files` to include them."
                .to_owned()
        }
        (_, Format::Html | Format::Docx | Format::Pptx | Format::Json) => {
            "The document has no text but pictures. Set `images` to `embed` to include them."
                .to_owned()
        }
        _ => format!("The document has no text but pictures, which {to} cannot contain."),
    };
    let message = format!("{message} {advice}");
    TaskError::document(JobErrorCode::OutputInvalid, message.trim_end())
}
