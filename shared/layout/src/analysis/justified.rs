//! Lines of words with much space between them, as they are in narrow columns whose lines are all of one width.

use std::collections::HashMap;

use super::atom::Atom;
use super::band::Band;
use super::bidi;
use super::edges::rows;
use super::line::Line;

/// How unlike spaces are that are the same, and how unlike the widths of words that differ, points.
const SAME: f32 = 0.2;
const UNLIKE: f32 = 1.0;
/// The widest space between words, in parts of the size.
const WIDEST: f32 = 5.0;
/// The widest column of such lines, in parts of the size.
const WIDE: f32 = 20.0;
/// How unlike the edges of full lines are, points.
const FLUSH: f32 = 1.0;
/// How far the first line of a paragraph stands in at most, points, and how many lines that end at one place are looked at.
const INDENT: f32 = 40.0;
const TRIED: usize = 50;
/// The fewest full lines that tell where the lines of a column begin and end, and the fewest words of each.
const LINES: usize = 3;
const WORDS: usize = 2;

/// Makes one line of words on one height that have the same space between all of them though they are not of one width, where
/// other lines end at the same place.
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

/// Where lines of several words begin and end, by the whole points at which they do.
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

    /// Whether enough lines end where words do, and begin near where they begin.
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

/// Whether a line is one word.
fn is_word(line: &Line) -> bool {
    let mut pieces = line.pieces.iter().skip(1);
    !line.is_turned() && pieces.all(|piece| piece.is_close)
}

fn has_letters(line: &Line) -> bool {
    line.glyphs().any(|glyph| glyph.text.is_alphabetic())
}

/// How many words from the first on have the same space between them, which are not all of one width; at least two, or none.
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

/// Whether bands are lines of two words each that are as far from each other as the words leave room for: both sides are even, as
/// no table's are whose columns are of words.
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

/// Where the full lines of bands begin and end, if there are enough of them.
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

/// From where to where the only line of a band reaches, if it has several words.
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
