//! Coarse text style to distinguish headings.

use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::lines::line::Line;
use crate::model::text::Script;

/// Maximum number of styles of a line or paragraph that are distinguished.
const STYLES: usize = 16;

/// The properties in which headings differ from body text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::analysis) struct TextStyle {
    /// Font size, half-points.
    pub(in crate::analysis) size: u32,
    pub(in crate::analysis) is_bold: bool,
    pub(in crate::analysis) is_italic: bool,
    pub(in crate::analysis) is_monospaced: bool,
    pub(in crate::analysis) color: [u8; 3],
    pub(in crate::analysis) family: String,
}

impl TextStyle {
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
            is_monospaced: glyph.font.is_monospaced,
            color: glyph.color,
            family: glyph.font.family.clone(),
        }
    }

    /// Returns the common style of all letters of lines; `None` if they differ.
    pub(in crate::analysis) fn of_all<'a>(
        lines: impl IntoIterator<Item = &'a Line>,
    ) -> Option<Self> {
        let styles = styles(lines);
        let looks: Vec<Self> = styles.iter().map(|(first, _)| Self::of(first)).collect();
        let (look, others) = looks.split_first()?;
        let is_same = |other: &Self| {
            // Glyphs missing in the font come from a fallback font.
            Self {
                family: look.family.clone(),
                ..other.clone()
            } == *look
        };
        others.iter().all(is_same).then(|| look.clone())
    }

    /// Returns the style of most letters of lines.
    pub(in crate::analysis) fn of_most<'a>(
        lines: impl IntoIterator<Item = &'a Line>,
    ) -> Option<Self> {
        let styles = styles(lines);
        let (first, _) = styles.iter().max_by_key(|(_, count)| *count)?;
        Some(Self::of(first))
    }

    /// Returns the size in points.
    pub(in crate::analysis) fn points(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "sizes are limited")]
        let size = self.size as f32;
        size / 2.0
    }
}

/// Returns the first character and the number of characters of each style of the letters of lines; of the digits if there are
/// no letters. Numbers of headings may have another style.
fn styles<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<(&'a Glyph, usize)> {
    let glyphs: Vec<&Glyph> = lines.into_iter().flat_map(Line::glyphs).collect();
    let has_letters = glyphs.iter().any(|glyph| glyph.text.is_alphabetic());
    let counts = |glyph: &&Glyph| {
        glyph.script == Script::None
            && match has_letters {
                true => glyph.text.is_alphabetic(),
                false => glyph.text.is_numeric(),
            }
    };
    let mut styles: Vec<(&Glyph, usize)> = Vec::new();
    for glyph in glyphs.into_iter().filter(counts) {
        let is_same = |(first, _): &(&Glyph, usize)| {
            std::sync::Arc::ptr_eq(&glyph.font, &first.font)
                && glyph.color == first.color
                && (glyph.size - first.size).abs() < 0.3
        };
        match styles.iter().position(is_same) {
            Some(known) => {
                let count = styles.get_mut(known).map(|(_, count)| count);
                count.into_iter().for_each(|count| *count += 1);
            }
            None if styles.len() < STYLES => styles.push((glyph, 1)),
            None => {}
        }
    }
    styles
}
