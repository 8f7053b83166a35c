//! Letters whose text the document declares (`ActualText`): their bounds are those of the ink of one part of their drawing, which
//! PDFium divides among the letter and its marks.

use std::collections::{HashMap, HashSet};

use unicode_bidi::{BidiClass, bidi_class};

use crate::analysis::glyphs::glyph::Glyph;

/// Maximum difference of the widths and distance of characters of one area, points.
const SAME: f32 = 0.3;
/// Maximum distance of the parts of one drawing from the baseline, as a fraction of the font size.
const NEAR: f32 = 0.7;
/// Maximum distance of the parts of one drawing from one another, as a fraction of the font size.
const ASIDE: f32 = 0.1;
/// Maximum distance of the character that shows the baseline, as a fraction of the font size, and number of those examined.
const WIDE: f32 = 6.0;
const NEIGHBORS: usize = 6;
/// Usual distance of the ink of a letter, and of its marks alone, from the edge of the letter, as fractions of the font size;
/// and from a neighbor whose edge is known.
const INK: f32 = 0.02;
const MARKS: f32 = 0.065;
const MARKS_BESIDE: f32 = 0.08;
/// Maximum distance of a letter from the one before it if no word begins between them, as a fraction of the font size.
const BOUND: f32 = 0.46;
/// Maximum distance of the origin of a letter from its ink, as a fraction of the font size.
const ORIGIN: f32 = 0.25;
/// Maximum distance from the baseline of a letter that is not raised, as a fraction of the font size.
const LEVEL: f32 = 0.02;
/// Maximum number of equal letters that are compared with one another.
const TRIED: usize = 24;

/// The letter of the article, and first one of the most frequent ligatures.
const LAM: char = 'ل';
/// A letter that begins no word.
const LAST: char = 'ة';

/// A letter or ligature and its marks, in one area.
struct Letter {
    /// Indices in logical order; the first is a letter.
    parts: Vec<usize>,
    is_ligature: bool,
    left: f32,
    right: f32,
}

/// Attaches marks to their letters, removes repetitions, and extends the bounds of ink to those of letters.
pub(in crate::analysis) fn join(glyphs: &mut Vec<Glyph>) {
    let is_open = |glyph: &Glyph| bidi_class(glyph.text) == BidiClass::AL && !glyph.is_attached();
    if !glyphs.iter().any(is_open) {
        return;
    }
    let letters = letters(glyphs);
    let parts: HashSet<usize> = letters.iter().flat_map(|one| &one.parts).copied().collect();
    for (place, glyph) in glyphs.iter_mut().enumerate() {
        if is_open(glyph) && !parts.contains(&place) {
            reach_origin(glyph);
        }
    }
    if letters.is_empty() {
        return;
    }
    let mut kept: HashMap<usize, Letter> = without_repetitions(letters, glyphs)
        .into_iter()
        .filter_map(|letter| Some((*letter.parts.first()?, letter)))
        .collect();
    let mut signs: Vec<Sign> = Vec::new();
    for (place, glyph) in glyphs.iter_mut().enumerate() {
        let letter = kept.get(&place);
        if let Some(letter) = letter {
            (glyph.bounds.left, glyph.bounds.right) = (letter.left, letter.right);
        }
        // PDFium adds spaces as wide as the distance of lines.
        let is_space = glyph.text.is_whitespace() && glyph.bounds.width() > glyph.size;
        let is_known = !parts.contains(&place) && !glyph.is_attached() && !is_space;
        if letter.is_some() || is_known {
            signs.push(Sign::of(place, glyph, letter));
        }
    }
    level(&mut signs);
    extend(&mut signs);
    let mut signs: HashMap<usize, Sign> =
        signs.into_iter().map(|sign| (sign.place, sign)).collect();
    let mut joined = Vec::with_capacity(glyphs.len());
    for (place, glyph) in glyphs.iter().enumerate() {
        let Some((letter, sign)) = kept.remove(&place).zip(signs.remove(&place)) else {
            if !parts.contains(&place) {
                joined.push(glyph.clone());
            }
            continue;
        };
        let end = if glyph.is_mirrored {
            sign.right
        } else {
            sign.left
        };
        let parts = letter.parts.iter().filter_map(|part| glyphs.get(*part));
        for (index, mut part) in parts.cloned().enumerate() {
            part.baseline = sign.baseline;
            (part.bounds.left, part.bounds.right) = match index {
                0 => (sign.left, sign.right),
                _ => (end, end),
            };
            joined.push(part);
        }
    }
    *glyphs = joined;
}

