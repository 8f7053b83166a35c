//! Pieces → lines: pieces on one baseline without a wide gap.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::{Piece, least_gap};
use crate::analysis::lines::marker;
use crate::model::geometry::Rect;
use crate::model::text::Script;

/// Maximum gap within a line, as a fraction of the font size; wider gaps may separate columns.
const WIDEST: f32 = 1.0;
/// Maximum gap after a list marker, as a fraction of the font size.
const AFTER_MARKER: f32 = 4.5;
/// Minimum part of right-to-left letters of right-to-left text on a mirrored page, as a divisor.
pub(in crate::analysis) const PART: usize = 4;
/// Maximum shift and overlap of the letters of a word with shifted letters, as fractions of the font size.
const SHIFTED: f32 = 0.3;
const OVERLAP: f32 = 0.3;
/// Minimum overlap of a raised letter that is no superscript, as a fraction of the font size.
const RAISED: f32 = 0.15;
/// Maximum number of shifted letters.
const LOGO: usize = 3;
/// Maximum number of characters of a marker without its punctuation.
const COUNTER: usize = 5;
/// Height of the strips of the lookup of lines, points.
const STRIP: f32 = 4.0;
/// Maximum number of lines of a strip that are examined.
const TRIED: usize = 48;

/// A line of pieces.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Line {
    /// Pieces from left to right; at least one.
    pub(in crate::analysis) pieces: Vec<Piece>,
    pub(in crate::analysis) bounds: Rect,
    /// Baseline of most of it.
    pub(in crate::analysis) baseline: f32,
    /// Font size of most of it.
    pub(in crate::analysis) size: f32,
    /// Number of letters that run from the right, minus those from the left.
    from_right: isize,
}

impl Line {
    fn new(piece: Piece) -> Self {
        Self {
            bounds: piece.bounds,
            baseline: piece.baseline,
            size: piece.size,
            from_right: from_right(&piece),
            pieces: vec![piece],
        }
    }

    /// Returns the characters from left to right.
    pub(in crate::analysis) fn glyphs(&self) -> impl Iterator<Item = &Glyph> {
        self.pieces.iter().flat_map(|piece| &piece.glyphs)
    }

    /// Returns the table cell that contains it; 0 is none.
    pub(in crate::analysis) fn zone(&self) -> usize {
        self.pieces.first().map_or(0, Piece::zone)
    }

    /// Whether it runs from the right of its page, which may be mirrored: most of its letters do. On a mirrored page, a
    /// significant part of letters that run as the page does decides.
    pub(in crate::analysis) fn is_from_right(&self) -> bool {
        let sides = self.glyphs().map(bidi::side);
        let (left, right) = sides.fold((0, 0), |(left, right), side| {
            (left + usize::from(side < 0), right + usize::from(side > 0))
        });
        match self.is_mirrored() {
            true => right > left * PART,
            false => right > left,
        }
    }

    /// Whether its page is mirrored.
    pub(in crate::analysis) fn is_mirrored(&self) -> bool {
        self.glyphs().next().is_some_and(|glyph| glyph.is_mirrored)
    }

    /// Whether it is rotated.
    pub(in crate::analysis) fn is_turned(&self) -> bool {
        self.pieces.first().is_some_and(Piece::is_turned)
    }

    /// Returns the vertical extent of its letters, without leading.
    pub(in crate::analysis) fn core(&self) -> Range<f32> {
        match self.is_turned() {
            true => self.bounds.top..self.bounds.bottom,
            false => self.baseline - self.size * 0.7..self.baseline + self.size * 0.1,
        }
    }

    /// Merges lines on one baseline; `None` if there are none.
    pub(in crate::analysis) fn joined(lines: Vec<Self>) -> Option<Self> {
        if lines.len() < 2 {
            return lines.into_iter().next();
        }
        let mut all = lines.into_iter();
        let mut joined = all.next()?;
        for other in all {
            joined.bounds = joined.bounds.union(&other.bounds);
            joined.from_right += other.from_right;
            joined.pieces.extend(other.pieces);
        }
        joined
            .pieces
            .sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
        Some(joined.settled())
    }

