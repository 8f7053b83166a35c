//! Sample characters of unit tests.

use crate::analysis::glyphs::clean;
use crate::analysis::glyphs::glyph::Glyph;
use crate::model::geometry::{Rect, Size};
use crate::model::page_content::{Character, Font, PageContent};
use crate::model::structure::Tag;

/// A character with its left, right, top, bottom and baseline.
pub(in crate::analysis) type Drawn = (char, f32, f32, f32, f32, f32);

/// Returns characters of one font and size, 10 points, on a page of 100 × 100 points.
pub(in crate::analysis) fn glyphs(drawn: &[Drawn]) -> Vec<Glyph> {
    let font = std::sync::Arc::<Font>::default();
    let characters = drawn
        .iter()
        .map(|(text, left, right, top, bottom, baseline)| Character {
            text: *text,
            bounds: Rect::between((*left, *top), (*right, *bottom)),
            baseline: *baseline,
            start: *left,
            advance: right - left,
            size: 10.0,
            font: font.clone(),
            color: [0; 3],
            angle: 0.0,
            is_hidden: false,
            tag: Tag::None,
        });
    clean::glyphs(&PageContent {
        size: Size {
            width: 100.0,
            height: 100.0,
        },
        characters: characters.collect(),
        ..PageContent::default()
    })
}
