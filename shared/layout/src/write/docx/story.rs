//! Paragraphs of WordprocessingML, their elements in the order of the schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::drawing;
use super::edge::EdgeKind;
use super::numbering::Numbering;
use super::parts::{Looks, QUOTATION, QUOTATIONS};
use crate::write::direction::are_leftward;
use crate::write::grid::Grid;
use crate::write::notes::{Note, Notes};
use crate::write::package::Relations;
use crate::write::plain::is_code;
use crate::write::{Outcome, PictureFacts, Pictures};
use crate::{Alignment, Block, Content, Item, Run, Size};

/// What is being told, and what it has needed so far.
pub(super) struct Story<'a> {
    /// What was told and not sent yet.
    pub(super) xml: String,
    /// What notes say, not sent yet.
    pub(super) notes: String,
    pub(super) relations: Relations,
    pub(super) note_relations: Relations,
    pub(super) numbering: Numbering,
    pub(super) looks: Looks,
    pub(super) pictures: &'a dyn Pictures,
    pub(super) used: BTreeMap<usize, PictureFacts>,
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

/// How a paragraph stands.
#[derive(Clone, Default)]
pub(super) struct Properties {
    pub(super) style: Option<String>,
    pub(super) begins_page: bool,
    /// A list's level and number.
    pub(super) numbering: Option<(u8, u32)>,
    pub(super) is_rule: bool,
    pub(super) is_leftward: bool,
    /// The space before it, twentieths of a point.
    pub(super) before: Option<u32>,
    /// How far it is indented, twentieths of a point.
    pub(super) indent: u32,
    /// How many quotations it stands in that its style does not tell.
    pub(super) quoted: u8,
    pub(super) alignment: Alignment,
}

impl Properties {
    /// Of what stands in a header or footer.
    pub(super) fn edge(kind: EdgeKind) -> Self {
        Self {
            style: Some(kind.style().to_owned()),
            ..Self::default()
        }
    }

    /// The same for a paragraph, with the style that it has where none is given, and what that does not tell.
    pub(super) fn of_paragraph(self, block: &Block) -> Self {
        match self.style {
            Some(_) => self,
            None => Self {
                style: style(block),
                quoted: quoted(block),
                ..self
            },
        }
    }

    fn xml(&self) -> String {
        let mut xml = String::new();
        if let Some(style) = &self.style {
            write!(xml, "<w:pStyle w:val=\"{style}\"/>").ok();
        }
        if self.begins_page {
            xml.push_str("<w:pageBreakBefore/>");
        }
        if let Some((level, number)) = self.numbering {
            write!(
                xml,
                "<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{number}\"/></w:numPr>"
            )
            .ok();
        }
        if self.is_rule {
            xml.push_str("<w:pBdr><w:bottom w:val=\"single\" w:sz=\"6\" w:space=\"1\" w:color=\"auto\"/></w:pBdr>");
        }
        if self.is_leftward {
            xml.push_str("<w:bidi/>");
        }
        if let Some(before) = self.before {
            write!(xml, "<w:spacing w:before=\"{before}\"/>").ok();
        }
        if self.indent > 0 {
            write!(xml, "<w:ind w:left=\"{}\" w:hanging=\"360\"/>", self.indent).ok();
        }
        if self.quoted > 0 {
            let left = QUOTATION * u32::from(self.quoted);
            write!(xml, "<w:ind w:left=\"{left}\" w:right=\"{QUOTATION}\"/>").ok();
        }
        xml.push_str(match self.alignment {
            Alignment::Start => "",
            Alignment::Centre => "<w:jc w:val=\"center\"/>",
            // Word takes this for the end of lines, also where they end on the left.
            Alignment::End => "<w:jc w:val=\"right\"/>",
            Alignment::Justified => "<w:jc w:val=\"both\"/>",
        });
        if xml.is_empty() {
            xml
        } else {
            format!("<w:pPr>{xml}</w:pPr>")
        }
    }
}

/// The style of a paragraph that is quoted, or whose spaces count.
fn style(block: &Block) -> Option<String> {
    match is_code(block) {
        true => Some("HTMLPreformatted".to_owned()),
        false => quotation(block.quoted),
    }
}

