//! Selects the characters of a page that are visible.

use std::collections::HashSet;

use crate::analysis::glyphs::glyph::Glyph;
use crate::model::geometry::Rect;
use crate::model::page_content::{Character, PageContent};
use crate::model::text::Script;

/// Maximum number of characters of a page.
pub(in crate::analysis) const CHARACTERS: usize = 500_000;
/// Maximum font size, points.
const LARGEST: f32 = 5_000.0;
/// Cell size of the spatial hash that compares characters, points.
const SQUARE: f32 = 4.0;

/// Returns the characters in order, including spaces, clipped to the page.
pub(in crate::analysis) fn glyphs(sheet: &PageContent) -> Vec<Glyph> {
    with_source(sheet).map(|(_, glyph)| glyph).collect()
}

/// Returns the characters with their source.
pub(in crate::analysis) fn with_source(
    sheet: &PageContent,
) -> impl Iterator<Item = (&Character, Glyph)> {
    let page = page(sheet);
    let characters = sheet.characters.iter().take(CHARACTERS);
    let characters = characters.filter(move |character| is_somewhere(character, &page));
    let has_hidden = sheet.characters.iter().any(|one| one.is_hidden);
    let seen: HashSet<_> = sheet
        .characters
        .iter()
        .filter(|one| has_hidden && !one.is_hidden && !one.text.is_whitespace())
        .map(square)
        .collect();
    // OCR text under visible text would duplicate it. Some fonts map all their glyphs to spaces.
    let characters = characters.filter(move |one| !one.is_hidden || !seen.contains(&square(one)));
    characters.filter_map(move |character| Some((character, glyph(character, &page)?)))
}

/// Returns the bounds of the page.
pub(in crate::analysis) fn page(sheet: &PageContent) -> Rect {
    let sane = |extent: f32| {
        if extent.is_finite() {
            extent.clamp(1.0, 1e6)
        } else {
            1.0
        }
    };
    Rect::between(
        (0.0, 0.0),
        (sane(sheet.size.width), sane(sheet.size.height)),
    )
}

/// Returns the part of a rectangle on the page; `None` if there is none.
pub(in crate::analysis) fn on(page: &Rect, bounds: &Rect) -> Option<Rect> {
    let edges = [bounds.left, bounds.top, bounds.right, bounds.bottom];
    let is_sane = edges.iter().all(|edge| edge.is_finite());
    is_sane
        .then(|| {
            Rect::between((bounds.left, bounds.top), (bounds.right, bounds.bottom)).within(page)
        })
        .flatten()
}

fn is_somewhere(character: &Character, page: &Rect) -> bool {
    on(page, &character.bounds).is_some()
        && character.baseline.is_finite()
        && character.size.is_finite()
        && (character.text.is_whitespace() || !character.text.is_control())
}

fn square(character: &Character) -> (i64, i64) {
    let (x, y) = character.bounds.center();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let square = |value: f32| (value / SQUARE).floor() as i64;
    (square(x), square(y))
}

fn glyph(character: &Character, page: &Rect) -> Option<Glyph> {
    let bounds = on(page, &character.bounds)?;
    let size = if character.size > 0.1 {
        character.size
    } else {
        bounds.height().max(1.0)
    };
    Some(Glyph {
        text: character.text,
        bounds,
        origin: character.start,
        baseline: character.baseline.clamp(page.top, page.bottom),
        size: size.min(LARGEST),
        font: character.font.clone(),
        color: character.color,
        angle: if character.angle.is_finite() {
            character.angle.rem_euclid(360.0)
        } else {
            0.0
        },
        is_mirrored: false,
        zone: 0,
        link: None,
        underlined: false,
        strikethrough: false,
        script: Script::None,
        highlight: None,
        tag: character.tag,
        order: 0,
    })
}
