//! Writes GitHub-flavored Markdown. Pages form one flow; each different header is a paragraph where it occurs first, unless it
//! repeats a heading, and each different footer follows the text. Colors, fonts and underlines are dropped.
//!
//! Tables are pipe tables, whose first row is the header; tables with spanning cells, lists or code are HTML with one row a line.
//! Emphasis marks parts of a text, never all of it. Pictures are links to files, or references to data URLs at the end of the
//! document, or their alternative text if there are none. Links within the document become text. Notes are `[^1]`, numbered through
//! the document; notes referenced only from HTML tables are paragraphs. Markers other than plain numbers are text in a bulleted
//! item; tasks are `[ ]` and `[x]`. Leaders become `…`.

mod escape;
mod formatting;
mod formula;
mod html;
mod inline;
mod list;
mod pictures;
mod quoted;

use std::io::Write;

use self::escape::Place;
use self::inline::{Context, Inline};
use self::pictures::References;
use self::quoted::Quoted;
use super::flow::{Flow, Flowing, PageStart, Paragraph};
use super::grid::Grid;
use super::notes::{Note, Notes};
use super::{Metadata, Pictures, Result, WriteReport, Writer, plain};
use crate::{Block, Content, Page, Run, Table};

/// Creates a Markdown writer. Metadata is not written.
///
/// # Errors
/// None: nothing is written before the first page.
pub fn markdown<'a>(
    output: impl Write + 'a,
    _metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer + 'a>> {
    Ok(Box::new(Flow::new(Markdown::new(output, pictures))))
}

/// Creates a Markdown writer that marks pages with comments, such as `<!-- page 3 -->` before the first block that begins on
/// page 3. Metadata is not written.
///
/// # Errors
/// None: nothing is written before the first page.
pub fn markdown_with_page_markers<'a>(
    output: impl Write + 'a,
    _metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer + 'a>> {
    let mut markdown = Markdown::new(output, pictures);
    markdown.page_markers = Some(Vec::new());
    Ok(Box::new(Flow::new(markdown)))
}

impl<'a, W: Write> Markdown<'a, W> {
    fn new(output: W, pictures: &'a dyn Pictures) -> Self {
        Self {
            output: Quoted::new(output),
            pictures: References::new(pictures),
            inline: Inline::default(),
            has_blocks: false,
            is_after_list: false,
            table: TableSyntax::Pipes { has_header: false },
            fence: None,
            page_markers: None,
            written: WriteReport::default(),
        }
    }
}

struct Markdown<'a, W> {
    output: Quoted<W>,
    pictures: References<'a>,
    inline: Inline,
    /// Whether a block was written.
    has_blocks: bool,
    is_after_list: bool,
    /// Syntax of the open table.
    table: TableSyntax,
    /// The closing fence, if the open paragraph is a code block.
    fence: Option<String>,
    /// Numbers of the pages without a marker yet, if pages are marked.
    page_markers: Option<Vec<u32>>,
    written: WriteReport,
}

/// How a table is written.
enum TableSyntax {
    /// A pipe table; `has_header` is whether its first row was written.
    Pipes {
        has_header: bool,
    },
    Html,
}

impl<W: Write> Markdown<'_, W> {
    /// Writes the markers of the pages that began since the last block.
    fn mark_pages(&mut self) -> Result {
        let numbers = self.page_markers.as_mut().map(std::mem::take);
        for number in numbers.into_iter().flatten() {
            if std::mem::replace(&mut self.has_blocks, true) {
                self.output.end_block(0)?;
            }
            self.output.depth = 0;
            writeln!(self.output, "<!-- page {number} -->")?;
            self.is_after_list = false;
        }
        Ok(())
    }

    /// Begins a block at a quotation depth.
    fn begin(&mut self, quote_depth: u8, is_list: bool) -> Result {
        self.mark_pages()?;
        if self.has_blocks {
            self.output.end_block(quote_depth)?;
        }
        self.output.depth = quote_depth;
        if is_list && self.is_after_list {
            // A comment keeps two adjacent lists apart.
            self.output.write_all(b"<!-- -->\n\n")?;
        }
        (self.has_blocks, self.is_after_list) = (true, is_list);
        Ok(())
    }

    fn write_whole(&mut self, quote_depth: u8, before: &str, text: &str) -> Result {
        if !text.is_empty() {
            self.begin(quote_depth, false)?;
            writeln!(self.output, "{before}{text}")?;
        }
        Ok(())
    }

    /// Writes a header or footer; on a single page it may contain the title or the author.
    fn header_footer(&mut self, blocks: &[Block]) -> Result {
        for block in blocks {
            let text = plain::clean(&plain::of_block(block));
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                let line = escape::text(line.trim(), Place::default());
                self.write_whole(0, "", &escape::line_start(&line))?;
            }
        }
        Ok(())
    }

    fn pipe_row(&mut self, table: &Table, grid: &Grid, row: usize, notes: &Notes) -> Result {
        let slots = grid.row(row).into_iter().map(super::grid::Slot::begins);
        let text = |cell: Option<usize>| {
            let cell = cell.and_then(|cell| table.cells.get(cell));
            let blocks = cell.map_or(&[][..], |cell| &cell.blocks);
            inline::of_blocks(blocks, notes, &mut self.pictures)
        };
        let cells = slots.map(text).collect::<Result<Vec<_>>>()?;
        writeln!(self.output, "| {} |", cells.join(" | "))?;
        if let TableSyntax::Pipes { has_header: false } = self.table {
            self.table = TableSyntax::Pipes { has_header: true };
            writeln!(self.output, "|{}", " --- |".repeat(grid.columns))?;
        }
        Ok(())
    }
}

