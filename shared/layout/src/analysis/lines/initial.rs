//! Initials (drop caps): a letter several lines high belongs to the first line next to it.

use std::collections::{BTreeMap, HashSet};

use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::{Piece, is_turned, pieces};
use crate::analysis::lines::line::{Line, lines};

/// Minimum ratio of the size of an initial to the usual text size.
const LARGER: f32 = 1.7;
/// Height of capital letters, as a fraction of the font size.
const CAPITAL: f32 = 0.66;
/// Maximum gap between an initial and its lines, and maximum overlap, as a fraction of their font size.
const GAP: f32 = 1.2;
const OVERLAP: f32 = 0.4;
/// Tolerance for the first and last line of an initial, and maximum distance of a line below its end that is still next to it,
/// as a fraction of the font size.
const LEVEL: f32 = 0.6;
const LOWER: f32 = 1.0;
/// Maximum distance of the next line of the column, as a fraction of the font size.
const BELOW: f32 = 3.0;
/// Maximum number of large letters of a page that are examined.
const TRIED: usize = 16;
/// Letters that are words.
const WORDS: &str = "AIOYÀÉÓВИКОСУЯ";

/// Returns the lines of characters, with initials in the first line of their text.
pub(in crate::analysis) fn lines_of(mut glyphs: Vec<Glyph>) -> Vec<Line> {
    let tried = large_letters(&glyphs);
    if tried.is_empty() {
        return lines(pieces(glyphs));
    }
    let text = lines(pieces(without(&glyphs, &tried)));
    let is_initial = |place: &usize| {
        let letter = glyphs.get(*place);
        letter.is_some_and(|letter| beside(letter, &text).is_some())
    };
    let initials: Vec<usize> = tried.iter().copied().filter(is_initial).collect();
    let mut text = match initials.len() == tried.len() {
        true => text,
        false => lines(pieces(without(&glyphs, &initials))),
    };
    for place in initials.into_iter().rev() {
        let letter = glyphs.remove(place);
        let is_spaced = glyphs
            .get(place)
            .is_some_and(|next| next.text.is_whitespace());
        match beside(&letter, &text) {
            Some(places) => put(letter, is_spaced, &places, &mut text),
            // The lines have changed since the initial was found.
            None => text.extend(lines(pieces(vec![letter]))),
        }
    }
    text
}

fn without(glyphs: &[Glyph], places: &[usize]) -> Vec<Glyph> {
    let glyphs = glyphs.iter().enumerate();
    let kept = glyphs.filter(|(place, _)| !places.contains(place));
    kept.map(|(_, glyph)| glyph.clone()).collect()
}

/// Returns the indices of isolated large letters.
fn large_letters(glyphs: &[Glyph]) -> Vec<usize> {
    let least = usual(glyphs) * LARGER;
    let seen: Vec<(usize, &Glyph)> = glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| !glyph.text.is_whitespace())
        .collect();
    let is_large = |at: &usize| {
        let Some((_, letter)) = seen.get(*at) else {
            return false;
        };
        let before = at.checked_sub(1).and_then(|before| seen.get(before));
        let mut near = before.into_iter().chain(seen.get(at + 1));
        letter.size >= least
            && letter.text.is_alphabetic()
            && !is_turned(letter)
            && !near.any(|(_, other)| is_of_one_word(letter, other))
    };
    let found = (0..seen.len()).filter(is_large).take(TRIED);
    found.filter_map(|at| Some(seen.get(at)?.0)).collect()
}

