//! Writes blocks: paragraphs, lists, pictures and notes.

use super::drawing;
use super::paragraph::{Properties, quotation};
use super::story::Story;
use super::styles::{QUOTATION, QUOTATIONS};
use crate::writers::direction::are_rtl;
use crate::writers::grid::Grid;
use crate::writers::notes::Note;
use crate::writers::{Result, picture};
use crate::{Block, Content, Item, Rect, Run, Style};

impl Story<'_> {
    /// Writes a paragraph of runs.
    pub(super) fn paragraph(&mut self, runs: &[Run], properties: Properties) {
        self.begin(&Properties {
            is_rtl: are_rtl(runs),
            ..properties
        });
        self.runs(runs);
        self.end();
    }

    /// Writes a block.
    pub(super) fn block(&mut self, block: &Block, properties: Properties) -> Result {
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
            Content::List { items } => self.list(items, block.quote_depth, properties),
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
            Content::Footnote { label, runs } => self.labeled(label, runs),
        }
        Ok(())
    }

    /// Writes a picture as a paragraph, or its alternative text if the picture is missing.
    fn image(
        &mut self,
        image: usize,
        words: &str,
        bounds: Option<Rect>,
        properties: &Properties,
    ) -> Result {
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

    /// Writes a note after the text of its page, unless it was written where it is referenced.
    pub(super) fn unreferenced(&mut self, note: &Note) {
        if !self.written_notes.remove(&note.number) {
            self.labeled(&note.label, &note.runs);
        }
    }

    fn labeled(&mut self, label: &str, runs: &[Run]) {
        let style = Some("FootnoteText".to_owned());
        self.begin(&Properties {
            style,
            is_rtl: are_rtl(runs),
            ..Properties::default()
        });
        self.raised(label);
        self.space();
        self.runs(runs);
        self.end();
    }

    fn list(&mut self, items: &[Item], quote_depth: u8, properties: Properties) {
        let mut properties = properties;
        for item in items {
            let entry = properties.entry(&item.runs);
            // The tab after a number that is wider than the indent would be the tab of the entry.
            let (numbering, space) = match entry {
                Some(_) => (None, " "),
                None => (self.numbering.of(item), "\t"),
            };
            self.begin(&Properties {
                style: Some(quotation(quote_depth).unwrap_or_else(|| "ListParagraph".to_owned())),
                numbering,
                indent: indent(item, quote_depth, numbering.is_some()),
                is_rtl: are_rtl(&item.runs),
                tabs: properties.tabs_of(entry.as_deref()),
                ..properties.clone()
            });
            if numbering.is_none() && !item.marker.is_empty() {
                self.marker(item, space);
            }
            self.runs(entry.as_deref().unwrap_or(&item.runs));
            self.end();
            properties = Properties {
                text_width: properties.text_width,
                ..Properties::default()
            };
        }
    }
}

/// Returns the explicit indent of an item, in twips, where neither list nor style provides it: numbering does not include the
/// quotation, and the quotation style does not include the list.
fn indent(item: &Item, quote_depth: u8, is_numbered: bool) -> u32 {
    match is_numbered && quote_depth == 0 {
        true => 0,
        false => {
            let around = QUOTATION * u32::from(quote_depth.min(QUOTATIONS));
            around + 720 + 360 * u32::from(item.level.min(8))
        }
    }
}
