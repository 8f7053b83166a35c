//! How text looks, as coarsely as headings are told by it.

use super::glyph::Glyph;
use super::line::Line;
use crate::model::text::Script;

/// What headings differ from other text in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Look {
    /// Halves of points.
    pub(super) size: u32,
    pub(super) is_bold: bool,
    pub(super) is_italic: bool,
    pub(super) colour: [u8; 3],
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
            colour: glyph.colour,
            family: glyph.font.family.clone(),
        }
    }

    /// What all letters of lines look like; none where they differ.
    pub(super) fn of_all<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Option<Self> {
        let glyphs: Vec<&Glyph> = lines.into_iter().flat_map(Line::glyphs).collect();
        // The numbers of headings look otherwise at times.
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
            // Letters that the font has not come from another one.
            std::sync::Arc::ptr_eq(&glyph.font, &first.font)
                && glyph.colour == first.colour
                && (glyph.size - first.size).abs() < 0.3
                || Self {
                    family: look.family.clone(),
                    ..Self::of(glyph)
                } == look
        };
        glyphs.all(is_same).then_some(look)
    }

    /// Points.
    pub(super) fn points(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "sizes are limited")]
        let size = self.size as f32;
        size / 2.0
    }

    /// Whether a line of it stands out from the text that it is among.
    pub(super) fn stands_out_from(&self, body: &Self) -> bool {
        if self.points() < body.points() * 0.93 {
            return false;
        }
        let is_larger = self.points() > body.points() * 1.09;
        let is_bolder = self.is_bold && !body.is_bold;
        let is_other = self.colour != body.colour && (self.family != body.family || self.is_italic);
        is_larger || is_bolder || is_other
    }
}