/// Extends a letter to the origin of its drawing, which is next to its ink.
fn reach_origin(glyph: &mut Glyph) {
    let reach = glyph.size * ORIGIN;
    let Glyph { bounds, origin, .. } = glyph;
    if (bounds.left - reach..bounds.right + reach).contains(origin) {
        bounds.left = bounds.left.min(*origin);
        bounds.right = bounds.right.max(*origin);
    }
}

/// Removes letters that are repeated for another part of their drawing. The largest part shows the letter itself.
fn without_repetitions(mut letters: Vec<Letter>, glyphs: &[Glyph]) -> Vec<Letter> {
    let first = |letter: &Letter| letter.parts.first().and_then(|first| glyphs.get(*first));
    let height = |letter: &Letter| first(letter).map_or(0.0, |first| first.bounds.height());
    letters.sort_by(|one, other| {
        height(other)
            .total_cmp(&height(one))
            .then(one.parts.cmp(&other.parts))
    });
    let text = |letter: &Letter| -> String {
        let parts = letter.parts.iter().filter_map(|part| glyphs.get(*part));
        parts.map(|glyph| glyph.text).collect()
    };
    let mut kept: HashMap<(String, i32), Vec<Letter>> = HashMap::new();
    for letter in letters {
        let Some(base) = first(&letter) else { continue };
        let (text, strip) = (text(&letter), strip(base.baseline, base.size));
        let is_same = |other: &Letter| {
            first(other)
                .is_some_and(|same| (same.baseline - base.baseline).abs() < base.size * NEAR)
                && letter.left < other.right + base.size * ASIDE
                && other.left < letter.right + base.size * ASIDE
                && {
                    let (x, other_x) = (letter.left + letter.right, other.left + other.right);
                    let widest = (letter.right - letter.left).max(other.right - other.left);
                    (x - other_x).abs() <= widest + base.size * ASIDE * 2.0
                }
        };
        let mut near = (strip - 1..=strip + 1).filter_map(|strip| kept.get(&(text.clone(), strip)));
        if !near.any(|all| all.iter().rev().take(TRIED).any(is_same)) {
            kept.entry((text, strip)).or_default().push(letter);
        }
    }
    kept.into_values().flatten().collect()
}

/// A letter or another character on its line.
struct Sign {
    place: usize,
    text: char,
    left: f32,
    right: f32,
    baseline: f32,
    size: f32,
    is_mirrored: bool,
    /// Whether its bounds are those of ink, and may be those of its marks alone.
    is_ink: bool,
    /// Whether no word begins with it, or its marks are at the end of a ligature.
    is_bound: bool,
    /// Whether it is drawn apart from the baseline: its bounds are those of its marks alone.
    is_raised: bool,
}

impl Sign {
    fn of(place: usize, glyph: &Glyph, letter: Option<&Letter>) -> Self {
        Self {
            place,
            text: glyph.text,
            left: glyph.bounds.left,
            right: glyph.bounds.right,
            baseline: glyph.baseline,
            size: glyph.size,
            is_mirrored: glyph.is_mirrored,
            is_ink: letter.is_some(),
            is_bound: letter.is_some_and(|letter| letter.is_ligature || glyph.text == LAST),
            is_raised: false,
        }
    }

    /// Returns the usual distance of the ink from the edge of the letter on the side of a neighbor.
    fn reach(&self, neighbor: &Self) -> f32 {
        let part = match (self.is_raised, neighbor.is_ink) {
            (true, true) => MARKS,
            (true, false) => MARKS_BESIDE,
            (false, _) if self.is_ink => INK,
            (false, _) => 0.0,
        };
        part * self.size
    }

    fn center(&self) -> f32 {
        f32::midpoint(self.left, self.right)
    }
}

