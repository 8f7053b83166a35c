//! Estimates the sizes of fonts without a name (Type 3) [ISO 32000-1, 9.6.5]: their size is in units of their own, and writers that
//! embed bitmaps often choose 1 or the size of a pixel.

use std::collections::HashMap;

use crate::content::handles::{Glyph, PageHandle};
use crate::content::transform::{PageTransform, to_f32};

/// Maximum number of glyphs of a page that are measured.
const MEASURED: i32 = 20_000;
/// Minimum number of letters from which the size of a font is estimated.
const MIN_LETTERS: usize = 4;
/// Height of capitals, of letters with ascenders and of digits, and that of small letters, relative to the font size [the usual
/// fonts for text].
const TALL: f32 = 0.69;
const SMALL: f32 = 0.45;
/// Small letters without ascenders and descenders.
const SMALL_LETTERS: &str = "aceimnorsuvwxz";
/// Letters with descenders, or that are higher than others in some fonts.
const UNEVEN_LETTERS: &str = "gijpqtyJQ";
/// By how much an estimate may differ from the size that the document has.
const PLAUSIBLE: std::ops::Range<f32> = 0.5..2.0;
/// Maximum distance of the next letter, relative to the font size.
const WIDEST: f32 = 1.3;

/// Ratios of the estimated size of a font to its declared size, by the address of the font.
pub(super) type Factors = HashMap<usize, f32>;

/// Returns the factors of the fonts of a page whose letters are much larger or smaller than their size.
pub(super) fn factors(page: &PageHandle<'_>, transform: &PageTransform) -> Factors {
    let mut estimates: HashMap<usize, Vec<f32>> = HashMap::new();
    for index in 0..page.glyphs().min(MEASURED) {
        let Some(glyph) = page.glyph(index) else {
            continue;
        };
        let Some(part) = char::from_u32(glyph.code).and_then(height) else {
            continue;
        };
        let state = glyph.object.text_state();
        let (_, scale) = transform.after(glyph.matrix).extent();
        let size = (state.size * to_f32(scale)).abs();
        let ink = transform.rect(glyph.ink_bounds);
        if super::is_upright(glyph.matrix) && size > 0.0 && ink.height() > 0.0 {
            let of_font = estimates.entry(state.font.address()).or_default();
            of_font.push(ink.height() / part / size);
        }
    }
    estimates.retain(|_, of_font| of_font.len() >= MIN_LETTERS);
    let factors = estimates.into_iter().filter_map(|(font, mut all)| {
        let middle = all.len() / 2;
        let (_, median, _) = all.select_nth_unstable_by(middle, f32::total_cmp);
        (!PLAUSIBLE.contains(median)).then_some((font, *median))
    });
    factors.collect()
}

/// Returns the declared size times the factor, rounded to half points: so it is equal on all pages.
pub(super) fn size(declared: f32, factor: f32) -> f32 {
    let estimate = declared * factor;
    match estimate > 2.0 {
        true => (estimate * 2.0).round() / 2.0,
        false => estimate,
    }
}

/// Returns the horizontal extent of a glyph of such a font, in user space: up to the next letter of its line, since the width may
/// be missing.
pub(super) fn extent(glyph: &Glyph<'_>, next: Option<&Glyph<'_>>, size: f32) -> (f32, f32) {
    let [loose_left, _, loose_right, _] = glyph.loose_bounds;
    let [ink_left, _, ink_right, _] = glyph.ink_bounds.map(to_f32);
    let start = to_f32(glyph.origin.0);
    let next = next.filter(|next| (next.origin.1 - glyph.origin.1).abs() < 0.01);
    let end = next.map(|next| to_f32(next.origin.0));
    let end = end.filter(|end| (0.0..size * WIDEST).contains(&(end - start)));
    let end = end.unwrap_or_else(|| loose_right.max(ink_right));
    (start.min(loose_left).min(ink_left), end)
}

/// Returns the height of a letter or digit relative to the font size.
fn height(text: char) -> Option<f32> {
    let is_uneven = UNEVEN_LETTERS.contains(text) || !text.is_ascii_alphanumeric();
    match SMALL_LETTERS.contains(text) {
        _ if is_uneven => None,
        true => Some(SMALL),
        false => Some(TALL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_of_letters_are_known() {
        assert_eq!(
            ['x', 'H', '8', 'd'].map(height),
            [SMALL, TALL, TALL, TALL].map(Some)
        );
        assert_eq!(['g', 'é', '-', ' ', 't', 'i'].map(height), [None; 6]);
    }

    #[test]
    fn sizes_of_points_are_halves() {
        assert_eq!(size(0.12, 82.4), 10.0);
        assert_eq!(size(1.0, 9.7), 9.5);
        assert_eq!(size(0.1, 10.3), 0.1 * 10.3);
    }
}
