//! From characters to the glyphs of a font, and where these stand.

use harfrust::{
    BufferClusterLevel, BufferFlags, Direction, FontRef, ShapeOptions, ShaperData, UnicodeBuffer,
};
use skrifa::instance::{LocationRef, Size};
use skrifa::{GlyphId, MetadataProvider as _};
use task::Outcome;

use super::faces;
use super::items::Item;

/// Characters that one glyph or several together stand for.
#[derive(Clone, PartialEq)]
pub(super) struct Text {
    /// Where they begin in their part of the text.
    begin: usize,
    /// The characters, from left to right: readers of PDF turn round what is written from right to left.
    pub(super) characters: String,
}

/// A glyph. Lengths are thousandths of the size.
pub(super) struct Shaped {
    /// Its number in the font.
    pub(super) glyph: u16,
    /// The characters that it stands for, alone or with the glyphs beside it that tell the same.
    pub(super) text: Text,
    /// How far the pen moves on.
    pub(super) advance: f32,
    /// How far the glyph stands from the pen, to the right and up.
    pub(super) offset: (f32, f32),
    /// How far the pen of PDF moves on, which knows the glyph alone.
    pub(super) width: f32,
}

/// The glyphs of a part of a text, from left to right.
///
/// # Errors
/// The characters that the font does not write in this order.
pub(super) fn shaped(font: &FontRef<'_>, item: &Item) -> Outcome<Vec<Shaped>> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&item.text);
    buffer.guess_segment_properties();
    buffer.set_direction(match item.is_leftward {
        true => Direction::RightToLeft,
        false => Direction::LeftToRight,
    });
    // Marks stay characters of their own, as far as the script lets them.
    buffer.set_cluster_level(BufferClusterLevel::MonotoneGraphemes);
    buffer.set_flags(
        BufferFlags::BEGINNING_OF_TEXT
            | BufferFlags::END_OF_TEXT
            | BufferFlags::REMOVE_DEFAULT_IGNORABLES
            | BufferFlags::DO_NOT_INSERT_DOTTED_CIRCLE,
    );
    let data = ShaperData::new(font);
    let shaped = data.shaper(font).build().shape(buffer, ShapeOptions::new());
    let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
    let begins: Vec<usize> = begins(shaped.glyph_infos().iter().map(|info| info.cluster));
    let scale = faces::scale(font);
    #[expect(clippy::cast_precision_loss, reason = "lengths of glyphs are small")]
    let scaled = |length: i32| length as f32 * scale;
    let mut glyphs: Vec<Shaped> = Vec::new();
    for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
        let begin = info.cluster as usize;
        let end = begins.iter().find(|next| **next > begin).copied();
        let text = item.text.get(begin..end.unwrap_or(item.text.len()));
        let text = text.unwrap_or_default();
        let glyph = u16::try_from(info.glyph_id).unwrap_or(0);
        if glyph == 0 {
            return Err(super::unwritable(text));
        }
        let natural = metrics.advance_width(GlyphId::from(glyph));
        glyphs.push(Shaped {
            glyph,
            text: Text {
                begin,
                characters: match item.is_leftward {
                    true => text.chars().rev().collect(),
                    false => text.to_owned(),
                },
            },
            advance: scaled(position.x_advance),
            offset: (scaled(position.x_offset), scaled(position.y_offset)),
            width: natural.unwrap_or(0.0) * scale,
        });
    }
    Ok(glyphs)
}

/// Where the clusters of characters begin, in order.
fn begins(clusters: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut begins: Vec<usize> = clusters.map(|cluster| cluster as usize).collect();
    begins.sort_unstable();
    begins.dedup();
    begins
}