/// Moves letters to the baseline of the nearest other character: those whose marks are drawn first are at the height of these.
fn level(signs: &mut [Sign]) {
    let mut lines: HashMap<i32, Vec<(f32, f32)>> = HashMap::new();
    for sign in signs
        .iter()
        .filter(|sign| !sign.is_ink && !sign.text.is_whitespace())
    {
        let line = lines.entry(strip(sign.baseline, sign.size)).or_default();
        line.push((sign.center(), sign.baseline));
    }
    for line in lines.values_mut() {
        line.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    for sign in signs.iter_mut().filter(|sign| sign.is_ink) {
        let (x, strip) = (sign.center(), strip(sign.baseline, sign.size));
        let near = (strip - 1..=strip + 1).filter_map(|strip| lines.get(&strip));
        let neighbors = near.flat_map(|line| {
            let place = line.partition_point(|(center, _)| *center < x);
            let from = place.saturating_sub(NEIGHBORS);
            line.iter().skip(from).take(NEIGHBORS * 2)
        });
        let neighbors = neighbors.filter(|(center, baseline)| {
            (baseline - sign.baseline).abs() < sign.size * NEAR
                && (center - x).abs() < sign.size * WIDE
        });
        let nearest =
            neighbors.min_by(|one, other| (one.0 - x).abs().total_cmp(&(other.0 - x).abs()));
        let baseline = nearest.map_or(sign.baseline, |(_, baseline)| *baseline);
        sign.is_raised = (baseline - sign.baseline).abs() > sign.size * LEVEL;
        sign.baseline = baseline;
    }
}

/// Extends letters to their neighbors on the line.
fn extend(signs: &mut [Sign]) {
    signs.sort_by(|one, other| {
        one.baseline
            .total_cmp(&other.baseline)
            .then(one.center().total_cmp(&other.center()))
    });
    for place in 1..signs.len() {
        let Some([one, other]) = signs.get_mut(place - 1..=place) else {
            continue;
        };
        let gap = other.left - one.right;
        if gap <= 0.0 || (one.baseline - other.baseline).abs() >= 0.1 {
            continue;
        }
        let (before, after) = if one.is_mirrored {
            (&*one, &*other)
        } else {
            (&*other, &*one)
        };
        let is_bound = after.is_ink
            && (after.is_bound || !before.is_ink && before.text == LAM)
            && gap < after.size * BOUND;
        let reach = (one.reach(other), other.reach(one));
        let all = reach.0 + reach.1;
        if all > 0.0 {
            // A wider gap is that between words, less the parts of the letters that are not seen.
            let part = if is_bound {
                gap / all
            } else {
                (gap / all).min(1.0)
            };
            one.right += reach.0 * part;
            other.left -= reach.1 * part;
        }
    }
}

fn strip(baseline: f32, size: f32) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let strip = (baseline / size.max(1.0)).floor() as i32;
    strip
}

/// Returns the letters that share an area with marks.
fn letters(glyphs: &[Glyph]) -> Vec<Letter> {
    let is_mark = |glyph: &Glyph| bidi_class(glyph.text) == BidiClass::NSM;
    let mut open = glyphs.iter().filter(|glyph| !glyph.is_attached());
    if !open.any(is_mark) {
        return Vec::new();
    }
    let mut areas: HashMap<[u32; 3], Vec<(usize, &Glyph)>> = HashMap::new();
    for (place, glyph) in glyphs.iter().enumerate() {
        let bounds = [glyph.baseline, glyph.bounds.top, glyph.bounds.bottom];
        if !glyph.is_attached() {
            let area = areas.entry(bounds.map(f32::to_bits)).or_default();
            area.push((place, glyph));
        }
    }
    let mut letters = Vec::new();
    for mut area in areas.into_values() {
        area.sort_by(|(_, one), (_, other)| one.bounds.left.total_cmp(&other.bounds.left));
        let is_one = |(_, one): &(usize, &Glyph), (_, other): &(usize, &Glyph)| {
            (other.bounds.left - one.bounds.right).abs() < SAME
                && (other.bounds.width() - one.bounds.width()).abs() < SAME
        };
        for all in area.chunk_by(is_one) {
            let (Some((_, first)), Some((_, last))) = (all.first(), all.last()) else {
                continue;
            };
            let is_letter = |glyph: &Glyph| glyph.text.is_alphabetic() && !is_mark(glyph);
            let has = |is: &dyn Fn(&Glyph) -> bool| all.iter().any(|(_, glyph)| is(glyph));
            if has(&is_mark) && has(&is_letter) && !has(&|one| !is_mark(one) && !is_letter(one)) {
                letters.push(Letter {
                    parts: in_logical_order(all, is_mark),
                    is_ligature: all.iter().filter(|(_, one)| is_letter(one)).count() > 1,
                    left: first.bounds.left,
                    right: last.bounds.right,
                });
            }
        }
    }
    letters
}

