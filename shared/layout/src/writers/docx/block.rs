//! Blocks of WordprocessingML: paragraphs, lists, pictures and notes.

use super::drawing;
use super::paragraph::{Properties, quotation};
use super::story::Story;
use super::styles::{QUOTATION, QUOTATIONS};
use crate::writers::direction::are_leftward;
use crate::writers::grid::Grid;
use crate::writers::notes::Note;
use crate::writers::{Outcome, picture};
use crate::{Block, Content, Item, Rect, Run, Style};

impl Story<'_> {
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
                self.image(
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

    /// A paragraph that is a picture, or what it shows in words where there is none.
    fn image(
        &mut self,
        image: usize,
        words: &str,
        bounds: Option<Rect>,
        properties: &Properties,
    ) -> Outcome {
        let Some(info) = picture::info(self.pictures, image)? else {
            if !words.is_empty() {
                let run = Run {
                    text: words.to_owned(),
                    style: Style::default(),
                    link: None,
                };
                self.paragraph(&[run], properties.clone());
            }
            return Ok(());
        };
        self.used.insert(image, info);
        let relation = self
            .relations
            .part("image", &picture::part(image, info.format));
        self.numbered += 1;
        let extent = drawing::extent(info, bounds, self.room);
        let drawing = drawing::inline(self.numbered, &relation, words, extent);
        self.begin(properties);
        self.xml.push_str(&drawing);
        self.end();
        Ok(())
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
