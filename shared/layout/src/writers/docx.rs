//! Writes WordprocessingML [ECMA-376], page by page.
//!
//! Pages form one flow: a page break is written where the page size changes and where the previous page had room left for the
//! next block. Each section has headers and footers for its first page and for its other pages, with the page number as a
//! field. Different headers or footers, or another page numbering, begin a section at such a page break; in running text,
//! different ones begin a section on the same page, because text has other line breaks here. A footnote whose label is the
//! next number is numbered automatically; others keep their labels. Lists are numbered as their markers; markers that no numbering
//! format produces are text. A table with more than 63 columns, which Word rejects, is written as lines with tabs.

mod background;
mod block;
mod drawing;
pub(super) mod fixed;
mod font_name;
mod font_table;
mod header_footer;
mod numbering;
mod page_numbering;
mod paragraph;
mod parts;
mod run;
mod section;
mod section_header_footer;
mod spacing;
mod story;
mod styles;
mod table;
mod tabs;

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use self::header_footer::HeaderFooter;
use self::paragraph::Properties;
use self::section::{Section, Sections, is_background};
use self::story::Story;
use self::table::Open;
use super::direction::are_rtl;
use super::flow::{Flow, Flowing, PageStart, Paragraph};
use super::grid::Grid;
use super::length;
use super::notes::{Note, Notes};
use super::ooxml::package::{Package, Relations};
use super::plain::is_code;
use super::{Metadata, PictureInfo, Pictures, Result, WriteReport, Writer, picture};
use crate::{Alignment, Block, Content, Page, Run, Size, Table};

/// Namespace of WordprocessingML.
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// Creates a docx writer. Footnotes are buffered in `scratch`, a directory for temporary files.
///
/// # Errors
/// If the output cannot be written.
pub fn docx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
    scratch: &Path,
) -> Result<Box<dyn Writer + 'a>> {
    let mut package = Package::begin(output, "word/document.xml")?;
    package.part("word/document.xml", &parts::content_type("document.main"))?;
    write!(package, "<w:document {}><w:body>", parts::NAMESPACES)?;
    let mut story = Story::new(pictures, Relations::default());
    parts::relate(
        &mut story.relations,
        &["styles", "settings", "numbering", "footnotes"],
    );
    Ok(Box::new(Flow::new(Docx {
        package,
        metadata: metadata.clone(),
        story,
        notes: spooled_tempfile_in(IN_MEMORY, scratch),
        sections: Sections::default(),
        is_page_empty: false,
        table: None,
        page_with_background: None,
        entry: None,
        written: WriteReport::default(),
    })))
}

/// Maximum bytes of footnotes in memory.
const IN_MEMORY: usize = 1 << 20;

struct Docx<'a, W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    story: Story<'a>,
    notes: SpooledTempFile,
    sections: Sections,
    /// Whether nothing has been written on this page.
    is_page_empty: bool,
    table: Option<Open>,
    /// Size of this page if it has a background.
    page_with_background: Option<Size>,
    /// The runs of the paragraph that begins, if it is an entry of contents.
    entry: Option<Vec<Run>>,
    written: WriteReport,
}

impl<W: Write + Seek> Docx<'_, W> {
    /// Writes the buffered XML to the document part, and the notes to their buffer.
    fn send(&mut self) -> Result {
        self.package
            .write_all(std::mem::take(&mut self.story.xml).as_bytes())?;
        Ok(self
            .notes
            .write_all(std::mem::take(&mut self.story.notes).as_bytes())?)
    }

    fn properties(&mut self, block: &Block) -> Properties {
        self.is_page_empty = false;
        let bounds = length::place(block.bounds);
        Properties {
            begins_page: self.sections.takes_break(),
            before: self.sections.space_before(block),
            left: match is_indented(block) {
                true => self.sections.indent(bounds),
                false => 0,
            },
            text_width: self.sections.text_width(),
            ..Properties::default()
        }
    }

    /// Returns the picture of a block that is a background, and the size of its page.
    fn background(&self, block: &Block) -> Result<Option<(PictureInfo, Size)>> {
        let page = self.page_with_background;
        let page = page.filter(|page| is_background(block, *page));
        match (page, &block.content) {
            (Some(page), Content::Image { image, .. }) => {
                let info = picture::info(self.story.pictures, *image)?;
                Ok(info.map(|info| (info, page)))
            }
            _ => Ok(None),
        }
    }

    /// Ends a page; an empty page gets an empty paragraph.
    fn end_page(&mut self) {
        let is_empty = std::mem::take(&mut self.is_page_empty);
        if !self.story.backgrounds.is_empty() {
            let begins_page = self.sections.takes_break();
            self.story.anchor_backgrounds(begins_page);
        } else if is_empty {
            let properties = Properties {
                begins_page: self.sections.takes_break(),
                ..Properties::default()
            };
            self.story.begin(&properties);
            self.story.end();
        }
    }

    /// Writes the footnotes part and the fixed parts.
    fn parts(&mut self) -> Result {
        self.package
            .part("word/footnotes.xml", &parts::content_type("footnotes"))?;
        write!(
            self.package,
            "<w:footnotes {}>{}",
            parts::NAMESPACES,
            parts::SEPARATORS
        )?;
        self.notes.seek(SeekFrom::Start(0))?;
        std::io::copy(&mut self.notes, &mut self.package)?;
        write!(self.package, "</w:footnotes>")?;
        self.package
            .relations("word/footnotes.xml", &self.story.note_relations)?;
        let numbering = self.story.numbering.xml();
        self.package.write_whole(
            "word/numbering.xml",
            &parts::content_type("numbering"),
            &numbering,
        )?;
        let settings = parts::settings(self.sections.alternates(), true);
        let (package, story) = (&mut self.package, &mut self.story);
        parts::last(package, story, &self.metadata, &settings)
    }

    /// Writes the part of a header or footer, whose relationship the section has added.
    fn write_header_footer(&mut self, header_footer: &HeaderFooter) -> Result {
        let pages = self.written.pages;
        let (body, relations) = self.story.write_part(|story| {
            for block in header_footer.with_fields(Some(pages)) {
                story.block(&block, header_footer.properties(&block))?;
            }
            story.close_container(&header_footer.blocks);
            Ok(())
        })?;
        let (name, tag) = (
            format!("word/{}", header_footer.part()),
            header_footer.kind.tag(),
        );
        let content = format!("<w:{tag} {}>{body}</w:{tag}>", parts::NAMESPACES);
        self.package.write_whole(
            &name,
            &parts::content_type(header_footer.kind.name()),
            &content,
        )?;
        self.package.relations(&name, &relations)
    }

    /// Ends the sections whose last page ended within the paragraph or table before.
    fn end_sections(&mut self) {
        for ended in self.sections.take_ending() {
            self.end_section(ended);
        }
    }

    fn end_section(&mut self, section: Section) {
        let ended = self.section(section);
        self.story.xml.push_str(&section::end(&ended));
    }

    fn section(&mut self, section: Section) -> String {
        self.sections.xml(section, &mut self.story.relations)
    }
}

