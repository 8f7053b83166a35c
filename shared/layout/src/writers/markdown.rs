//! Pages to GitHub-flavoured markdown. Pages flow together; the header of the first page that has one stands before
//! the text, the footer of the first that has one behind it; others, colours, fonts and underlines are left out.
//!
//! A cell that spans says what it says in its first place and leaves the others empty; lines within a cell end with `<br>`, and a table
//! without a header has an empty one. Of pictures there is what they show in words, since most readers of markdown refuse pictures
//! within the text. Links within the document are text. Notes are `[^1]`, numbered through the document. Markers that count
//! otherwise than in plain numbers stand in the text of a bulleted item, as they are; those of tasks are `[ ]` and `[x]`.

mod escape;
mod inline;
mod list;
mod quoted;

use std::io::Write;

use self::inline::{Inline, Place as Where};
use self::quoted::Quoted;
use super::flow::{Flow, Flowing, Paragraph, Place};
use super::grid::Grid;
use super::notes::{Note, Notes};
use super::{Metadata, Outcome, WriteReport, Writer, plain};
use crate::{Block, Content, Page, Run, Table};

/// A writer of markdown. Of the metadata, nothing has a place in it.
///
/// # Errors
/// None yet: nothing is written before the first page.
pub fn markdown<'a>(output: impl Write + 'a, _facts: &Metadata) -> Outcome<Box<dyn Writer + 'a>> {
    Ok(Box::new(Flow::new(Markdown {
        output: Quoted::new(output),
        inline: Inline::default(),
        is_begun: false,
        has_header: false,
        footer: Vec::new(),
        is_after_list: false,
        is_headed: false,
        fence: None,
        written: WriteReport::default(),
    })))
}

struct Markdown<W> {
    output: Quoted<W>,
    inline: Inline,
    /// Whether there is a block before.
    is_begun: bool,
    /// Whether a page has had a header.
    has_header: bool,
    /// The footer of the first page that has one.
    footer: Vec<Block>,
    is_after_list: bool,
    /// Whether the open table has its header.
    is_headed: bool,
    /// What ends the open paragraph, if it is a block of code.
    fence: Option<String>,
    written: WriteReport,
}

impl<W: Write> Markdown<W> {
    /// Begins a block that stands in so many quotations.
    fn begin(&mut self, quoted: u8, is_list: bool) -> Outcome {
        if self.is_begun {
            self.output.end_block(quoted)?;
        }
        self.output.depth = quoted;
        if is_list && self.is_after_list {
            // Two lists in a row would be read as one.
            self.output.write_all(b"<!-- -->\n\n")?;
        }
        (self.is_begun, self.is_after_list) = (true, is_list);
        Ok(())
    }

    fn whole(&mut self, quoted: u8, before: &str, text: &str) -> Outcome {
        if !text.is_empty() {
            self.begin(quoted, false)?;
            writeln!(self.output, "{before}{text}")?;
        }
        Ok(())
    }

    /// The lines at an edge of a page: of a single page they may be its title, or who wrote it.
    fn edge(&mut self, blocks: &[Block]) -> Outcome {
        for block in blocks {
            let said = plain::clean(&plain::of_block(block));
            for line in said.lines().filter(|line| !line.trim().is_empty()) {
                self.whole(0, "", &escape::text(line.trim(), false, true))?;
            }
        }
        Ok(())
    }

    fn line_below_header(&mut self, columns: usize) -> Outcome {
        self.is_headed = true;
        self.row(&vec!["---".to_owned(); columns])
    }

    fn row(&mut self, cells: &[String]) -> Outcome {
        Ok(writeln!(self.output, "| {} |", cells.join(" | "))?)
    }
}

impl<W: Write> Flowing for Markdown<W> {
    fn page(&mut self, page: &Page, _: Place) -> Outcome {
        self.written.pages += 1;
        if self.footer.is_empty() {
            self.footer.clone_from(&page.footer);
        }
        if self.has_header {
            return Ok(());
        }
        self.has_header = !page.header.is_empty();
        self.edge(&page.header)
    }

