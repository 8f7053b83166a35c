//! The content of a page in which tables are searched: text by position, rules and fills.

use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::tables::segment::{Text, texts};
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Tolerance for rounding of positions, points.
const ROUNDING: f32 = 0.1;

/// Text, rules and fills of a page.
pub(in crate::analysis) struct Content<'p> {
    pub(in crate::analysis) page: Rect,
    pub(in crate::analysis) strokes: &'p [Stroke],
    pub(in crate::analysis) fills: &'p [Rect],
    /// Characters by baseline.
    glyphs: Vec<&'p Glyph>,
    /// Least and greatest height of their baselines below their middles.
    below: (f32, f32),
}

impl<'p> Content<'p> {
    pub(in crate::analysis) fn new(
        page: Rect,
        strokes: &'p [Stroke],
        fills: &'p [Rect],
        glyphs: &'p [Glyph],
    ) -> Self {
        let upright =
            |glyph: &&Glyph| !glyph.text.is_whitespace() && !(4.0..356.0).contains(&glyph.angle);
        let mut glyphs: Vec<&Glyph> = glyphs.iter().filter(upright).collect();
        glyphs.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
        let below = glyphs.iter().map(|glyph| glyph.baseline - glyph.middle().1);
        let below = below.fold((60.0_f32, -20.0_f32), |(least, most), below| {
            (least.min(below), most.max(below))
        });
        Self {
            page,
            strokes,
            fills,
            glyphs,
            below: (below.0.max(-20.0), below.1.min(60.0)),
        }
    }

    /// Returns the characters with their middle in an area.
    pub(super) fn glyphs_in(&self, area: Rect) -> impl Iterator<Item = &'p Glyph> {
        let (least, most) = self.below;
        let from = self
            .glyphs
            .partition_point(|glyph| glyph.baseline < area.top + least - ROUNDING);
        let to = self
            .glyphs
            .partition_point(|glyph| glyph.baseline < area.bottom + most + ROUNDING);
        let near = self.glyphs.get(from..to.max(from)).unwrap_or_default();
        near.iter()
            .copied()
            .filter(move |glyph| area.contains(glyph.middle()))
    }

    /// Returns the text in an area, from top to bottom; gaps of `wide` times the font size and `joints` part segments.
    pub(super) fn texts_in(&self, area: Rect, joints: &[f32], wide: f32) -> Vec<Text> {
        texts(self.glyphs_in(area), joints, wide)
    }
}
