//! Captions of tables near an area: lines that begin with `Table 3` and the like.

use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::lines::caption_words::{CaptionKind, caption_kind};
use crate::analysis::tables::content::Content;
use crate::model::geometry::Rect;

/// Distance of a caption, as a fraction of the font size.
const NEAR: f32 = 5.0;

/// Whether the caption of a table is directly above or below an area.
pub(super) fn near(content: &Content<'_>, bounds: Rect, size: f32) -> bool {
    let strip = |top: f32, bottom: f32| Rect {
        left: bounds.left - size * 2.0,
        right: bounds.right + size * 2.0,
        top,
        bottom,
    };
    let above = strip(bounds.top - size * NEAR, bounds.top + size);
    let below = strip(bounds.bottom - size * 0.5, bounds.bottom + size * NEAR);
    [above, below].into_iter().any(|area| {
        let glyphs: Vec<&Glyph> = content.glyphs_in(area).collect();
        let mut lines = glyphs.chunk_by(|one, next| next.baseline - one.baseline < size * 0.2);
        lines.any(begins)
    })
}

/// Whether a line begins with the word and number of a caption.
fn begins(line: &[&Glyph]) -> bool {
    let mut line = line.to_vec();
    line.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
    let text: String = line
        .iter()
        .take(16)
        .flat_map(|glyph| glyph.text.to_lowercase())
        .collect();
    let word: String = text
        .chars()
        .take_while(|text| text.is_alphabetic())
        .collect();
    let rest = text
        .get(word.len()..)
        .unwrap_or_default()
        .trim_start_matches(['.', ':', '-']);
    let is_numbered =
        rest.starts_with(|next: char| next.is_numeric() || next == '(') || rest.is_empty();
    is_numbered && caption_kind(&word) == Some(CaptionKind::Table)
}