/// Returns the most frequent font size.
fn usual(glyphs: &[Glyph]) -> f32 {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for glyph in glyphs {
        #[expect(clippy::cast_possible_truncation, reason = "sizes are limited")]
        let key = (glyph.size * 4.0).round() as i32;
        *counts.entry(key).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    #[expect(clippy::cast_precision_loss, reason = "sizes are limited")]
    let size = most.map_or(f32::INFINITY, |(size, _)| size as f32 / 4.0);
    size
}

fn is_of_one_word(letter: &Glyph, other: &Glyph) -> bool {
    (letter.size - other.size).abs() < letter.size * 0.1
        && (letter.baseline - other.baseline).abs() < letter.size * 0.1
        && letter.bounds.shared_width(&other.bounds) > -letter.size
}

/// Returns the lines next to an initial from top to bottom. It is an initial only if it begins with the first line, ends with
/// the last one, and the text continues below it.
fn beside(letter: &Glyph, lines: &[Line]) -> Option<Vec<usize>> {
    let top = letter.baseline - letter.size * CAPITAL;
    let is_beside = |line: &Line| {
        let gap = line.bounds.left - letter.bounds.right;
        is_text(line, letter)
            && (-line.size * OVERLAP..line.size * GAP).contains(&gap)
            && line.baseline > top
            && line.baseline < letter.baseline + line.size * LOWER
    };
    let all = lines.iter().enumerate();
    let mut found: Vec<(usize, &Line)> = all.filter(|(_, line)| is_beside(line)).collect();
    found.sort_by(|(_, one), (_, other)| one.baseline.total_cmp(&other.baseline));
    let ((_, first), (_, last)) = (found.first()?, found.last()?);
    let begins = (first.baseline - first.size * CAPITAL - top).abs() < first.size * LEVEL;
    let is_at_end =
        |(_, line): &(usize, &Line)| (line.baseline - letter.baseline).abs() < line.size * LEVEL;
    let ends = found.iter().any(is_at_end);
    let goes_on = lines.iter().any(|line| is_below(line, letter, last));
    let is_word = first.glyphs().next()?.text.is_alphanumeric();
    (found.len() > 1 && begins && ends && goes_on && is_word)
        .then(|| found.into_iter().map(|(place, _)| place).collect())
}

fn is_text(line: &Line, letter: &Glyph) -> bool {
    !line.is_turned() && line.zone() == letter.zone && line.size * LARGER <= letter.size
}

/// Whether a line is below an initial and below the last line next to it.
fn is_below(line: &Line, letter: &Glyph, last: &Line) -> bool {
    let below = line.baseline - last.baseline;
    is_text(line, letter)
        && (line.bounds.left - letter.bounds.left).abs() < line.size * LEVEL
        && (line.size * LEVEL..line.size * BELOW).contains(&below)
}

/// Adds an initial to its first line, with that line's style; the lines next to it then begin at the initial.
fn put(letter: Glyph, is_spaced: bool, places: &[usize], lines: &mut [Line]) {
    let left = letter.bounds.left;
    let mut text = places.first().and_then(|first| lines.get(*first));
    let piece = text.take().and_then(|first| piece(letter, first));
    let Some(piece) = piece else { return };
    let is_word = is_spaced || is_word(&piece, places, lines);
    for place in places {
        if let Some(line) = lines.get_mut(*place) {
            line.bounds.left = left;
        }
    }
    let first = places.first().and_then(|first| lines.get_mut(*first));
    if let Some(first) = first {
        let next = first.pieces.first_mut();
        next.into_iter().for_each(|next| next.is_close = !is_word);
        first.pieces.insert(0, piece);
    }
}

/// Returns an initial as a piece of a line.
fn piece(letter: Glyph, line: &Line) -> Option<Piece> {
    let like = line.glyphs().next()?.clone();
    let mut bounds = like.bounds;
    (bounds.left, bounds.right) = (letter.bounds.left, like.bounds.left);
    let glyph = Glyph {
        text: letter.text,
        bounds,
        ..like
    };
    Some(Piece {
        bounds,
        baseline: glyph.baseline,
        size: glyph.size,
        glyphs: vec![glyph],
        is_spaced: false,
        is_spaced_left: false,
        is_close: false,
    })
}

/// Whether an initial is a word of its own: it can be one, and the page contains the following word alone but not both joined.
fn is_word(initial: &Piece, places: &[usize], lines: &[Line]) -> bool {
    let first = places.first().and_then(|first| lines.get(*first));
    let next = first.and_then(|first| first.pieces.first());
    let (letter, next) = (initial.text(), next.map(bare).unwrap_or_default());
    let others = lines.iter().flat_map(|line| &line.pieces).map(bare);
    let known: HashSet<String> = others.filter(|word| !word.is_empty()).collect();
    let times = lines.iter().flat_map(|line| &line.pieces);
    let times = times.filter(|piece| bare(piece) == next).count();
    WORDS.contains(&letter)
        && times > 1
        && !known.contains(&format!("{}{next}", letter.to_lowercase()))
}

/// Returns the letters of a piece in lower case.
fn bare(piece: &Piece) -> String {
    let text = piece.text();
    text.trim_matches(|end: char| !end.is_alphanumeric())
        .to_lowercase()
}
