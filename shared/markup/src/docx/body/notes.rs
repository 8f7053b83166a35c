//! Footnotes and endnotes: each is read once, where something first refers to it.

use std::collections::HashMap;

use layout::{Block, Content};

use super::Body;
use crate::counting::Counting;
use crate::docx::properties::value;
use crate::error::Outcome;
use crate::flow;
use crate::package::{Package, Relations};
use crate::xml::Element;

/// The notes of a document.
#[derive(Default)]
pub(in crate::docx) struct Notes {
    foot: Kind,
    end: Kind,
    /// Those that the paragraph refers to.
    fresh: Vec<Block>,
    /// Those that were referred to, by segment.
    pub(in crate::docx) at_foot: Vec<(usize, Block)>,
    /// Those that stand behind everything.
    pub(in crate::docx) at_end: Vec<Block>,
    is_open: bool,
}

/// Notes that count together.
#[derive(Default)]
struct Kind {
    /// Those that nothing refers to so far.
    unread: HashMap<String, Element>,
    relations: Relations,
    labels: HashMap<String, String>,
    count: u32,
    counting: Counting,
}

impl Notes {
    pub(in crate::docx) fn read(package: &mut Package, relations: &Relations) -> Outcome<Self> {
        let mut end = Kind::read(package, relations, ("endnotes", "w:endnote"))?;
        end.counting = Counting::LowerRoman;
        Ok(Self {
            foot: Kind::read(package, relations, ("footnotes", "w:footnote"))?,
            end,
            ..Self::default()
        })
    }
}

impl Kind {
    fn read(
        package: &mut Package,
        relations: &Relations,
        (kind, name): (&str, &str),
    ) -> Outcome<Self> {
        let Some(target) = relations
            .of_kind(kind)
            .next()
            .map(|relation| relation.target.clone())
        else {
            return Ok(Self::default());
        };
        let root = package.spare_tree(&target)?;
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

    /// What refers to a note; counts on if it has no mark of its own.
    fn label(&mut self, id: &str, own: Option<String>) -> String {
        if let Some(label) = self.labels.get(id) {
            return label.clone();
        }
        let label = own.unwrap_or_else(|| {
            self.count += 1;
            self.counting.show(self.count)
        });
        self.labels.insert(id.to_owned(), label.clone());
        label
    }
}

impl Body<'_> {
    /// Reads the note that is referred to; its label, or `None` if there is none.
    pub(in crate::docx) fn refer_to_note(
        &mut self,
        reference: &Element,
        own: Option<String>,
    ) -> Outcome<Option<String>> {
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
                true => self.notes.fresh.push(block),
                false => self.notes.at_end.push(block),
            }
        }
        Ok(Some(label))
    }

    /// Puts the notes that were referred to at the foot of the page that is being read.
    pub(in crate::docx) fn take_notes(&mut self) {
        if !self.is_nested() {
            let segment = self.segment();
            let fresh = std::mem::take(&mut self.notes.fresh);
            self.notes
                .at_foot
                .extend(fresh.into_iter().map(|block| (segment, block)));
        }
    }

    fn note(&mut self, note: &Element, label: String, relations: Relations) -> Outcome<Block> {
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

/// How notes count, as the settings say.
pub(in crate::docx) fn count_as(notes: &mut Notes, settings: &Element) {
    for (name, kind) in [
        ("w:footnotePr", &mut notes.foot),
        ("w:endnotePr", &mut notes.end),
    ] {
        let format = settings
            .find(name)
            .and_then(|properties| value(properties, "w:numFmt"));
        if let Some(format) = format {
            kind.counting = crate::docx::numbering::counting(format);
        }
    }
}
