//! Pages to a document of WordprocessingML [ECMA-376], written as they come.
//!
//! Pages flow together: a page of the document begins anew where the size of pages changes, and where the page before had room for what
//! comes. Each section has the header and footer of its first page and those of the others, the page's number as a field; where a
//! page that begins anew has other ones, a section begins. A footnote
//! whose label is the next number counts by itself; others keep their labels. Lists count as their markers do; markers that no list
//! counts by are text. A table of more than 63 columns, which word processors refuse, is lines with tabs.

mod block;
mod drawing;
mod edge;
pub(super) mod fixed;
mod margin;
mod numbering;
mod paragraph;
mod parts;
mod run;
mod section;
mod story;
mod styles;
mod table;

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use self::edge::Edge;
use self::paragraph::Properties;
use self::section::{Section, Sections};
use self::story::Story;
use self::table::Open;
use super::direction::are_leftward;
use super::flow::{Flow, Flowing, Paragraph, Place};
use super::grid::Grid;
use super::length;
use super::notes::{Note, Notes};
use super::ooxml::package::{Package, Relations};
use super::{Metadata, Outcome, Pictures, WriteReport, Writer};
use crate::{Block, Page, Run, Table};

/// The namespace of WordprocessingML.
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// A writer of docx. What the footnotes say waits in `scratch`, a directory for files that go away by themselves.
///
/// # Errors
/// If the output cannot be written.
pub fn docx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
    scratch: &Path,
) -> Outcome<Box<dyn Writer + 'a>> {
    let mut package = Package::begin(output, "word/document.xml")?;
    package.part("word/document.xml", &parts::kind("document.main"))?;
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
        is_bare: false,
        table: None,
        written: WriteReport::default(),
    })))
}

/// Most bytes of footnotes that wait in memory.
const IN_MEMORY: usize = 1 << 20;

struct Docx<'a, W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    story: Story<'a>,
    notes: SpooledTempFile,
    sections: Sections,
    /// Whether nothing was written on this page so far.
    is_bare: bool,
    table: Option<Open>,
    written: WriteReport,
}

impl<W: Write + Seek> Docx<'_, W> {
    /// Sends what was made to the document, and its notes to where they wait.
    fn send(&mut self) -> Outcome {
        self.package
            .write_all(std::mem::take(&mut self.story.xml).as_bytes())?;
        Ok(self
            .notes
            .write_all(std::mem::take(&mut self.story.notes).as_bytes())?)
    }

    fn properties(&mut self, block: &Block) -> Properties {
        self.is_bare = false;
        Properties {
            begins_page: self.sections.takes_break(),
            before: self.sections.space_before(length::place(block.bounds)),
            ..Properties::default()
        }
    }

    /// Ends a page: one on which nothing stands is one with an empty paragraph.
    fn end_page(&mut self) {
        if std::mem::take(&mut self.is_bare) {
            let properties = Properties {
                begins_page: self.sections.takes_break(),
                ..Properties::default()
            };
            self.story.begin(&properties);
            self.story.end();
        }
    }

    /// The notes' part, and the parts that all documents have.
    fn parts(&mut self) -> Outcome {
        self.package
            .part("word/footnotes.xml", &parts::kind("footnotes"))?;
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
        self.package
            .whole("word/numbering.xml", &parts::kind("numbering"), &numbering)?;
        let (package, story) = (&mut self.package, &mut self.story);
        parts::last(package, story, &self.metadata, parts::SETTINGS)
    }

    /// A header or footer, whose relation the section names.
    fn edge(&mut self, edge: &Edge) -> Outcome {
        let pages = self.written.pages;
        let (body, relations) = self.story.aside(|story| {
            for block in edge.with_fields(Some(pages)) {
                story.block(&block, Properties::edge(edge.kind))?;
            }
            story.closed(&edge.blocks);
            Ok(())
        })?;
        let (name, tag) = (format!("word/{}", edge.part()), edge.kind.tag());
        let content = format!("<w:{tag} {}>{body}</w:{tag}>", parts::NAMESPACES);
        self.package
            .whole(&name, &parts::kind(edge.kind.name()), &content)?;
        self.package.relations(&name, &relations)
    }

    fn section(&mut self, section: &Section) -> String {
        self.sections.xml(section, &mut self.story.relations)
    }
}

impl<W: Write + Seek> Flowing for Docx<'_, W> {
    fn can_go_on(&self, page: &Page) -> bool {
        self.sections.is_same(page)
    }

    fn page(&mut self, page: &Page, place: Place) -> Outcome {
        self.end_page();
        self.is_bare = place == Place::Between;
        self.written.pages += 1;
        if let Some(ended) = self.sections.begin(page, place == Place::Between) {
            let ended = self.section(&ended);
            self.story.xml.push_str(&section::end(&ended));
        }
        self.story.room = section::allowed(page.size);
        self.story.mark(page.number);
        self.send()
    }

    fn block(&mut self, block: &Block, notes: &Notes) -> Outcome {
        let properties = self.properties(block);
        self.story
            .noted(notes, |story| story.block(block, properties))?;
        self.send()
    }

    fn paragraph(&mut self, start: &Paragraph<'_>, _: &Notes) -> Outcome {
        let properties = Properties {
            alignment: start.alignment,
            is_leftward: are_leftward(start.runs),
            ..self.properties(start.block).of_paragraph(start.block)
        };
        self.story.begin(&properties);
        self.send()
    }

    fn runs(&mut self, runs: &[Run], notes: &Notes) -> Outcome {
        self.story.noted(notes, |story| {
            story.runs(runs);
            Ok(())
        })?;
        self.send()
    }

    fn end_paragraph(&mut self) -> Outcome {
        self.story.end();
        self.send()
    }

    fn table(&mut self, block: &Block, _: &Table) -> Outcome {
        self.written.tables += 1;
        let properties = self.properties(block);
        if properties.begins_page {
            self.story.begin(&properties);
            self.story.end();
        }
        self.table = None;
        Ok(())
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Outcome {
        let mut open = self.table.take();
        self.story
            .noted(notes, |story| story.rows(&mut open, table, grid, first))?;
        self.table = open;
        self.send()
    }

    fn end_table(&mut self) -> Outcome {
        if let Some(open) = self.table.take() {
            self.story.end_table(&open);
        }
        self.send()
    }

    fn note(&mut self, note: &Note) -> Outcome {
        self.is_bare = false;
        self.story.unreferenced(note);
        self.send()
    }

    fn finish(mut self) -> Outcome<WriteReport> {
        self.end_page();
        self.send()?;
        let last = self.sections.finish();
        let last = last.map(|last| self.section(&last)).unwrap_or_default();
        write!(self.package, "{last}</w:body></w:document>")?;
        for edge in self.sections.edges() {
            self.edge(&edge)?;
        }
        self.parts()?;
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }
}
