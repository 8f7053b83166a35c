//! Shapes text: characters to positioned glyphs.

use harfrust::{
    BufferClusterLevel, BufferFlags, Direction, FontRef, ShapeOptions, ShaperData, UnicodeBuffer,
};
use skrifa::instance::{LocationRef, Size};
use skrifa::{GlyphId, MetadataProvider as _};
use task::TaskResult;

use super::faces;
use super::items::Item;

/// Characters that one or several glyphs represent.
#[derive(Clone, PartialEq)]
pub(super) struct ClusterText {
    /// Byte offset in the shaping run.
    begin: usize,
    /// The characters in visual order, because PDF readers reverse right-to-left text.
    pub(super) characters: String,
}

/// A shaped glyph. Lengths are thousandths of the font size.
pub(super) struct ShapedGlyph {
    /// The glyph index.
    pub(super) glyph: u16,
    /// The characters it represents, possibly together with adjacent glyphs of the same cluster.
    pub(super) text: ClusterText,
    /// The advance.
    pub(super) advance: f32,
    /// The offset from the pen position, to the right and up.
    pub(super) offset: (f32, f32),
    /// The advance that PDF uses, which is that of the glyph in the font.
    pub(super) width: f32,
}

/// Shapes a run and returns its glyphs in visual order.
///
/// # Errors
/// Lists the characters if the font cannot shape the sequence.
pub(super) fn shape(font: &FontRef<'_>, item: &Item) -> TaskResult<Vec<ShapedGlyph>> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&item.text);
    buffer.guess_segment_properties();
    buffer.set_direction(match item.is_rtl {
        true => Direction::RightToLeft,
        false => Direction::LeftToRight,
    });
    // Marks keep separate clusters, as far as the script allows.
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
    let begins: Vec<usize> = cluster_starts(shaped.glyph_infos().iter().map(|info| info.cluster));
    let scale = faces::scale(font);
    #[expect(clippy::cast_precision_loss, reason = "glyph metrics are small")]
    let scaled = |length: i32| length as f32 * scale;
    let mut glyphs: Vec<ShapedGlyph> = Vec::new();
    for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
        let begin = info.cluster as usize;
        let end = begins.iter().find(|next| **next > begin).copied();
        let text = item.text.get(begin..end.unwrap_or(item.text.len()));
        let text = text.unwrap_or_default();
        let glyph = u16::try_from(info.glyph_id).unwrap_or(0);
        if glyph == 0 {
            return Err(super::missing_characters(text));
        }
        let natural = metrics.advance_width(GlyphId::from(glyph));
        glyphs.push(ShapedGlyph {
            glyph,
            text: ClusterText {
                begin,
                characters: match item.is_rtl {
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

/// Returns the sorted start offsets of the clusters.
fn cluster_starts(clusters: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut begins: Vec<usize> = clusters.map(|cluster| cluster as usize).collect();
    begins.sort_unstable();
    begins.dedup();
    begins
}
