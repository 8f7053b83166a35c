//! Writing direction, as a coordinate system in which the text is horizontal.

use crate::analysis::glyphs::glyph::Glyph;
use crate::model::geometry::Rect;
use crate::model::page_content::Character;

/// Ascent and descent of fonts in rotated text, as a fraction of the font size.
const ASCENT: f32 = 0.88;
const DESCENT: f32 = 0.22;

/// A coordinate system rotated about the upper left corner of the page.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Slant {
    /// Clockwise rotation of the text, degrees from 0 to 360.
    pub(in crate::analysis) angle: f32,
    sine: f32,
    cosine: f32,
    /// Offset that keeps coordinates on the page positive.
    shift: f32,
}

impl Slant {
    /// Creates the coordinate system of text with this rotation.
    pub(in crate::analysis) fn of(angle: f32, page: &Rect) -> Self {
        let (sine, cosine) = angle.to_radians().sin_cos();
        let shift = if angle == 0.0 {
            0.0
        } else {
            page.width() + page.height()
        };
        Self {
            angle,
            sine,
            cosine,
            shift,
        }
    }

    /// Whether the text is horizontal.
    pub(in crate::analysis) fn is_horizontal(&self) -> bool {
        self.angle == 0.0
    }

    /// Returns a character in these coordinates.
    pub(in crate::analysis) fn level(
        &self,
        character: &Character,
        glyph: Glyph,
        page: &Rect,
    ) -> Glyph {
        if self.is_horizontal() {
            return Glyph {
                angle: 0.0,
                ..glyph
            };
        }
        let start = sane(character.start, page.left, page.right);
        let (left, baseline) = self.along((start, glyph.baseline));
        let longest = page.width() + page.height();
        let advance = sane(character.advance, 0.0, longest.min(glyph.size * 20.0));
        Glyph {
            bounds: Rect {
                left,
                top: baseline - ASCENT * glyph.size,
                right: left + advance,
                bottom: baseline + DESCENT * glyph.size,
            },
            baseline,
            angle: 0.0,
            ..glyph
        }
    }

    /// Returns a point in page coordinates.
    pub(in crate::analysis) fn point(&self, (along, down): (f32, f32)) -> (f32, f32) {
        let (along, down) = (along - self.shift, down - self.shift);
        (
            along * self.cosine - down * self.sine,
            along * self.sine + down * self.cosine,
        )
    }

    fn along(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (
            x * self.cosine + y * self.sine + self.shift,
            y * self.cosine - x * self.sine + self.shift,
        )
    }
}

fn sane(value: f32, least: f32, most: f32) -> f32 {
    if value.is_finite() {
        value.clamp(least, most)
    } else {
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_restored_from_every_direction() {
        let page = Rect::between((0.0, 0.0), (600.0, 800.0));
        for angle in [0.0, 12.5, 90.0, 135.0, 180.0, 270.0, 359.0] {
            let slant = Slant::of(angle, &page);
            let (x, y) = slant.point(slant.along((120.0, 340.0)));
            assert!((x - 120.0).abs() < 0.01 && (y - 340.0).abs() < 0.01);
        }
    }
}
