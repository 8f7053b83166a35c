//! Text by the direction in which it is written, and by whether it is seen.

use std::collections::BTreeMap;

use super::graphics::{self, Backdrop};
use crate::analysis::clean;
use crate::analysis::glyph::Glyph;
use crate::analysis::line::{Line, lines};
use crate::analysis::marks;
use crate::analysis::piece::pieces;
use crate::analysis::slant::Slant;
use crate::model::geometry::Rect;
use crate::model::page_content::{Character, PageContent};

/// How little text may be turned on the whole that is level, degrees.
const LEVEL: f32 = 0.1;

/// Text of one direction that is seen, or of one that is not.
pub(super) struct Sort {
    pub(super) slant: Slant,
    pub(super) is_hidden: bool,
    /// How many characters it has.
    pub(super) letters: usize,
    /// Level, in the coordinates of its direction.
    pub(super) lines: Vec<Line>,
}

/// The text of a sheet, and what is drawn beside it without what is drawn under and through text, which marks that.
pub(super) fn of(sheet: &PageContent, page: &Rect) -> (Vec<Sort>, Backdrop) {
    let mut found: BTreeMap<(bool, u16), Vec<(&Character, Glyph)>> = BTreeMap::new();
    for (character, glyph) in clean::told(sheet) {
        let key = (character.is_hidden, degrees(glyph.angle));
        found.entry(key).or_default().push((character, glyph));
    }
    let mut backdrop = graphics::of(sheet, page);
    let sorts = found.into_iter().map(|((is_hidden, _), told)| {
        let slant = Slant::of(angle(&told), page);
        let level = |(character, glyph)| slant.level(character, glyph, page);
        let mut glyphs: Vec<Glyph> = told.into_iter().map(level).collect();
        let letters = glyphs.len();
        if slant.is_level() {
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

/// The whole number of degrees that an angle is nearest to, from 0 to 359.
fn degrees(angle: f32) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "angles are from 0 to 360"
    )]
    let degrees = angle.round() as u16;
    degrees % 360
}

/// How far text is turned on the whole that is turned nearly alike, degrees from 0 to 360.
fn angle(told: &[(&Character, Glyph)]) -> f32 {
    // Those around 0 are 359.9 and 0.1.
    let signed = |angle: f32| if angle > 180.0 { angle - 360.0 } else { angle };
    let around: f64 = told
        .iter()
        .map(|(_, glyph)| f64::from(signed(glyph.angle)))
        .sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "it is the mean of angles"
    )]
    let mean = (around / told.len().max(1) as f64) as f32;
    let right = (mean / 90.0).round() * 90.0;
    let mean = if (mean - right).abs() < LEVEL {
        right
    } else {
        mean
    };
    mean.rem_euclid(360.0)
}