/// The style of what stands in so many quotations.
fn quotation(depth: u8) -> Option<String> {
    match depth {
        0 => None,
        1 => Some("Quote".to_owned()),
        depth => Some(format!("Quote{}", depth.min(QUOTATIONS))),
    }
}

/// How many quotations lines of code are indented for: their style tells of none.
fn quoted(block: &Block) -> u8 {
    match is_code(block) {
        true => block.quoted.min(QUOTATIONS),
        false => 0,
    }
}

impl<'a> Story<'a> {
    pub(super) fn new(pictures: &'a dyn Pictures, relations: Relations) -> Self {
        Self {
            xml: String::new(),
            notes: String::new(),
            relations,
            note_relations: Relations::default(),
            numbering: Numbering::default(),
            looks: Looks::default(),
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

    /// A paragraph of runs.
    pub(super) fn paragraph(&mut self, runs: &[Run], properties: Properties) {
        self.begin(&Properties {
            is_leftward: are_leftward(runs),
            ..properties
        });
        self.runs(runs);
        self.end();
    }

    /// A block of any kind.
    pub(super) fn block(&mut self, block: &Block, properties: Properties) -> Outcome {
        match &block.content {
            Content::Heading {
                level,
                runs,
                alignment,
            } => {
                let style = Some(format!("Heading{}", (*level).clamp(1, 6)));
                self.paragraph(
                    runs,
                    Properties {
                        style,
                        alignment: *alignment,
                        ..properties
                    },
                );
            }
            Content::Paragraph {
                runs, alignment, ..
            } => {
                self.paragraph(
                    runs,
                    Properties {
                        alignment: *alignment,
                        ..properties.of_paragraph(block)
                    },
                );
            }
            Content::List { items } => self.list(items, block.quoted, properties),
            Content::Table(table) => {
                let mut open = None;
                self.rows(&mut open, table, &Grid::of(table), 0)?;
                if let Some(open) = open {
                    self.end_table(&open);
                }
            }
            Content::Image { image, alternative } => {
                drawing::paragraph(
                    self,
                    *image,
                    alternative.as_deref().unwrap_or_default(),
                    block.bounds,
                    &properties.of_paragraph(block),
                )?;
            }
            Content::Rule => {
                self.begin(&Properties {
                    is_rule: true,
                    ..properties.of_paragraph(block)
                });
                self.end();
            }
            Content::Footnote { label, runs } => self.labelled(label, runs),
        }
        Ok(())
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

    /// A note after its page's text, if nothing there has told it.
    pub(super) fn unreferenced(&mut self, note: &Note) {
        if !self.told.remove(&note.number) {
            self.labelled(&note.label, &note.runs);
        }
    }

    fn labelled(&mut self, label: &str, runs: &[Run]) {
        let style = Some("FootnoteText".to_owned());
        self.begin(&Properties {
            style,
            is_leftward: are_leftward(runs),
            ..Properties::default()
        });
        self.raised(label);
        self.space();
        self.runs(runs);
        self.end();
    }

    fn list(&mut self, items: &[Item], quoted: u8, properties: Properties) {
        let mut properties = properties;
        for item in items {
            let numbering = self.numbering.of(item);
            self.begin(&Properties {
                style: Some(quotation(quoted).unwrap_or_else(|| "ListParagraph".to_owned())),
                numbering,
                indent: indent(item, quoted, numbering.is_some()),
                is_leftward: are_leftward(&item.runs),
                ..properties.clone()
            });
            if numbering.is_none() && !item.marker.is_empty() {
                self.marker(item);
            }
            self.runs(&item.runs);
            self.end();
            properties = Properties::default();
        }
    }
}

/// How far an item is indented where neither its list nor its style tells, twentieths of a point: a list tells nothing of the
/// quotations around it, and a style of those nothing of the list.
fn indent(item: &Item, quoted: u8, is_told: bool) -> u32 {
    match is_told && quoted == 0 {
        true => 0,
        false => {
            let around = QUOTATION * u32::from(quoted.min(QUOTATIONS));
            around + 720 + 360 * u32::from(item.level.min(8))
        }
    }
}