    /// Splits it before the piece with this index.
    pub(in crate::analysis) fn split_at(&self, index: usize) -> Option<[Self; 2]> {
        let line = |pieces: &[Piece]| {
            let mut pieces = pieces.iter().cloned();
            let mut line = Self::new(pieces.next()?);
            pieces.for_each(|piece| line.push(piece));
            Some(line.settled())
        };
        let (first, others) = self.pieces.split_at_checked(index)?;
        Some([line(first)?, line(others)?])
    }

    fn push(&mut self, piece: Piece) {
        self.bounds = self.bounds.union(&piece.bounds);
        self.from_right += from_right(&piece);
        if piece.size > self.size * 1.05 {
            (self.baseline, self.size) = (piece.baseline, piece.size);
        }
        self.pieces.push(piece);
    }

    /// Sets the size to that of most characters, and marks superscripts and subscripts.
    fn settled(mut self) -> Self {
        let mut counts: BTreeMap<i32, (usize, f32, f32)> = BTreeMap::new();
        for piece in &self.pieces {
            #[expect(clippy::cast_possible_truncation, reason = "sizes are limited")]
            let key = (piece.size * 4.0).round() as i32;
            let count = counts.entry(key).or_insert((0, piece.size, piece.baseline));
            count.0 += piece.glyphs.len();
        }
        let most = counts.into_values().max_by_key(|(count, ..)| *count);
        if let Some((_, size, baseline)) = most {
            (self.size, self.baseline) = (size, baseline);
        }
        let (size, baseline) = (self.size, self.baseline);
        let mut end = f32::MIN;
        for piece in &mut self.pieces {
            // The raised letter of a logo such as LaTeX overlaps the letter before it.
            let script = match end - piece.bounds.left > size * RAISED {
                true => Script::None,
                false => script(piece, size, baseline),
            };
            end = piece.bounds.right;
            piece
                .glyphs
                .iter_mut()
                .for_each(|glyph| glyph.script = script);
        }
        self
    }
}

fn script(piece: &Piece, size: f32, baseline: f32) -> Script {
    let raised = baseline - piece.baseline;
    match piece.size <= size * 0.86 {
        true if raised > size * 0.12 => Script::Super,
        true if raised < -size * 0.04 => Script::Sub,
        _ => Script::None,
    }
}

/// Groups pieces into lines.
pub(in crate::analysis) fn lines(pieces: Vec<Piece>) -> Vec<Line> {
    let (turned, mut upright): (Vec<_>, Vec<_>) = pieces.into_iter().partition(Piece::is_turned);
    upright.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
    let mut open = Open::default();
    upright.into_iter().for_each(|piece| open.take(piece));
    let lines = open.lines.into_iter().map(Line::settled);
    lines.chain(turned_lines(turned)).collect()
}

/// Open lines by position.
#[derive(Default)]
struct Open {
    lines: Vec<Line>,
    strips: BTreeMap<(usize, i32), Vec<usize>>,
}

impl Open {
    fn take(&mut self, mut piece: Piece) {
        let found = self.line_for(&piece);
        let place = (piece.zone(), strip(piece.baseline));
        let index = match found.and_then(|index| Some((index, self.lines.get_mut(index)?))) {
            Some((index, line)) => {
                let gap = piece.bounds.left - line.bounds.right;
                piece.is_close = gap < least_gap(piece.size.min(line.size));
                match line.pieces.as_mut_slice() {
                    [marker] if piece.is_close && ends_marker(marker, &piece) => {
                        marker.append(piece);
                        line.bounds = line.bounds.union(&marker.bounds);
                    }
                    _ => line.push(piece),
                }
                index
            }
            None => {
                self.lines.push(Line::new(piece));
                self.lines.len() - 1
            }
        };
        let strip = self.strips.entry(place).or_default();
        if strip.last() != Some(&index) {
            strip.push(index);
        }
    }

    fn line_for(&self, piece: &Piece) -> Option<usize> {
        let reach = (piece.size * 1.5).clamp(STRIP, STRIP * 12.0);
        let place = |baseline| (piece.zone(), strip(baseline));
        let near = place(piece.baseline - reach)..=place(piece.baseline + reach);
        let near = self.strips.range(near);
        let near = near.flat_map(|(_, lines)| lines.iter().rev().take(TRIED));
        let near = near.filter_map(|index| Some((*index, self.lines.get(*index)?)));
        near.filter(|(_, line)| takes(line, piece))
            .min_by(|(_, one), (_, other)| distance(one, piece).total_cmp(&distance(other, piece)))
            .map(|(index, _)| index)
    }
}

