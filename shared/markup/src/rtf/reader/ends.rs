//! Ends of paragraphs, cells, pages and destinations.

use layout::{Block, Content};

use super::super::destination::StoryKind;
use super::super::state::Purpose;
use super::{ParagraphStyle, Reader};
use crate::error::Result;
use crate::flow;
use crate::instruction;
use crate::style_name::quotation;
use crate::warning::Loss;

impl Reader {
    pub(super) fn end_text(&mut self, purpose: Purpose) {
        let text = match purpose {
            Purpose::Body | Purpose::Nothing => return,
            _ => std::mem::take(&mut self.destination_text),
        };
        match purpose {
            Purpose::Title => {
                self.metadata.title = Some(text.trim().to_owned()).filter(|text| !text.is_empty())
            }
            Purpose::Marker => self.story().marker = text,
            Purpose::Instruction => self.end_instruction(&text),
            Purpose::Bookmark => {
                let page = self.pages.len() + 1;
                self.bookmarks.entry(text.trim().to_owned()).or_insert(page);
            }
            Purpose::Picture => self.end_picture(),
            _ => {}
        }
    }

    pub(super) fn end_instruction(&mut self, text: &str) {
        if instruction::fetches(text) {
            self.losses.add(Loss::ExternalLinkBlocked);
        }
        if let Some((link, _)) = self.links.last_mut() {
            *link = instruction::link(text, &mut self.losses);
        }
    }

    pub(super) fn end_picture(&mut self) {
        if let Some((_, linked)) = self.link() {
            linked.picture();
        }
        match std::mem::take(&mut self.picture).finish() {
            Some(bytes) => {
                let image = self.pictures.add_bytes(bytes);
                let content = Content::Image {
                    image,
                    alternative: None,
                };
                self.story().attached.push(Block::from(content));
            }
            None => self.losses.add(Loss::Object),
        }
    }

    pub(super) fn end_story(&mut self, kind: StoryKind) -> Result {
        self.end_paragraph()?;
        let Some(mut story) = self.inner.pop() else {
            return Ok(());
        };
        let blocks = story.take(&self.budget)?;
        match kind {
            StoryKind::Header => self.header.extend(blocks),
            StoryKind::Footer => self.footer.extend(blocks),
            StoryKind::Box => self.story().attached.extend(blocks),
            StoryKind::Note => {
                let content = Content::Footnote {
                    label: self.count.to_string(),
                    runs: flow::runs(blocks),
                };
                self.notes.push(Block::from(content));
            }
        }
        Ok(())
    }

    /// Finishes a style of the style sheet.
    pub(super) fn end_style(&mut self) {
        let (number, outline, name) = std::mem::take(&mut self.style);
        let by_name = crate::docx::heading_level(&name);
        let outline = outline.filter(|level| *level < 9);
        let styled = ParagraphStyle {
            title: outline.map(|level| level + 1).or(by_name),
            quote_depth: quotation(&name).unwrap_or(0),
        };
        self.styles.insert(number.unwrap_or(0), styled);
    }

    pub(super) fn end_paragraph(&mut self) -> Result {
        self.flush();
        let mut paragraph = self.state.paragraph.clone();
        if paragraph.breaks_before
            && self.inner.is_empty()
            && paragraph.tables == 0
            && !self.story().line.is_blank()
        {
            let line = std::mem::take(&mut self.story().line);
            self.break_page()?;
            self.story().line = line;
        }
        let direct = paragraph
            .outline
            .filter(|level| *level < 9)
            .map(|level| level + 1);
        let style = paragraph.style.and_then(|style| self.styles.get(&style));
        let style = style.copied().unwrap_or_default();
        paragraph.quote_depth = style.quote_depth;
        let outline = direct.or(if paragraph.outline.is_some() {
            None
        } else {
            style.title
        });
        let budget = &self.budget;
        budget.spend(1)?;
        let story = self.inner.last_mut().unwrap_or(&mut self.body);
        story.end_paragraph(&paragraph, outline, budget)
    }

    pub(super) fn end_cell(&mut self, depth: usize) -> Result {
        self.state.paragraph.tables = depth;
        self.end_paragraph()?;
        let story = self.inner.last_mut().unwrap_or(&mut self.body);
        story.end_cell(depth, &self.budget)
    }

    pub(super) fn end_row(&mut self, depth: usize) -> Result {
        let story = self.inner.last_mut().unwrap_or(&mut self.body);
        story.end_row(depth, &self.budget)
    }

    /// Begins a page within a paragraph.
    pub(super) fn page(&mut self) -> Result {
        if self.state.paragraph.tables > 0 {
            return Ok(());
        }
        let has_text = !self.story().line.is_blank();
        self.end_paragraph()?;
        self.break_page()?;
        self.story().continues = has_text;
        Ok(())
    }

    pub(super) fn break_page(&mut self) -> Result {
        let mut blocks = self.body.take(&self.budget)?;
        blocks.append(&mut self.notes);
        if !blocks.is_empty() {
            self.pages.push(blocks);
            self.losses.page = self.pages.len() as u32 + 1;
        }
        Ok(())
    }
}
