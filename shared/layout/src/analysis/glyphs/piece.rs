//! Characters → pieces: adjacent characters (glyph runs) without a gap, a word or a part of one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::dependent::is_dependent;
use crate::analysis::glyphs::glyph::Glyph;
use crate::model::geometry::Rect;

/// Rotation from which a character is treated as rotated, degrees.
pub(in crate::analysis) const UPRIGHT: f32 = 4.0;
/// Minimum gap between words as a fraction of the font size, in fonts with and without written spaces.
const SPACED: f32 = 0.3;
const UNSPACED: f32 = 0.17;
/// Maximum gap before a sign that belongs to the letter before it, as a fraction of the font size.
const DEPENDENT: f32 = 0.6;

/// Adjacent characters without a gap.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Piece {
    /// Characters in drawing order; at least one, no spaces.
    pub(in crate::analysis) glyphs: Vec<Glyph>,
    pub(in crate::analysis) bounds: Rect,
    pub(in crate::analysis) baseline: f32,
    pub(in crate::analysis) size: f32,
    /// Whether a space character follows in drawing order, and whether that is on the left of its last character.
    pub(in crate::analysis) is_spaced: bool,
    pub(in crate::analysis) is_spaced_left: bool,
    /// Whether the gap before it is smaller than a word space: only size or baseline change.
    pub(in crate::analysis) is_close: bool,
}

impl Piece {
    fn new(glyph: Glyph) -> Self {
        Self {
            bounds: glyph.bounds,
            baseline: glyph.baseline,
            size: glyph.size,
            glyphs: vec![glyph],
            is_spaced: false,
            is_spaced_left: false,
            is_close: false,
        }
    }

    fn push(&mut self, glyph: Glyph) {
        self.bounds = self.bounds.union(&glyph.bounds);
        self.glyphs.push(glyph);
    }

    /// Adds the characters of another piece.
    pub(in crate::analysis) fn append(&mut self, other: Self) {
        self.is_spaced = other.is_spaced;
        self.is_spaced_left = other.is_spaced_left;
        other.glyphs.into_iter().for_each(|glyph| self.push(glyph));
    }

    /// Returns the table cell that contains it; 0 is none.
    pub(in crate::analysis) fn zone(&self) -> usize {
        self.glyphs.first().map_or(0, |glyph| glyph.zone)
    }

    /// Whether it is rotated.
    pub(in crate::analysis) fn is_turned(&self) -> bool {
        self.glyphs.first().is_some_and(is_turned)
    }

    /// Returns the text in drawing order.
    pub(in crate::analysis) fn text(&self) -> String {
        self.glyphs.iter().map(|glyph| glyph.text).collect()
    }
}

/// Groups characters, which are in drawing order, into pieces.
pub(in crate::analysis) fn pieces(glyphs: Vec<Glyph>) -> Vec<Piece> {
    let spaces = Spaces::of(&glyphs);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut is_open = false;
    for glyph in glyphs {
        if glyph.text.is_whitespace() {
            let last = pieces
                .last_mut()
                .filter(|piece| is_open && is_behind(&glyph, piece));
            is_open = is_open && last.is_none();
            if let Some(piece) = last {
                let end = piece.glyphs.last().map(|last| last.bounds.center().0);
                piece.is_spaced = true;
                piece.is_spaced_left = end.is_some_and(|end| glyph.bounds.center().0 < end);
            }
            continue;
        }
        let last = pieces.last_mut();
        let is_open_for = is_open || is_dependent(glyph.text);
        match last.filter(|piece| is_open_for && goes_on(piece, &glyph, &spaces)) {
            Some(piece) => {
                // A space before a dependent sign is a gap that the program of the PDF took for one.
                piece.is_spaced &= !is_dependent(glyph.text);
                piece.push(glyph);
            }
            None => pieces.push(Piece::new(glyph)),
        }
        is_open = true;
    }
    pieces
}

/// Whether a space is at the end of a piece: spaces are not always drawn in text order.
fn is_behind(space: &Glyph, piece: &Piece) -> bool {
    let Some(last) = piece.glyphs.last() else {
        return false;
    };
    let near = |one: f32, other: f32| (one - other).abs() <= piece.size;
    let ends = [
        (space.bounds.left, last.bounds.right),
        (space.bounds.right, last.bounds.left),
    ];
    is_turned(space)
        || near(space.baseline, last.baseline) && ends.iter().any(|(one, other)| near(*one, *other))
}

/// Positions of written spaces, which are not always in text order.
struct Spaces {
    /// Sorted by baseline, then from left to right.
    places: Vec<(i32, i32)>,
    /// Fonts, by address, and sizes in which spaces are written, sorted.
    spaced: Vec<(usize, i32)>,
}

