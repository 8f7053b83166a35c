//! Coarse text style to distinguish headings.

use super::glyph::Glyph;
use super::line::Line;
use crate::model::text::Script;

/// The properties in which headings differ from body text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Look {
    /// Font size, half-points.
    pub(super) size: u32,
    pub(super) is_bold: bool,
    pub(super) is_italic: bool,
    pub(super) color: [u8; 3],
    pub(super) family: String,
}

impl Look {
    fn of(glyph: &Glyph) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "sizes are limited"
        )]
        let size = (glyph.size * 2.0).round() as u32;
        Self {
            size,
            is_bold: glyph.font.is_bold,
            is_italic: glyph.font.is_italic,
            color: glyph.color,
            family: glyph.font.family.clone(),
        }
    }

    /// Returns the common style of all letters of lines; `None` if they differ.
    pub(super) fn of_all<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Option<Self> {
        let glyphs: Vec<&Glyph> = lines.into_iter().flat_map(Line::glyphs).collect();
        // Numbers of headings may have another style.
        let has_letters = glyphs.iter().any(|glyph| glyph.text.is_alphabetic());
        let mut glyphs = glyphs.into_iter().filter(|glyph| {
            let counts = if has_letters {
                glyph.text.is_alphabetic()
            } else {
                glyph.text.is_numeric()
            };
            glyph.script == Script::None && counts
        });
        let first = glyphs.next()?;
        let look = Self::of(first);
        let is_same = |glyph: &Glyph| {
            // Glyphs missing in the font come from a fallback font.
            std::sync::Arc::ptr_eq(&glyph.font, &first.font)
                && glyph.color == first.color
                && (glyph.size - first.size).abs() < 0.3
                || Self {
                    family: look.family.clone(),
                    ..Self::of(glyph)
                } == look
        };
        glyphs.all(is_same).then_some(look)
    }

    /// Returns the size in points.
    pub(super) fn points(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "sizes are limited")]
        let size = self.size as f32;
        size / 2.0
    }

    /// Whether a line in this style stands out from body text.
    pub(super) fn stands_out_from(&self, body: &Self) -> bool {
        if self.points() < body.points() * 0.93 {
            return false;
        }
        let is_larger = self.points() > body.points() * 1.09;
        let is_bolder = self.is_bold && !body.is_bold;
        let is_other = self.color != body.color && (self.family != body.family || self.is_italic);
        is_larger || is_bolder || is_other
    }
}
