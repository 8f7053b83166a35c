//! Highlights: areas of the height of a line behind its words, drawn by a marker or as a bar.

use super::fills::Fills;
use crate::analysis::glyphs::glyph::Glyph;
use crate::model::page_content::Drawing;

/// Least and greatest height of a highlight, and its least width, in font sizes.
const HEIGHT: std::ops::RangeInclusive<f32> = 0.6..=2.5;
const WIDTH: f32 = 0.5;

/// Marks the characters that have a highlight behind them.
pub(in crate::analysis) fn mark(glyphs: &mut [Glyph], drawings: &[Drawing]) {
    let fills = Fills::of(drawings);
    if fills.is_empty() {
        return;
    }
    for glyph in glyphs.iter_mut().filter(|glyph| glyph.angle == 0.0) {
        let behind = fills.at(glyph.bounds.center(), |_| true);
        let behind = behind.filter(|area| {
            let (width, height) = (area.bounds.width(), area.bounds.height());
            HEIGHT.contains(&(height / glyph.size))
                && width > WIDTH * glyph.size
                && area.color != glyph.color
        });
        glyph.highlight = behind.map(|area| area.color);
    }
}
