//! Justified lines with wide word spaces in narrow columns.

use std::collections::HashMap;

use super::atom::Atom;
use super::band::Band;
use super::bidi;
use super::edges::rows;
use super::line::Line;

/// Tolerance for equal spaces, and minimum difference of unequal word widths, points.
const SAME: f32 = 0.2;
const UNLIKE: f32 = 1.0;
/// Maximum word space, as a fraction of the font size.
const WIDEST: f32 = 5.0;
/// Maximum width of such a column, as a fraction of the font size.
const WIDE: f32 = 20.0;
/// Tolerance for the edges of full lines, points.
const FLUSH: f32 = 1.0;
/// Maximum first-line indent, points, and maximum number of lines with the same end that are examined.
const INDENT: f32 = 40.0;
const TRIED: usize = 50;
/// Minimum number of full lines that determine the edges of a column, and minimum number of words of each.
const LINES: usize = 3;
const WORDS: usize = 2;

/// Merges words on one baseline to a line if their spaces are equal although their widths differ, and other lines have the same
/// end.
pub(super) fn whole(atoms: Vec<Atom>) -> Vec<Atom> {
    let edges = Edges::of(&atoms);
    let mut lines = Vec::new();
    let mut others = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Line(line) if is_word(&line) => lines.push(line),
            other => others.push(other),
        }
    }
    for row in rows(lines) {
        let mut row = row.as_slice();
        while !row.is_empty() {
            let count = spaced(row);
            let count = match row.get(..count) {
                Some(words @ [first, .., last])
                    if edges.have(words, first.bounds.left, last.bounds.right) =>
                {
                    count
                }
                _ => 1,
            };
            let (words, rest) = row.split_at(count);
            others.extend(Line::joined(words.to_vec()).map(Atom::Line));
            row = rest;
        }
    }
    others
}

/// Starts and ends of lines with several words, by position in whole points.
#[derive(Default)]
struct Edges {
    lefts: HashMap<i32, Vec<f32>>,
    rights: HashMap<i32, Vec<f32>>,
}

impl Edges {
    fn of(atoms: &[Atom]) -> Self {
        let mut edges = Self::default();
        let lines = atoms.iter().filter_map(Atom::line);
        for line in lines.filter(|line| has_words(line)) {
            let (left, right) = (line.bounds.left, line.bounds.right);
            edges.rights.entry(point(right)).or_default().push(left);
            edges.lefts.entry(point(left)).or_default().push(right);
        }
        edges
    }

    /// Whether enough lines end at this position and begin near this start.
    fn have(&self, words: &[Line], left: f32, right: f32) -> bool {
        let count = |edges: &HashMap<i32, Vec<f32>>, at: f32, other: f32| {
            let near_by = (point(at) - 1..=point(at) + 1).filter_map(|at| edges.get(&at));
            let near_by = near_by.flat_map(|others| others.iter().take(TRIED));
            near_by
                .filter(|place| (*place - other).abs() < INDENT)
                .count()
        };
        let texts = words.iter().flat_map(Line::glyphs).map(|glyph| glyph.text);
        let count = match bidi::is_mostly_from_right(texts) {
            false => count(&self.rights, right, left),
            true => count(&self.lefts, left, right),
        };
        let written = words.iter().filter(|word| has_letters(word)).count();
        count >= LINES && written * 2 >= words.len()
    }
}

fn point(place: f32) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let point = place.round() as i32;
    point
}

/// Whether a line is a single word.
fn is_word(line: &Line) -> bool {
    let mut pieces = line.pieces.iter().skip(1);
    !line.is_turned() && pieces.all(|piece| piece.is_close)
}

fn has_letters(line: &Line) -> bool {
    line.glyphs().any(|glyph| glyph.text.is_alphabetic())
}

/// Returns how many words from the first one have equal spaces and different widths: at least two, or 0.
fn spaced(row: &[Line]) -> usize {
    let spaces = row.windows(2).filter_map(|pair| match pair {
        [one, other] => Some((
            other.bounds.left - one.bounds.right,
            one.size.min(other.size) * WIDEST,
        )),
        _ => None,
    });
    let mut spaces = spaces.peekable();
    let first = spaces.peek().map_or(0.0, |(space, _)| *space);
    let alike = spaces
        .take_while(|(space, most)| (space - first).abs() <= SAME && (0.0..*most).contains(space));
    let count = alike.count();
    let words = row.get(..=count).unwrap_or_default();
    let widths = || words.iter().map(|word| word.bounds.width());
    let least = widths().fold(f32::INFINITY, f32::min);
    let is_uneven = widths().any(|width| width - least > UNLIKE);
    match count > 0 && is_uneven {
        true => count + 1,
        false => 0,
    }
}

/// Whether bands are justified lines of two words each: both sides are flush, unlike those of table columns.
pub(super) fn are_pairs(run: &[Band]) -> bool {
    let pairs = || run.iter().filter(|band| band.taken.len() > 1);
    let spans = || pairs().filter_map(|band| Some((band.taken.first()?.0, band.taken.last()?.1)));
    let even = |of: fn((f32, f32)) -> f32| {
        let places = || spans().map(of);
        places().fold(f32::NEG_INFINITY, f32::max) - places().fold(f32::INFINITY, f32::min) < FLUSH
    };
    let is_pair = |band: &Band| match band.atoms.as_slice() {
        [Atom::Line(one), Atom::Line(other)] => {
            let is_near = (one.bounds.left - other.bounds.left).abs() < one.size * WIDE;
            [one, other]
                .into_iter()
                .all(|line| is_word(line) && has_letters(line))
                && is_near
        }
        _ => false,
    };
    pairs().count() >= LINES && pairs().all(is_pair) && even(|span| span.0) && even(|span| span.1)
}

/// Returns the left and right edge of the full lines of bands, if there are enough.
pub(super) fn measure(bands: &[Band]) -> Option<(f32, f32)> {
    let mut spans: Vec<(f32, f32)> = bands.iter().filter_map(full).collect();
    spans.sort_by(|one, other| one.1.total_cmp(&other.1));
    let alike = |one: &(f32, f32), other: &(f32, f32)| other.1 - one.1 < FLUSH;
    let most = spans.chunk_by(alike).max_by_key(|spans| spans.len())?;
    let mut lefts: Vec<f32> = most.iter().map(|span| span.0).collect();
    lefts.sort_by(f32::total_cmp);
    let near = |one: &f32, other: &f32| other - one < FLUSH;
    let lefts = lefts.chunk_by(near).max_by_key(|lefts| lefts.len())?;
    let is_told = lefts.len() >= LINES && lefts.len() * 4 >= bands.len();
    lefts
        .first()
        .zip(most.last())
        .filter(|_| is_told)
        .map(|(left, span)| (*left, span.1))
}

/// Returns the extent of the only line of a band, if it has several words.
fn full(band: &Band) -> Option<(f32, f32)> {
    let [Atom::Line(line)] = band.atoms.as_slice() else {
        return None;
    };
    has_words(line).then_some((line.bounds.left, line.bounds.right))
}

fn has_words(line: &Line) -> bool {
    let words = line.pieces.iter().filter(|piece| !piece.is_close);
    words.count() >= WORDS && has_letters(line)
}
