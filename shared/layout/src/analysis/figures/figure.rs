//! A figure of a page with its text, as a block.

use super::text;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::write::Writer;
use crate::model::block::{Alignment, Block, Content};
use crate::model::geometry::Rect;
use crate::model::page_content::Picture;
use crate::model::structure::Tag;
use crate::model::text::{Run, Style, plain};

/// A figure or formula with the text in it.
pub(in crate::analysis) struct Figure {
    pub(in crate::analysis) bounds: Rect,
    /// Tag of its first character that has one.
    pub(in crate::analysis) tag: Tag,
    /// Index of its image among the pictures of the document, if it was rendered.
    pub(super) image: Option<usize>,
    /// From top to bottom.
    pub(super) lines: Vec<Line>,
}

impl Figure {
    /// Whether its image shows what is in it.
    pub(in crate::analysis) fn is_rendered(&self) -> bool {
        self.image.is_some()
    }

    pub(super) fn new(bounds: Rect, image: Option<usize>) -> Self {
        Self {
            bounds,
            tag: Tag::None,
            image,
            lines: Vec::new(),
        }
    }

    pub(super) fn rendered(picture: &Picture) -> Self {
        Self::new(picture.bounds, Some(picture.image))
    }

    /// Sorts its lines from top to bottom, those on one baseline from left to right.
    pub(super) fn sort(&mut self) {
        self.lines
            .sort_by(|one, other| one.core().end.total_cmp(&other.core().end));
        let size = self.lines.iter().map(|line| line.size).sum::<f32>();
        let size = size / text::to_f32(self.lines.len().max(1));
        let is_level = |one: &Line, next: &Line| next.core().end - one.core().end < size * 0.3;
        for row in self.lines.chunk_by_mut(is_level) {
            row.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
        }
    }

    /// Returns the font and size of its text.
    fn style(&self) -> Style {
        let first = self.lines.iter().flat_map(Line::glyphs).next();
        let Style { font, size, .. } = first.map(Glyph::style).unwrap_or_default();
        Style {
            font,
            size,
            ..Style::default()
        }
    }

    /// Returns its block: a picture with its text as alternative text, or the text; `None` if there is neither.
    pub(in crate::analysis) fn block(
        &self,
        alternative: Option<String>,
        writer: Writer<'_>,
    ) -> Option<Block> {
        let texts = self.lines.iter().map(|line| plain(&writer.runs([line])));
        let texts: Vec<String> = alternative.into_iter().chain(texts).collect();
        let text = texts.join(" ");
        let content = match self.image {
            Some(image) => Content::Image {
                image,
                alternative: (!text.is_empty()).then_some(text),
            },
            None if text.is_empty() => return None,
            None => Content::Paragraph {
                runs: vec![Run {
                    text,
                    style: self.style(),
                    link: None,
                }],
                alignment: Alignment::Start,
                continues: false,
                preformatted: false,
            },
        };
        Some(Block {
            bounds: Some(self.bounds),
            ..Block::from(content)
        })
    }
}
