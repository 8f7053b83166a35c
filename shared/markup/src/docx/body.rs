//! Reads the blocks of a document and holds the state shared by its parts.

pub(super) mod notes;
mod paragraph;
pub(super) mod section;
mod table;

use std::collections::HashMap;

use layout::Block;

use self::notes::Notes;
use self::section::{Section, Segment};
use super::fields::Fields;
use super::numbering::Numbering;
use super::styles::Styles;
use crate::error::Result;
use crate::flow::Flow;
use crate::line::Line;
use crate::list_nesting::ListNesting;
use crate::package::{Package, Relations};
use crate::source::UnnumberedPage;
use crate::theme::Theme;
use crate::warning::Loss;
use crate::xml::Element;

/// A document that is being read.
pub(super) struct Body<'a> {
    pub(super) package: &'a mut Package,
    /// Relationships of the current part.
    pub(super) relations: Relations,
    pub(super) styles: Styles,
    pub(super) numbering: Numbering,
    pub(super) theme: Theme,
    pub(super) notes: Notes,
    pub(super) fields: Fields,
    /// The list items above the current paragraph.
    pub(super) list_nesting: ListNesting,
    /// Text to prepend to the next paragraph, because the paragraph mark before it was deleted (tracked change).
    pub(super) pending_line: Option<Line>,
    /// The segment of each bookmark.
    pub(super) bookmarks: HashMap<String, usize>,
    /// Nesting depth in cells, text boxes and notes.
    nested: usize,
    /// Blocks since the last break.
    pub(super) flow: Flow,
    segments: Vec<Segment>,
    sections: Vec<Section>,
    /// Whether even pages have their own headers and footers.
    even: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        package: &'a mut Package,
        relations: Relations,
        (styles, numbering, theme, notes): (Styles, Numbering, Theme, Notes),
        even: bool,
    ) -> Self {
        Self {
            package,
            relations,
            styles,
            numbering,
            theme,
            notes,
            even,
            fields: Fields::default(),
            list_nesting: ListNesting::default(),
            pending_line: None,
            bookmarks: HashMap::new(),
            nested: 0,
            flow: Flow::default(),
            segments: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Reads a block of the body.
    pub(super) fn read_block(&mut self, element: &Element) -> Result {
        let mut flow = std::mem::take(&mut self.flow);
        let taken = self.block(element, &mut flow);
        self.flow = flow;
        taken
    }

    /// Reads the blocks of a cell, text box, note, header or footer.
    pub(super) fn nested(&mut self, element: &Element) -> Result<Vec<Block>> {
        let (pending_line, list_nesting) = (
            self.pending_line.take(),
            std::mem::take(&mut self.list_nesting),
        );
        self.nested += 1;
        let mut flow = Flow::default();
        let read = element
            .elements()
            .try_for_each(|inner| self.block(inner, &mut flow));
        self.nested -= 1;
        (self.pending_line, self.list_nesting) = (pending_line, list_nesting);
        read.map(|()| flow.into_blocks())
    }

    /// Begins a page, unless nested.
    pub(super) fn break_page(&mut self, flow: &mut Flow) {
        if self.nested == 0 {
            let blocks = std::mem::take(flow).into_blocks();
            self.segments.push(Segment::new(blocks, false));
            self.package.losses.page = self.segment() as u32;
        }
    }

    /// Ends a section after the current blocks.
    pub(super) fn end_section(&mut self, section: Section) {
        let blocks = std::mem::take(&mut self.flow).into_blocks();
        self.segments.push(Segment::new(blocks, true));
        self.sections.push(section);
        self.package.losses.page = self.segment() as u32;
    }

    /// Returns the index of the current segment.
    pub(super) fn segment(&self) -> usize {
        self.segments.len()
    }

    /// Whether the reader is in a cell, text box, note, header or footer.
    pub(super) fn is_nested(&self) -> bool {
        self.nested > 0
    }

    /// Returns the pages of the document.
    pub(super) fn finish(&mut self) -> Result<Vec<UnnumberedPage>> {
        if !self.flow.is_empty() || self.sections.is_empty() {
            self.end_section(Section::default());
        }
        let (segments, sections) = (
            std::mem::take(&mut self.segments),
            std::mem::take(&mut self.sections),
        );
        section::assemble_pages(self, segments, sections, self.even)
    }

    fn block(&mut self, element: &Element, flow: &mut Flow) -> Result {
        match element.name() {
            "w:p" => paragraph::read(self, element, flow),
            "w:tbl" => {
                let table = table::read(self, element)?;
                table.into_iter().for_each(|table| flow.table(table));
                Ok(())
            }
            "w:bookmarkStart" => {
                self.mark(element);
                Ok(())
            }
            "w:altChunk" => {
                self.package.losses.add(Loss::Object);
                Ok(())
            }
            "w:sdt" | "w:sdtContent" | "w:customXml" | "w:ins" | "w:moveTo" | "w:smartTag" => {
                element
                    .elements()
                    .try_for_each(|inner| self.block(inner, flow))
            }
            "m:oMathPara" | "m:oMath" => paragraph::formula(self, element, flow),
            _ => Ok(()),
        }
    }

    /// Records the segment of a bookmark.
    pub(super) fn mark(&mut self, element: &Element) {
        if let Some(name) = element.get("w:name") {
            let segment = self.segment();
            self.bookmarks.entry(name.to_owned()).or_insert(segment);
        }
    }
}
