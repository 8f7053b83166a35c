//! Groups text by writing direction and visibility.

use std::collections::BTreeMap;

use super::graphics::{self, Backdrop};
use crate::analysis::glyphs::clean;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::marks;
use crate::analysis::glyphs::piece::pieces;
use crate::analysis::glyphs::slant::Slant;
use crate::analysis::lines::line::{Line, lines};
use crate::model::geometry::Rect;
use crate::model::page_content::{Character, PageContent};

/// Maximum rotation of text that is treated as horizontal, degrees.
const LEVEL: f32 = 0.1;

/// Text of one direction, visible or invisible.
pub(super) struct Sort {
    pub(super) slant: Slant,
    pub(super) is_hidden: bool,
    /// Number of characters.
    pub(super) letters: usize,
    /// Lines in the rotated coordinates of the direction.
    pub(super) lines: Vec<Line>,
}

/// Returns the text of a page by direction, and the graphics without underlines and strikethroughs.
pub(super) fn of(sheet: &PageContent, page: &Rect) -> (Vec<Sort>, Backdrop) {
    let mut found: BTreeMap<(bool, u16), Vec<(&Character, Glyph)>> = BTreeMap::new();
    for (character, glyph) in clean::with_source(sheet) {
        let key = (character.is_hidden, degrees(glyph.angle));
        found.entry(key).or_default().push((character, glyph));
    }
    let mut backdrop = graphics::of(sheet, page);
    let sorts = found.into_iter().map(|((is_hidden, _), characters)| {
        let slant = Slant::of(angle(&characters), page);
        let level = |(character, glyph)| slant.level(character, glyph, page);
        let mut glyphs: Vec<Glyph> = characters.into_iter().map(level).collect();
        let letters = glyphs.len();
        if slant.is_horizontal() {
            marks::link(&mut glyphs, &sheet.links, sheet.number);
            backdrop.mark(&mut glyphs);
        }
        Sort {
            slant,
            is_hidden,
            letters,
            lines: lines(pieces(glyphs)),
        }
    });
    (sorts.collect(), backdrop)
}

/// Rounds an angle to whole degrees from 0 to 359.
fn degrees(angle: f32) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "angles are from 0 to 360"
    )]
    let degrees = angle.round() as u16;
    degrees % 360
}

/// Returns the mean rotation of text with similar angles, degrees from 0 to 360.
fn angle(characters: &[(&Character, Glyph)]) -> f32 {
    // Angles near 0 may be 359.9 and 0.1.
    let signed = |angle: f32| if angle > 180.0 { angle - 360.0 } else { angle };
    let around: f64 = characters
        .iter()
        .map(|(_, glyph)| f64::from(signed(glyph.angle)))
        .sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "it is the mean of angles"
    )]
    let mean = (around / characters.len().max(1) as f64) as f32;
    let right = (mean / 90.0).round() * 90.0;
    let mean = if (mean - right).abs() < LEVEL {
        right
    } else {
        mean
    };
    mean.rem_euclid(360.0)
}
