//! Letters with marks whose text the document declares: PDFium divides the area of each part of their drawing among the letter
//! and its marks, and repeats them for each part.

use std::collections::{HashMap, HashSet};

use unicode_bidi::{BidiClass, bidi_class};

use crate::analysis::glyphs::glyph::Glyph;

/// Maximum difference of the widths and distance of characters of one area, points.
const SAME: f32 = 0.3;
/// Maximum distance of the parts of one drawing, as a fraction of the font size.
const NEAR: f32 = 0.7;
/// Maximum distance of neighbors, and of those that it is extended to, as fractions of the font size; their number.
const WIDE: f32 = 1.5;
const REACH: f32 = 0.28;
const BESIDE: usize = 3;
/// Maximum number of equal letters that are compared with one another.
const TRIED: usize = 24;

/// A letter and its marks, in one area.
struct Letter {
    base: usize,
    marks: Vec<usize>,
    left: f32,
    right: f32,
}

/// Attaches marks to their letters, and removes repetitions.
pub(in crate::analysis) fn join(glyphs: &mut Vec<Glyph>) {
    let mut letters = letters(glyphs);
    if letters.is_empty() {
        return;
    }
    // The largest part of a drawing shows the letter itself.
    let height = |letter: &Letter| {
        glyphs
            .get(letter.base)
            .map_or(0.0, |base| base.bounds.height())
    };
    letters.sort_by(|one, other| {
        height(other)
            .total_cmp(&height(one))
            .then(one.base.cmp(&other.base))
    });
    let mut kept: HashMap<(char, i32), Vec<Letter>> = HashMap::new();
    let mut gone: HashSet<usize> = HashSet::new();
    for letter in letters {
        let Some(base) = glyphs.get(letter.base) else {
            continue;
        };
        let strip = strip(base);
        let is_same = |other: &Letter| {
            glyphs.get(other.base).is_some_and(|same| {
                same.text == base.text
                    && other.marks.len() == letter.marks.len()
                    && (same.baseline - base.baseline).abs() < base.size * NEAR
                    && (same.bounds.center().0 - base.bounds.center().0).abs() < base.size * NEAR
            })
        };
        let near = (strip - 1..=strip + 1).filter_map(|strip| kept.get(&(base.text, strip)));
        let is_repeated = near
            .flat_map(|all| all.iter().rev().take(TRIED))
            .any(is_same);
        gone.extend(&letter.marks);
        match is_repeated {
            true => drop(gone.insert(letter.base)),
            false => kept.entry((base.text, strip)).or_default().push(letter),
        }
    }
    let kept: HashMap<usize, Letter> = kept
        .into_values()
        .flatten()
        .map(|letter| (letter.base, letter))
        .collect();
    let others = glyphs
        .iter()
        .enumerate()
        .filter(|(place, _)| !gone.contains(place));
    let lines = Lines::of(others.map(|(place, glyph)| (glyph, !kept.contains_key(&place))));
    let mut joined = Vec::with_capacity(glyphs.len());
    for (place, glyph) in glyphs
        .iter()
        .enumerate()
        .filter(|(place, _)| !gone.contains(place))
    {
        joined.push(glyph.clone());
        let (Some(letter), Some(last)) = (kept.get(&place), joined.last_mut()) else {
            continue;
        };
        (last.bounds.left, last.bounds.right) = (letter.left, letter.right);
        lines.fit(last);
        let (baseline, right) = (last.baseline, last.bounds.right);
        for mark in letter.marks.iter().filter_map(|mark| glyphs.get(*mark)) {
            let mut mark = Glyph {
                baseline,
                ..mark.clone()
            };
            (mark.bounds.left, mark.bounds.right) = (right, right);
            joined.push(mark);
        }
    }
    *glyphs = joined;
}

/// The characters by height, from left to right, and whether their baselines are known.
struct Lines<'g>(HashMap<i32, Vec<(&'g Glyph, bool)>>);