/// Whether the left edge of a block is that of its lines.
fn is_indented(block: &Block) -> bool {
    let is_left = |alignment| matches!(alignment, Alignment::Start | Alignment::Justified);
    match &block.content {
        Content::Heading { alignment, .. } | Content::Paragraph { alignment, .. } => {
            is_left(*alignment) && block.quote_depth == 0
        }
        Content::Image { .. } => true,
        _ => false,
    }
}

impl<W: Write + Seek> Flowing for Docx<'_, W> {
    fn has_background(&self, page: &Page) -> bool {
        self.story.has_background(page)
    }

    fn can_continue(&self, page: &Page) -> bool {
        let has_background = self.page_with_background.is_some() || self.has_background(page);
        self.sections.is_same(page) && !has_background
    }

    fn page(&mut self, page: &Page, place: PageStart) -> Result {
        self.end_page();
        self.is_page_empty = place == PageStart::Between;
        self.written.pages += 1;
        let has_background = self.has_background(page);
        self.page_with_background = has_background.then_some(page.size);
        let is_between = place == PageStart::Between;
        if let Some(ended) = self.sections.begin(page, is_between, has_background) {
            self.end_section(ended);
        }
        self.story.room = section::allowed(page.size);
        self.story.mark(page.number);
        self.send()
    }

    fn block(&mut self, block: &Block, notes: &Notes) -> Result {
        if let Some((info, page)) = self.background(block)? {
            self.story.background(block, info, page);
            return Ok(());
        }
        let properties = self.properties(block);
        self.story
            .with_notes(notes, |story| story.block(block, properties))?;
        self.send()
    }

    fn paragraph(&mut self, start: &Paragraph<'_>, _: &Notes) -> Result {
        let properties = self.properties(start.block).of_paragraph(start.block);
        self.entry = properties
            .entry(start.runs)
            .filter(|_| !is_code(start.block));
        let properties = Properties {
            alignment: start.alignment,
            is_rtl: are_rtl(start.runs),
            tabs: properties.tabs_of(self.entry.as_deref()),
            ..properties
        };
        self.story.begin(&properties);
        self.send()
    }

    fn runs(&mut self, runs: &[Run], notes: &Notes) -> Result {
        let entry = self.entry.take();
        self.story.with_notes(notes, |story| {
            story.runs(entry.as_deref().unwrap_or(runs));
            Ok(())
        })?;
        self.send()
    }

    fn end_paragraph(&mut self) -> Result {
        self.story.end();
        self.end_sections();
        self.send()
    }

    fn table(&mut self, block: &Block, _: &Table) -> Result {
        self.written.tables += 1;
        let properties = self.properties(block);
        if !self.story.backgrounds.is_empty() {
            self.story.anchor_backgrounds(properties.begins_page);
        } else if properties.begins_page {
            self.story.begin(&properties);
            self.story.end();
        }
        self.story.table_indent = self.sections.indent(length::place(block.bounds));
        self.table = None;
        Ok(())
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Result {
        let mut open = self.table.take();
        self.story
            .with_notes(notes, |story| story.rows(&mut open, table, grid, first))?;
        self.table = open;
        self.send()
    }

    fn end_table(&mut self) -> Result {
        if let Some(open) = self.table.take() {
            self.story.end_table(&open);
        }
        self.end_sections();
        self.send()
    }

    fn note(&mut self, note: &Note) -> Result {
        self.is_page_empty = false;
        self.story.unreferenced(note);
        self.send()
    }

    fn finish(mut self, _footers: &[Block]) -> Result<WriteReport> {
        self.end_page();
        self.send()?;
        let last = self.sections.finish();
        let last = last.map(|last| self.section(last)).unwrap_or_default();
        write!(self.package, "{last}</w:body></w:document>")?;
        for header_footer in self.sections.headers_footers() {
            self.write_header_footer(&header_footer)?;
        }
        self.parts()?;
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }
}
