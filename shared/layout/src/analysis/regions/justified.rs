//! Justified lines with wide word spaces in narrow columns.

use std::collections::HashMap;

use crate::analysis::glyphs::bidi;
use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::survey::headers_footers::rows;

/// Tolerance for equal spaces, and minimum difference of unequal word widths, points.
const SAME: f32 = 0.2;
const UNLIKE: f32 = 1.0;
/// Maximum word space, as a fraction of the font size.
const WIDEST: f32 = 5.0;
/// Maximum first-line indent, points, and maximum number of lines with the same end that are examined.
const INDENT: f32 = 40.0;
const TRIED: usize = 50;
/// Minimum number of full lines that determine the edges of a column, and minimum number of words of each.
const LINES: usize = 3;
const WORDS: usize = 2;

/// Merges words on one baseline to a line if their spaces are equal although their widths differ, and other lines have the same
/// end.
pub(in crate::analysis) fn whole(atoms: Vec<Atom>) -> Vec<Atom> {
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
        let count = match bidi::is_mostly_from_right(words.iter().flat_map(Line::glyphs)) {
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

fn has_words(line: &Line) -> bool {
    let words = line.pieces.iter().filter(|piece| !piece.is_close);
    words.count() >= WORDS && has_letters(line)
}