/// Returns the characters of an area in logical order. PDFium divides it from either side: a letter comes before its marks, and
/// in the ligatures of two letters a lam comes first.
fn in_logical_order(area: &[(usize, &Glyph)], is_mark: impl Fn(&Glyph) -> bool) -> Vec<usize> {
    let mut order: Vec<(usize, &Glyph)> = area.to_vec();
    if area.first().is_some_and(|(_, glyph)| !glyph.is_mirrored) {
        order.reverse();
    }
    let begins = |order: &[(usize, &Glyph)]| {
        let letter = order.iter().find(|(_, glyph)| !is_mark(glyph));
        let has_lam = order.iter().any(|(_, glyph)| glyph.text == LAM);
        order.first().is_some_and(|(_, first)| !is_mark(first))
            && letter.is_some_and(|(_, letter)| !has_lam || letter.text == LAM)
    };
    if !begins(&order) {
        order.reverse();
        if order.first().is_some_and(|(_, first)| is_mark(first)) {
            order.sort_by_key(|(_, glyph)| is_mark(glyph));
        }
    }
    order.into_iter().map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::glyphs::sample;

    fn read(drawn: &[sample::Drawn]) -> (String, Vec<Glyph>) {
        let mut glyphs = sample::glyphs(drawn);
        join(&mut glyphs);
        let text = glyphs.iter().map(|glyph| glyph.text).collect();
        (text, glyphs)
    }

    #[test]
    fn repeated_letters_are_read_once_and_marks_follow_them() {
        // The second pair is the drawing of the mark alone, above the line.
        let (read, glyphs) = read(&[
            ('ا', 20.0, 22.0, 15.0, 20.0, 20.0),
            ('.', 14.0, 16.0, 10.0, 22.0, 20.0),
            ('ً', 18.0, 20.0, 15.0, 20.0, 20.0),
            ('ا', 19.0, 20.0, 12.0, 14.0, 18.0),
            ('ً', 18.0, 19.0, 12.0, 14.0, 18.0),
        ]);
        assert_eq!(read, "اً.");
        assert!(glyphs[1].is_attached() && glyphs[0].bounds.left <= 18.0);
    }

    #[test]
    fn equal_letters_beside_one_another_are_both_read() {
        let (read, _) = read(&[
            ('ب', 23.0, 25.0, 15.0, 20.0, 20.0),
            ('َ', 21.0, 23.0, 15.0, 20.0, 20.0),
            ('ب', 18.8, 20.8, 15.1, 20.0, 20.0),
            ('َ', 16.8, 18.8, 15.1, 20.0, 20.0),
        ]);
        assert_eq!(read, "بَبَ");
    }

    #[test]
    fn ligatures_with_marks_are_read_from_either_side() {
        for places in [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]] {
            let area = ['ل', 'أ', 'َ'].into_iter().zip(places);
            let drawn = area.map(|(text, left)| (text, left, left + 1.0, 10.0, 12.0, 15.0));
            let (read, _) = read(&drawn.collect::<Vec<_>>());
            assert_eq!(read, "لأَ");
        }
    }

    #[test]
    fn a_letter_drawn_by_its_mark_is_extended_to_its_neighbors_on_the_line() {
        let (_, glyphs) = read(&[
            ('س', 30.0, 40.0, 10.0, 22.0, 20.0),
            ('ق', 24.0, 26.0, 10.0, 12.0, 16.0),
            ('َ', 26.0, 28.0, 10.0, 12.0, 16.0),
            ('ا', 20.0, 23.0, 10.0, 22.0, 20.0),
            (' ', 17.0, 20.0, 10.0, 22.0, 20.0),
        ]);
        let letter = &glyphs[1].bounds;
        assert_eq!(glyphs[1].baseline, 20.0);
        // Most of the gaps to the neighbors is closed.
        assert!((23.0..23.5).contains(&letter.left), "{letter:?}");
        assert!((28.5..30.0).contains(&letter.right), "{letter:?}");
    }
}
