//! A story (body, header or footer): the XML output and its references.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::font_table::FontTable;
use super::numbering::Numbering;
use super::paragraph::Properties;
use super::styles::FontUsage;
use crate::writers::notes::Notes;
use crate::writers::ooxml::package::Relations;
use crate::writers::{PictureInfo, Pictures, Result};
use crate::{Block, Size};

/// The state of the story that is being written.
pub(super) struct Story<'a> {
    /// XML that was not written to the part yet.
    pub(super) xml: String,
    /// XML of notes that was not written yet.
    pub(super) notes: String,
    pub(super) relations: Relations,
    pub(super) note_relations: Relations,
    pub(super) numbering: Numbering,
    pub(super) fonts: FontUsage,
    /// The fonts that runs name.
    pub(super) font_table: FontTable,
    pub(super) pictures: &'a dyn Pictures,
    pub(super) used: BTreeMap<usize, PictureInfo>,
    /// Text area of the page.
    pub(super) room: Size,
    /// Backgrounds of the page, which the next paragraph anchors.
    pub(super) backgrounds: String,
    /// Indent of the next table, twips.
    pub(super) table_indent: u32,
    /// Whether there is a fill behind the cell that is being written.
    pub(super) has_fill: bool,
    /// Last id of a drawing or bookmark.
    pub(super) numbered: u32,
    /// Id of the last footnote, and the number of the last automatically numbered one.
    pub(super) last_note: (u32, u32),
    /// The notes of this page, and the numbers of those that were written.
    pub(super) page_notes: Notes,
    pub(super) written_notes: BTreeSet<u32>,
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
            font_table: FontTable::default(),
            pictures,
            used: BTreeMap::new(),
            room: Size::default(),
            backgrounds: String::new(),
            table_indent: 0,
            has_fill: false,
            numbered: 0,
            last_note: (0, 0),
            page_notes: Notes::default(),
            written_notes: BTreeSet::new(),
        }
    }

    /// Runs `write` with the notes that may be referenced.
    pub(super) fn with_notes(
        &mut self,
        notes: &Notes,
        write: impl FnOnce(&mut Self) -> Result,
    ) -> Result {
        self.page_notes = notes.clone();
        let written = write(self);
        self.page_notes = Notes::default();
        written
    }

    /// Runs `write` for another part (a header or footer) and returns its XML and relationships.
    pub(super) fn write_part(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result,
    ) -> Result<(String, Relations)> {
        let outer = (
            std::mem::take(&mut self.xml),
            std::mem::take(&mut self.relations),
        );
        let written = write(self);
        let inner = (
            std::mem::replace(&mut self.xml, outer.0),
            std::mem::replace(&mut self.relations, outer.1),
        );
        written.map(|()| inner)
    }

    pub(super) fn begin(&mut self, properties: &Properties) {
        let backgrounds = std::mem::take(&mut self.backgrounds);
        write!(self.xml, "<w:p>{}{backgrounds}", properties.xml()).ok();
    }

    pub(super) fn end(&mut self) {
        self.xml.push_str("</w:p>");
    }

    /// Appends the paragraph that a cell, header or body must end with.
    pub(super) fn close_container(&mut self, blocks: &[Block]) {
        if !self.xml.ends_with("</w:p>") || blocks.is_empty() {
            self.xml.push_str("<w:p/>");
        }
    }

    /// Writes the bookmark of a page.
    pub(super) fn mark(&mut self, page: u32) {
        self.numbered += 1;
        let number = self.numbered;
        write!(self.xml, "<w:bookmarkStart w:id=\"{number}\" w:name=\"page_{page}\"/><w:bookmarkEnd w:id=\"{number}\"/>").ok();
    }
}
