//! The story of a document: what its paragraphs write to, and what they have needed so far.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::numbering::Numbering;
use super::paragraph::Properties;
use super::styles::FontUsage;
use crate::writers::notes::Notes;
use crate::writers::ooxml::package::Relations;
use crate::writers::{Outcome, PictureInfo, Pictures};
use crate::{Block, Size};

/// What is being told, and what it has needed so far.
pub(super) struct Story<'a> {
    /// What was told and not sent yet.
    pub(super) xml: String,
    /// What notes say, not sent yet.
    pub(super) notes: String,
    pub(super) relations: Relations,
    pub(super) note_relations: Relations,
    pub(super) numbering: Numbering,
    pub(super) fonts: FontUsage,
    pub(super) pictures: &'a dyn Pictures,
    pub(super) used: BTreeMap<usize, PictureInfo>,
    /// The extent of the page.
    pub(super) room: Size,
    /// The last number of a drawing or a mark.
    pub(super) numbered: u32,
    /// The last footnote's identifier, and the last that counts by itself.
    pub(super) last_note: (u32, u32),
    /// The notes of this page, and which of them were written.
    pub(super) page_notes: Notes,
    pub(super) told: BTreeSet<u32>,
}

impl<'a> Story<'a> {
    pub(super) fn new(pictures: &'a dyn Pictures, relations: Relations) -> Self {
        Self {
            xml: String::new(),
            notes: String::new(),
            relations,
            note_relations: Relations::default(),
            numbering: Numbering::default(),
            fonts: FontUsage::default(),
            pictures,
            used: BTreeMap::new(),
            room: Size::default(),
            numbered: 0,
            last_note: (0, 0),
            page_notes: Notes::default(),
            told: BTreeSet::new(),
        }
    }

    /// Does something where these notes may be referred to.
    pub(super) fn noted(
        &mut self,
        notes: &Notes,
        tell: impl FnOnce(&mut Self) -> Outcome,
    ) -> Outcome {
        self.page_notes = notes.clone();
        let told = tell(self);
        self.page_notes = Notes::default();
        told
    }

    /// Does something for another part, and gives what was told there and what that relates to.
    pub(super) fn aside(
        &mut self,
        tell: impl FnOnce(&mut Self) -> Outcome,
    ) -> Outcome<(String, Relations)> {
        let outer = (
            std::mem::take(&mut self.xml),
            std::mem::take(&mut self.relations),
        );
        let told = tell(self);
        let inner = (
            std::mem::replace(&mut self.xml, outer.0),
            std::mem::replace(&mut self.relations, outer.1),
        );
        told.map(|()| inner)
    }

    pub(super) fn begin(&mut self, properties: &Properties) {
        write!(self.xml, "<w:p>{}", properties.xml()).ok();
    }

    pub(super) fn end(&mut self) {
        self.xml.push_str("</w:p>");
    }

    /// Cells, headers and documents end with a paragraph.
    pub(super) fn closed(&mut self, blocks: &[Block]) {
        if !self.xml.ends_with("</w:p>") || blocks.is_empty() {
            self.xml.push_str("<w:p/>");
        }
    }

    /// A mark that links to a page lead to.
    pub(super) fn mark(&mut self, page: u32) {
        self.numbered += 1;
        let number = self.numbered;
        write!(self.xml, "<w:bookmarkStart w:id=\"{number}\" w:name=\"page_{page}\"/><w:bookmarkEnd w:id=\"{number}\"/>").ok();
    }
}
