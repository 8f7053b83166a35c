//! The blocks of a document: what its parts have in common while they are read.

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
use crate::error::Outcome;
use crate::flow::Flow;
use crate::ladder::Ladder;
use crate::line::Line;
use crate::package::{Package, Relations};
use crate::source::Leaf;
use crate::theme::Theme;
use crate::warning::Loss;
use crate::xml::Element;

/// A document that is being read.
pub(super) struct Body<'a> {
    pub(super) package: &'a mut Package,
    /// Of the part that is being read.
    pub(super) relations: Relations,
    pub(super) styles: Styles,
    pub(super) numbering: Numbering,
    pub(super) theme: Theme,
    pub(super) notes: Notes,
    pub(super) fields: Fields,
    /// The items before the paragraph.
    pub(super) ladder: Ladder,
    /// What stands before the next paragraph, since the end of the one before was deleted.
    pub(super) carried: Option<Line>,
    /// The segment that each bookmark is in.
    pub(super) bookmarks: HashMap<String, usize>,
    /// How many cells, text boxes and notes are open.
    nested: usize,
    /// What the body holds since the last break.
    pub(super) flow: Flow,
    segments: Vec<Segment>,
    sections: Vec<Section>,
    /// Even pages have headers of their own.
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
            ladder: Ladder::default(),
            carried: None,
            bookmarks: HashMap::new(),
            nested: 0,
            flow: Flow::default(),
            segments: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Takes a block of the body.
    pub(super) fn take(&mut self, element: &Element) -> Outcome {
        let mut flow = std::mem::take(&mut self.flow);
        let taken = self.block(element, &mut flow);
        self.flow = flow;
        taken
    }

    /// The blocks of a cell, a text box, a note or a header.
    pub(super) fn nested(&mut self, element: &Element) -> Outcome<Vec<Block>> {
        let (carried, ladder) = (self.carried.take(), std::mem::take(&mut self.ladder));
        self.nested += 1;
        let mut flow = Flow::default();
        let read = element
            .elements()
            .try_for_each(|inner| self.block(inner, &mut flow));
        self.nested -= 1;
        (self.carried, self.ladder) = (carried, ladder);
        read.map(|()| flow.into_blocks())
    }

    /// Begins a page.
    pub(super) fn break_page(&mut self, flow: &mut Flow) {
        if self.nested == 0 {
            let blocks = std::mem::take(flow).into_blocks();
            self.segments.push(Segment::new(blocks, false));
            self.package.losses.page = self.segment() as u32;
        }
    }

    /// Ends a section behind what the body holds so far.
    pub(super) fn end_section(&mut self, section: Section) {
        let blocks = std::mem::take(&mut self.flow).into_blocks();
        self.segments.push(Segment::new(blocks, true));
        self.sections.push(section);
        self.package.losses.page = self.segment() as u32;
    }

    /// The number of the segment that is being read.
    pub(super) fn segment(&self) -> usize {
        self.segments.len()
    }

    /// Whether what is read stands in a cell, a text box, a note or a header.
    pub(super) fn is_nested(&self) -> bool {
        self.nested > 0
    }

    /// The pages of the document.
    pub(super) fn finish(&mut self) -> Outcome<Vec<Leaf>> {
        if !self.flow.is_empty() || self.sections.is_empty() {
            self.end_section(Section::default());
        }
        let (segments, sections) = (
            std::mem::take(&mut self.segments),
            std::mem::take(&mut self.sections),
        );
        section::bind(self, segments, sections, self.even)
    }

    fn block(&mut self, element: &Element, flow: &mut Flow) -> Outcome {
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

    /// Remembers where a bookmark is.
    pub(super) fn mark(&mut self, element: &Element) {
        if let Some(name) = element.get("w:name") {
            let segment = self.segment();
            self.bookmarks.entry(name.to_owned()).or_insert(segment);
        }
    }
}
