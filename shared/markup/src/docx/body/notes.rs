//! Footnotes and endnotes. Each is read at its first reference.

use std::collections::HashMap;

use layout::{Block, Content};

use super::Body;
use crate::docx::properties::value;
use crate::error::Result;
use crate::flow;
use crate::numbering_format::NumberingFormat;
use crate::package::{Package, Relations};
use crate::xml::Element;

/// The notes of a document.
#[derive(Default)]
pub(in crate::docx) struct Notes {
    foot: NoteKind,
    end: NoteKind,
    /// Footnotes referenced by the current paragraph.
    pending: Vec<Block>,
    /// Referenced footnotes with their segment.
    pub(in crate::docx) at_foot: Vec<(usize, Block)>,
    /// Endnotes.
    pub(in crate::docx) at_end: Vec<Block>,
    is_open: bool,
}

/// Notes with a common numbering.
#[derive(Default)]
struct NoteKind {
    /// Notes that were not referenced yet, by id.
    unread: HashMap<String, Element>,
    relations: Relations,
    labels: HashMap<String, String>,
    count: u32,
    numbering: NumberingFormat,
}

impl Notes {
    pub(in crate::docx) fn read(package: &mut Package, relations: &Relations) -> Result<Self> {
        let mut end = NoteKind::read(package, relations, ("endnotes", "w:endnote"))?;
        end.numbering = NumberingFormat::LowerRoman;
        Ok(Self {
            foot: NoteKind::read(package, relations, ("footnotes", "w:footnote"))?,
            end,
            ..Self::default()
        })
    }
}

impl NoteKind {
    fn read(
        package: &mut Package,
        relations: &Relations,
        (kind, name): (&str, &str),
    ) -> Result<Self> {
        let Some(target) = relations
            .of_kind(kind)
            .next()
            .map(|relation| relation.target.clone())
        else {
            return Ok(Self::default());
        };
        let root = package.optional_tree(&target)?;
        let notes = root.iter().flat_map(|root| root.all(name));
        let real = notes.filter(|note| matches!(note.get("w:type"), None | Some("normal")));
        let unread = real
            .filter_map(|note| Some((note.get("w:id")?.to_owned(), note.clone())))
            .collect();
        Ok(Self {
            unread,
            relations: package.relations(&target)?,
            ..Self::default()
        })
    }

    /// Returns the label of a note; takes the next number if it has no custom mark.
    fn label(&mut self, id: &str, own: Option<String>) -> String {
        if let Some(label) = self.labels.get(id) {
            return label.clone();
        }
        let label = own.unwrap_or_else(|| {
            self.count += 1;
            self.numbering.format(self.count)
        });
        self.labels.insert(id.to_owned(), label.clone());
        label
    }
}

impl Body<'_> {
    /// Reads a referenced note and returns its label; `None` if the note does not exist.
    pub(in crate::docx) fn reference_note(
        &mut self,
        reference: &Element,
        own: Option<String>,
    ) -> Result<Option<String>> {
        let Some(id) = reference.get("w:id").filter(|_| !self.notes.is_open) else {
            return Ok(None);
        };
        let at_foot = reference.is("w:footnoteReference");
        let kind = if at_foot {
            &mut self.notes.foot
        } else {
            &mut self.notes.end
        };
        let note = kind.unread.remove(id);
        if note.is_none() && !kind.labels.contains_key(id) {
            return Ok(None);
        }
        let label = kind.label(id, own);
        let relations = kind.relations.clone();
        if let Some(note) = note {
            let block = self.note(&note, label.clone(), relations)?;
            match at_foot {
                true => self.notes.pending.push(block),
                false => self.notes.at_end.push(block),
            }
        }
        Ok(Some(label))
    }

    /// Moves the footnotes of the paragraph to the current segment.
    pub(in crate::docx) fn take_notes(&mut self) {
        if !self.is_nested() {
            let segment = self.segment();
            let pending = std::mem::take(&mut self.notes.pending);
            self.notes
                .at_foot
                .extend(pending.into_iter().map(|block| (segment, block)));
        }
    }

    fn note(&mut self, note: &Element, label: String, relations: Relations) -> Result<Block> {
        let before = std::mem::replace(&mut self.relations, relations);
        let fields = std::mem::take(&mut self.fields);
        self.notes.is_open = true;
        let blocks = self.nested(note);
        self.notes.is_open = false;
        self.fields = fields;
        self.relations = before;
        let runs = flow::runs(blocks?);
        let content = Content::Footnote { label, runs };
        Ok(Block::from(content))
    }
}

/// Sets the number formats of the settings part.
pub(in crate::docx) fn set_number_formats(notes: &mut Notes, settings: &Element) {
    for (name, kind) in [
        ("w:footnotePr", &mut notes.foot),
        ("w:endnotePr", &mut notes.end),
    ] {
        let format = settings
            .find(name)
            .and_then(|properties| value(properties, "w:numFmt"));
        if let Some(format) = format {
            kind.numbering = crate::docx::numbering::numbering_format(format);
        }
    }
}