impl Spaces {
    fn of(glyphs: &[Glyph]) -> Self {
        let spaces = glyphs.iter().filter(|glyph| glyph.text.is_whitespace());
        let mut places: Vec<_> = spaces
            .map(|glyph| (whole(glyph.baseline), whole(glyph.bounds.center().0)))
            .collect();
        places.sort_unstable();
        let mut counts: BTreeMap<(usize, i32), (usize, usize)> = BTreeMap::new();
        for run in glyphs.chunk_by(|one, next| lettering(one) == lettering(next)) {
            let Some(first) = run.first() else { continue };
            let (spaces, all) = counts.entry(lettering(first)).or_default();
            *spaces += run.iter().filter(|one| one.text.is_whitespace()).count();
            *all += run.len();
        }
        let spaced = counts
            .into_iter()
            .filter(|(_, (spaces, all))| spaces * 20 > *all)
            .map(|(lettering, _)| lettering);
        Self {
            places,
            spaced: spaced.collect(),
        }
    }

    /// Returns the minimum gap that separates words after a character, as a fraction of the font size: some programs write
    /// spaces in one font only.
    fn gap(&self, glyph: &Glyph) -> f32 {
        match self.spaced.binary_search(&lettering(glyph)).is_ok() {
            true => SPACED,
            false => UNSPACED,
        }
    }

    /// Whether a space is written between two positions of a line.
    fn between(&self, from: f32, to: f32, baseline: f32) -> bool {
        let (from, to, baseline) = (whole(from), whole(to), whole(baseline));
        let to = to.min(from.saturating_add(20));
        (baseline.saturating_sub(1)..=baseline.saturating_add(1)).any(|baseline| {
            let first = self
                .places
                .partition_point(|place| *place < (baseline, from));
            self.places
                .get(first)
                .is_some_and(|place| *place <= (baseline, to))
        })
    }
}

fn lettering(glyph: &Glyph) -> (usize, i32) {
    (Arc::as_ptr(&glyph.font).addr(), whole(glyph.size * 4.0))
}

fn whole(value: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places are limited, and the cast saturates"
    )]
    let whole = value.round() as i32;
    whole
}

/// Returns the minimum gap that separates words of this size.
pub(in crate::analysis) fn least_gap(size: f32) -> f32 {
    size * UNSPACED
}

pub(in crate::analysis) fn is_turned(glyph: &Glyph) -> bool {
    (UPRIGHT..360.0 - UPRIGHT).contains(&glyph.angle)
}

fn goes_on(piece: &Piece, next: &Glyph, spaces: &Spaces) -> bool {
    let Some(last) = piece.glyphs.last() else {
        return false;
    };
    if last.zone != next.zone || (last.angle - next.angle).abs() > UPRIGHT {
        return false;
    }
    if is_turned(next) {
        return goes_on_turned(last, next, spaces.gap(last));
    }
    let size = piece.size;
    let (x, _) = next.bounds.center();
    let is_level = (last.baseline - next.baseline).abs() <= size * 0.08
        && (next.size - size).abs() <= size * 0.05;
    if is_dependent(next.text) && !is_dependent(last.text) {
        let gap = next.bounds.left - last.bounds.right;
        return is_level && gap.abs() <= size * DEPENDENT;
    }
    if next.is_attached() {
        return is_level && (piece.bounds.left - 1.0..=piece.bounds.right + 1.0).contains(&x);
    }
    // The parts of a ligature are not always in text order.
    let is_inside = piece.bounds.left < x && x < piece.bounds.right;
    let is_right_to_left = |glyph: &Glyph| bidi::is_right_to_left(glyph.text);
    if is_level && is_inside && is_right_to_left(next) && piece.glyphs.iter().any(is_right_to_left)
    {
        return true;
    }
    // Right-to-left text is drawn to the left.
    let ends = match next.is_mirrored {
        // Numbers and Latin letters are drawn against the direction of the page.
        true => piece.bounds,
        false => last.bounds,
    };
    let after = next.bounds.left - ends.right;
    let before = ends.left - next.bounds.right;
    // Where the direction changes and next to letters with marks, the space is often not written.
    let turns = bidi::is_right_to_left(last.text) != bidi::is_right_to_left(next.text);
    let gap = if turns || last.is_mirrored && last.is_attached() {
        UNSPACED
    } else {
        spaces.gap(last)
    };
    let is_near = [after, before]
        .iter()
        .any(|between| (-size * 0.4..size * gap).contains(between));
    let is_spaced =
        after > size * 0.12 && spaces.between(ends.right, next.bounds.left, next.baseline);
    is_level && is_near && !is_spaced
}

/// Whether a rotated character follows another one in their direction.
fn goes_on_turned(last: &Glyph, next: &Glyph, gap: f32) -> bool {
    let (sine, cosine) = last.angle.to_radians().sin_cos();
    let ((from_x, from_y), (to_x, to_y)) = (last.bounds.center(), next.bounds.center());
    let (x, y) = (to_x - from_x, to_y - from_y);
    let (along, across) = (x * cosine + y * sine, y * cosine - x * sine);
    let is_level =
        across.abs() <= last.size * 0.4 && (next.size - last.size).abs() <= last.size * 0.05;
    is_level && (0.0..last.size * (1.0 + gap)).contains(&along)
}