fn strip(baseline: f32) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let strip = (baseline / STRIP).floor() as i32;
    strip
}

fn distance(line: &Line, piece: &Piece) -> f32 {
    (line.baseline - piece.baseline).abs() + (piece.bounds.left - line.bounds.right).max(0.0)
}

/// Whether a piece belongs to the right end of a line.
fn takes(line: &Line, piece: &Piece) -> bool {
    let (small, large) = (line.size.min(piece.size), line.size.max(piece.size));
    let gap = piece.bounds.left - line.bounds.right;
    // Text of another size, such as a heading of the next column, is not joined across a gap of its own size.
    let widest = match &*line.pieces {
        [first] if is_marker(first, line.is_mirrored()) => large * AFTER_MARKER,
        _ if line.from_right > 0 && is_marker(piece, !line.is_mirrored()) => large * AFTER_MARKER,
        _ => small * WIDEST,
    };
    let apart = (line.baseline - piece.baseline).abs();
    if apart <= small * 0.2 {
        return (-small * 0.5..widest).contains(&gap);
    }
    // Letters of a logo such as TeX are shifted and overlap.
    let is_short = |piece: &Piece| piece.glyphs.len() <= LOGO;
    let are_short = is_short(piece) || line.pieces.last().is_some_and(is_short);
    if apart <= small * SHIFTED && large <= small * 1.05 {
        return are_short && (-small * OVERLAP..0.0).contains(&gap);
    }
    // The smaller one may be a superscript or subscript.
    let raised = match piece.size < line.size {
        true => line.baseline - piece.baseline,
        false => piece.baseline - line.baseline,
    };
    let is_script = small <= large * 0.86 && (-large * 0.35..large * 0.65).contains(&raised);
    // The A of LaTeX overlaps the L by .36 of its size.
    is_script && (-large * 0.4..large * 0.4).contains(&gap)
}

/// Whether a piece of a line in this direction is a list marker.
fn is_marker(piece: &Piece, from_right: bool) -> bool {
    let text = piece.text();
    marker::is_marker(&text) || from_right && marker::is_marker(&marker::from_right(&text))
}

/// Whether a piece is the punctuation of the marker before it on a mirrored page, where both are often drawn apart.
fn ends_marker(marker: &Piece, piece: &Piece) -> bool {
    let is_sign = |glyph: &Glyph| matches!(glyph.text, '.' | ')');
    let is_counter = |glyph: &Glyph| glyph.text.is_alphanumeric() || glyph.text == '(';
    marker.glyphs.len() <= COUNTER
        && marker.glyphs.iter().all(is_counter)
        && piece
            .glyphs
            .iter()
            .all(|glyph| glyph.is_mirrored && is_sign(glyph))
}

fn from_right(piece: &Piece) -> isize {
    piece.glyphs.iter().map(bidi::side).sum()
}

/// Groups rotated pieces into lines, in drawing order.
fn turned_lines(pieces: Vec<Piece>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for piece in pieces {
        match lines.last_mut().filter(|line| follows(line, &piece)) {
            Some(line) => {
                line.bounds = line.bounds.union(&piece.bounds);
                line.pieces.push(piece);
            }
            None => lines.push(Line::new(piece)),
        }
    }
    lines
}

fn follows(line: &Line, piece: &Piece) -> bool {
    let (Some(before), Some(after)) = (line.glyphs().last(), piece.glyphs.first()) else {
        return false;
    };
    let (sine, cosine) = before.angle.to_radians().sin_cos();
    let ((from_x, from_y), (to_x, to_y)) = (before.bounds.center(), after.bounds.center());
    let (x, y) = (to_x - from_x, to_y - from_y);
    let (along, across) = (x * cosine + y * sine, y * cosine - x * sine);
    before.zone == after.zone
        && (before.angle - after.angle).abs() < 1.0
        && across.abs() <= before.size * 0.4
        && (0.0..before.size * 2.5).contains(&along)
}