    /// Not with a text that would end the block of code.
    fn can_go_on(&self, page: &Page) -> bool {
        let ends = |fence: &String| {
            let mut texts = page.blocks.iter().map(plain::of_block);
            texts.any(|text| text.contains(fence))
        };
        !self.fence.as_ref().is_some_and(ends)
    }

    fn block(&mut self, block: &Block, notes: &Notes) -> Outcome {
        let quoted = block.quoted;
        match &block.content {
            Content::Heading { level, runs, .. } => {
                let text = inline::whole(runs, notes, Where::Heading);
                let signs = "#".repeat(usize::from((*level).clamp(1, 6)));
                self.whole(quoted, &format!("{signs} "), &text)
            }
            Content::List { items } => {
                self.begin(quoted, true)?;
                Ok(self.output.write_all(list::list(items, notes).as_bytes())?)
            }
            Content::Image { alternative, .. } => {
                let words = alternative.as_deref().unwrap_or_default();
                let words = escape::text(&plain::clean(words).replace('\n', " "), false, true);
                self.whole(quoted, "", &escape::line_start(&words))
            }
            Content::Rule => self.whole(quoted, "", "---"),
            Content::Paragraph { .. } | Content::Table(_) | Content::Footnote { .. } => Ok(()),
        }
    }

    fn paragraph(&mut self, start: &Paragraph<'_>, _: &Notes) -> Outcome {
        self.begin(start.block.quoted, false)?;
        self.inline = Inline::default();
        let is_code = plain::is_code(start.block);
        self.fence = is_code.then(|| escape::fence(&crate::plain(start.runs), 3));
        if let Some(fence) = &self.fence {
            writeln!(self.output, "{fence}")?;
        }
        Ok(())
    }

    fn runs(&mut self, runs: &[Run], notes: &Notes) -> Outcome {
        let text = match self.fence {
            Some(_) => escape::shown(&crate::plain(runs)),
            None => self.inline.write(runs, notes, Where::Paragraph),
        };
        Ok(self.output.write_all(text.as_bytes())?)
    }

    fn end_paragraph(&mut self) -> Outcome {
        match self.fence.take() {
            Some(fence) => writeln!(self.output, "\n{fence}")?,
            None => writeln!(self.output)?,
        }
        Ok(())
    }

    fn table(&mut self, block: &Block, _: &Table) -> Outcome {
        self.written.tables += 1;
        self.is_headed = false;
        self.begin(block.quoted, false)
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Outcome {
        if !self.is_headed && grid.header_rows == 0 {
            self.row(&vec![String::new(); grid.columns])?;
            self.line_below_header(grid.columns)?;
        }
        for row in first..grid.rows {
            let slots = grid.row(row).into_iter().map(super::grid::Slot::begins);
            let text = |cell: Option<usize>| {
                let cell = cell.and_then(|cell| table.cells.get(cell));
                cell.map_or_else(String::new, |cell| inline::of_blocks(&cell.blocks, notes))
            };
            let cells: Vec<_> = slots.map(text).collect();
            self.row(&cells)?;
            if !self.is_headed {
                self.line_below_header(grid.columns)?;
            }
        }
        Ok(())
    }

    fn end_table(&mut self) -> Outcome {
        Ok(())
    }

    fn note(&mut self, note: &Note) -> Outcome {
        let text = inline::whole(&note.runs, &Notes::default(), Where::Item(4));
        match note.is_referenced {
            true => self.whole(0, &format!("[^{}]: ", note.number), &text),
            false => self.whole(
                0,
                &format!("<sup>{}</sup> ", escape::text(&note.label, false, false)),
                &text,
            ),
        }
    }

    fn finish(mut self) -> Outcome<WriteReport> {
        let footer = std::mem::take(&mut self.footer);
        self.edge(&footer)?;
        self.output.flush()?;
        Ok(self.written)
    }
}