impl<W: Write> Flowing for Markdown<'_, W> {
    fn page(&mut self, page: &Page, _: PageStart) -> Result {
        self.written.pages += 1;
        if let Some(numbers) = &mut self.page_markers {
            numbers.push(page.number);
        }
        Ok(())
    }

    fn writes_headers_once(&self) -> bool {
        true
    }

    fn header(&mut self, blocks: &[Block]) -> Result {
        self.header_footer(blocks)
    }

    /// Text that would close the fence cannot continue a code block.
    fn can_continue(&self, page: &Page) -> bool {
        let ends = |fence: &String| {
            let mut texts = page.blocks.iter().map(plain::of_block);
            texts.any(|text| text.contains(fence))
        };
        !self.fence.as_ref().is_some_and(ends)
    }

    fn block(&mut self, block: &Block, notes: &Notes) -> Result {
        let quote_depth = block.quote_depth;
        match &block.content {
            Content::Heading { level, runs, .. } => {
                let text = inline::of_runs(runs, notes, Context::Heading);
                let signs = "#".repeat(usize::from((*level).clamp(1, 6)));
                self.write_whole(quote_depth, &format!("{signs} "), &text)
            }
            Content::List { items } => {
                self.begin(quote_depth, true)?;
                Ok(self.output.write_all(list::list(items, notes).as_bytes())?)
            }
            Content::Image { image, alternative } => {
                let words = alternative.as_deref();
                let picture = self.pictures.reference(*image, words, false)?;
                self.write_whole(quote_depth, "", &escape::line_start(&picture))
            }
            Content::Rule => self.write_whole(quote_depth, "", "---"),
            Content::Paragraph { .. } | Content::Table(_) | Content::Footnote { .. } => Ok(()),
        }
    }

    fn paragraph(&mut self, start: &Paragraph<'_>, _: &Notes) -> Result {
        self.begin(start.block.quote_depth, false)?;
        self.inline = Inline::of(start.runs, Context::Paragraph);
        let is_code = plain::is_code(start.block);
        self.fence = is_code.then(|| escape::fence(&crate::plain(start.runs), 3));
        if let Some(fence) = &self.fence {
            writeln!(self.output, "{fence}")?;
        }
        Ok(())
    }

    fn runs(&mut self, runs: &[Run], notes: &Notes) -> Result {
        let text = match self.fence {
            Some(_) => escape::shown(&crate::plain(runs)),
            None => self.inline.write(runs, notes, Context::Paragraph),
        };
        Ok(self.output.write_all(text.as_bytes())?)
    }

    fn end_paragraph(&mut self) -> Result {
        match self.fence.take() {
            Some(fence) => writeln!(self.output, "\n{fence}")?,
            None => writeln!(self.output)?,
        }
        Ok(())
    }

    fn table(&mut self, block: &Block, table: &Table) -> Result {
        self.written.tables += 1;
        self.begin(block.quote_depth, false)?;
        if html::is_needed(table) {
            self.table = TableSyntax::Html;
            return Ok(writeln!(self.output, "<table>")?);
        }
        self.table = TableSyntax::Pipes { has_header: false };
        Ok(())
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Result {
        for row in first..grid.rows {
            match self.table {
                TableSyntax::Pipes { .. } => self.pipe_row(table, grid, row, notes)?,
                TableSyntax::Html => {
                    writeln!(self.output, "{}", html::row(table, grid, row))?;
                }
            }
        }
        Ok(())
    }

    fn end_table(&mut self) -> Result {
        match self.table {
            TableSyntax::Pipes { .. } => Ok(()),
            TableSyntax::Html => Ok(writeln!(self.output, "</table>")?),
        }
    }

    fn note(&mut self, note: &Note) -> Result {
        let text = inline::of_runs(&note.runs, &Notes::default(), Context::Item(4));
        match note.is_mentioned() {
            true => self.write_whole(0, &format!("[^{}]: ", note.number), &text),
            false => self.write_whole(
                0,
                &format!(
                    "<sup>{}</sup> ",
                    escape::text(&note.label, Place::default())
                ),
                &text,
            ),
        }
    }

    fn finish(mut self, footers: &[Block]) -> Result<WriteReport> {
        self.mark_pages()?;
        self.header_footer(footers)?;
        if !self.pictures.is_empty() {
            self.begin(0, false)?;
            self.pictures.write_data(&mut self.output)?;
        }
        self.output.flush()?;
        Ok(self.written)
    }
}