impl<'g> Lines<'g> {
    fn of(glyphs: impl Iterator<Item = (&'g Glyph, bool)>) -> Self {
        let mut lines: HashMap<i32, Vec<(&Glyph, bool)>> = HashMap::new();
        for (glyph, is_known) in glyphs.filter(|(glyph, _)| glyph.bounds.height() > 0.0) {
            lines
                .entry(strip(glyph))
                .or_default()
                .push((glyph, is_known));
        }
        for line in lines.values_mut() {
            line.sort_by(|(one, _), (other, _)| one.bounds.left.total_cmp(&other.bounds.left));
        }
        Self(lines)
    }

    /// Moves a letter to the line beside it, and extends it to its neighbors: its area is only that of a part of it.
    fn fit(&self, letter: &mut Glyph) {
        let (x, _) = letter.bounds.center();
        let is_near = |(glyph, _): &&(&Glyph, bool)| {
            let apart = (glyph.bounds.center().0 - x).abs();
            (glyph.baseline - letter.baseline).abs() < letter.size * NEAR
                && (0.01..letter.size * WIDE).contains(&apart)
        };
        let strip = strip(letter);
        let near = (strip - 1..=strip + 1).filter_map(|strip| self.0.get(&strip));
        let beside = near.flat_map(|line| {
            let place = line.partition_point(|(glyph, _)| glyph.bounds.center().0 < x);
            let (before, after) = line.split_at_checked(place).unwrap_or_default();
            let before = before.iter().rev().take(BESIDE);
            let all = before.chain(after.iter().take(BESIDE));
            all.filter(is_near).copied().collect::<Vec<_>>()
        });
        let beside: Vec<(&Glyph, bool)> = beside.collect();
        let apart = |glyph: &Glyph| (glyph.bounds.center().0 - x).abs();
        let known = beside.iter().filter(|(_, is_known)| *is_known);
        let nearest = known.min_by(|(one, _), (other, _)| apart(one).total_cmp(&apart(other)));
        letter.baseline = nearest.map_or(letter.baseline, |(glyph, _)| glyph.baseline);
        let reach = letter.size * REACH;
        let sides = beside.iter().map(|(glyph, _)| glyph.bounds);
        let left = sides
            .clone()
            .filter(|other| other.center().0 < x)
            .map(|other| other.right);
        let right = sides
            .filter(|other| other.center().0 > x)
            .map(|other| other.left);
        let (left, right) = (
            left.fold(f32::MIN, f32::max),
            right.fold(f32::MAX, f32::min),
        );
        let bounds = &mut letter.bounds;
        if (0.0..reach).contains(&(bounds.left - left)) {
            bounds.left = left;
        }
        if (0.0..reach).contains(&(right - bounds.right)) {
            bounds.right = right;
        }
    }
}

fn strip(glyph: &Glyph) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let strip = (glyph.baseline / glyph.size.max(1.0)).floor() as i32;
    strip
}

/// Returns the letters that share an area with marks.
fn letters(glyphs: &[Glyph]) -> Vec<Letter> {
    let is_mark = |glyph: &Glyph| bidi_class(glyph.text) == BidiClass::NSM;
    if !glyphs
        .iter()
        .any(|glyph| is_mark(glyph) && !glyph.is_attached())
    {
        return Vec::new();
    }
    let mut areas: HashMap<[u32; 3], Vec<(usize, &Glyph)>> = HashMap::new();
    for (place, glyph) in glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| !glyph.is_attached())
    {
        let bounds = [glyph.baseline, glyph.bounds.top, glyph.bounds.bottom];
        areas
            .entry(bounds.map(f32::to_bits))
            .or_default()
            .push((place, glyph));
    }
    let mut letters = Vec::new();
    for mut area in areas.into_values() {
        area.sort_by(|(_, one), (_, other)| one.bounds.left.total_cmp(&other.bounds.left));
        let is_one = |(_, one): &(usize, &Glyph), (_, other): &(usize, &Glyph)| {
            (other.bounds.left - one.bounds.right).abs() < SAME
                && (other.bounds.width() - one.bounds.width()).abs() < SAME
        };
        for all in area.chunk_by(is_one) {
            let (marks, bases): (Vec<_>, Vec<_>) =
                all.iter().partition(|(_, glyph)| is_mark(glyph));
            let ((Some((_, first)), Some((_, last))), [(base, letter)]) =
                ((all.first(), all.last()), bases.as_slice())
            else {
                continue;
            };
            if !marks.is_empty() && letter.text.is_alphabetic() {
                letters.push(Letter {
                    base: *base,
                    marks: marks.into_iter().map(|(place, _)| place).collect(),
                    left: first.bounds.left,
                    right: last.bounds.right,
                });
            }
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::glyphs::clean;
    use crate::model::geometry::{Rect, Size};
    use crate::model::page_content::{Character, Font, PageContent};
    use crate::model::structure::Tag;

    #[test]
    fn repeated_letters_are_read_once_and_marks_follow_them() {
        let font = std::sync::Arc::<Font>::default();
        // The second pair is the drawing of the mark alone, above the line.
        let drawn = [
            ('ا', 20.0, 22.0, 15.0, 20.0, 20.0),
            ('.', 14.0, 16.0, 10.0, 22.0, 20.0),
            ('ً', 18.0, 20.0, 15.0, 20.0, 20.0),
            ('ا', 19.0, 20.0, 12.0, 14.0, 18.0),
            ('ً', 18.0, 19.0, 12.0, 14.0, 18.0),
        ];
        let characters = drawn.map(|(text, left, right, top, bottom, baseline)| Character {
            text,
            bounds: Rect::between((left, top), (right, bottom)),
            baseline,
            start: left,
            advance: right - left,
            size: 10.0,
            font: font.clone(),
            color: [0; 3],
            angle: 0.0,
            is_hidden: false,
            tag: Tag::None,
        });
        let mut glyphs = clean::glyphs(&PageContent {
            size: Size {
                width: 100.0,
                height: 100.0,
            },
            characters: characters.to_vec(),
            ..PageContent::default()
        });
        join(&mut glyphs);
        let read: String = glyphs.iter().map(|glyph| glyph.text).collect();
        assert_eq!(read, "اً.");
        assert!(glyphs[1].is_attached() && glyphs[0].bounds.left <= 18.0);
    }
}
