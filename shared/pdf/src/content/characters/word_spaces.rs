//! Inserts spaces between words that are drawn as separate text objects.

use layout::{Character, Rect};
use unicode_bidi::{BidiClass, bidi_class};

/// Minimum gap between words, relative to the font size. Kerned letters have smaller gaps.
const MIN_GAP: f32 = 0.12;
/// Maximum vertical offset of letters on one line, relative to the font size.
const MAX_OFFSET: f32 = 0.3;
/// Minimum difference between the gap of two words and that of two letters, relative to the font size.
const MIN_DIFFERENCE: f32 = 0.08;
/// Maximum gap between letters that are spaced out, relative to the font size.
const MAX_SPACING: f32 = 0.5;
/// Maximum gap between right-to-left words that needs a space, relative to the font size: a wider one separates words by itself.
const MAX_SPACE: f32 = 0.4;
/// Number of characters that are searched for the nearest one.
const MAX_RECENT: usize = 32;
/// Maximum number of marks per letter.
const MARKS: usize = 4;
/// Number of pairs of characters that are searched for one of letters.
const MAX_PAIRS: usize = 8;

/// Returns the space between the characters so far and the next one, if they are on a horizontal line and the gap is wide
/// enough. It belongs to the element of the character before it.
///
/// With `by_place`, the letters of a right-to-left word may be in any order, and their bounds are those of letters without marks.
pub(super) fn space(
    characters: &[Character],
    after: &Character,
    by_place: bool,
) -> Option<Character> {
    let before = match by_place {
        true => neighbor(characters, after)?,
        false => characters.last()?,
    };
    let size = before.size.min(after.size);
    let gap = gap(before, after)?;
    // Letters that are spaced out have equal gaps.
    let pairs = characters.windows(2).rev().take(MAX_PAIRS);
    let of_letters = pairs.filter_map(pair_gap).next();
    let of_letters = of_letters.filter(|letters| *letters <= size * MAX_SPACING);
    let is_wider = of_letters.is_none_or(|letters| gap >= letters + size * MIN_DIFFERENCE);
    let (left, right) = match before.bounds.left < after.bounds.left {
        true => (before.bounds.right, after.bounds.left),
        false => (after.bounds.right, before.bounds.left),
    };
    let bounds = Rect::between((left, before.bounds.top), (right, before.bounds.bottom));
    // Where PDFium jumps within a right-to-left word, to another cell of a row or back, its other letters follow later.
    let is_jump = by_place && is_from_right(before.text) && gap > size * MAX_SPACE;
    (gap >= size * MIN_GAP && is_wider && !is_jump).then(|| Character {
        text: ' ',
        bounds,
        start: left,
        advance: 0.0,
        ..before.clone()
    })
}

/// Returns the letter before the next one: the last one or, in right-to-left text, the nearest one on its side.
fn neighbor<'c>(characters: &'c [Character], after: &Character) -> Option<&'c Character> {
    let recent = characters.iter().rev().take(MAX_RECENT * MARKS);
    let mut bases = recent.filter(|one| !is_mark(one.text));
    let last = bases.next()?;
    if !is_from_right(last.text) || !is_level(last, after) {
        return Some(last);
    }
    let distance = |one: &Character| one.bounds.center().0 - after.bounds.center().0;
    let side = distance(last).signum();
    let near = bases.take(MAX_RECENT).filter(|one| is_level(one, after));
    let near = near.filter(|one| distance(one) * side > 0.0);
    near.chain([last])
        .min_by(|one, other| distance(one).abs().total_cmp(&distance(other).abs()))
}

/// Whether a character is a letter of a right-to-left script.
pub(in super::super) fn is_from_right(text: char) -> bool {
    matches!(bidi_class(text), BidiClass::R | BidiClass::AL)
}

fn is_level(one: &Character, other: &Character) -> bool {
    (one.baseline - other.baseline).abs() <= one.size.min(other.size) * MAX_OFFSET
}

fn pair_gap(pair: &[Character]) -> Option<f32> {
    match pair {
        [one, other] => gap(one, other),
        _ => None,
    }
}

/// Returns the gap between two visible characters of a horizontal line.
fn gap(before: &Character, after: &Character) -> Option<f32> {
    let is_upright = before.angle == after.angle && after.angle < f32::EPSILON;
    // Marks are drawn at any place above or below their letters.
    let is_other = |one: &Character| one.text.is_whitespace() || is_mark(one.text);
    let either = is_other(before) || is_other(after);
    // Text from right to left is drawn to the left.
    let (to_right, to_left) = (
        after.bounds.left - before.bounds.right,
        before.bounds.left - after.bounds.right,
    );
    (is_level(before, after) && is_upright && !either).then_some(to_right.max(to_left))
}

/// Whether a character is a mark of an Arabic or Hebrew letter, such as a vowel.
fn is_mark(text: char) -> bool {
    matches!(text, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}')
}

#[cfg(test)]
mod tests {
    use layout::Tag;

    use super::super::samples::character;
    use super::*;

    #[test]
    fn words_of_different_elements_have_a_space_between_them() {
        let before = [character('a', 0.0, 1), character('b', 5.0, 1)];
        let space = space(&before, &character('c', 12.5, 2), false).unwrap();
        assert_eq!((space.text, space.tag), (' ', Tag::Content(1)));
        assert_eq!((space.bounds.left, space.bounds.right), (10.0, 12.5));
        assert!(super::space(&before, &character('c', 11.0, 1), false).is_none());
        assert!(super::space(&[], &character('c', 12.5, 1), false).is_none());
        let from_right = [character('ب', 30.0, 1), character('ا', 25.0, 1)];
        let space = super::space(&from_right, &character('د', 17.5, 2), false).unwrap();
        assert_eq!((space.bounds.left, space.bounds.right), (22.5, 25.0));
        assert!(super::space(&from_right, &character('\u{64e}', 17.5, 2), false).is_none());
    }

    #[test]
    fn words_that_end_with_a_mark_have_a_space_after_their_letter() {
        let before = ['ب', 'ا', '\u{64e}'].into_iter().zip([30.0, 25.0, 25.0]);
        let before = Vec::from_iter(before.map(|(text, left)| character(text, left, 1)));
        assert!(super::space(&before, &character('د', 17.5, 2), false).is_none());
        let space = space(&before, &character('د', 17.5, 2), true).unwrap();
        assert_eq!((space.bounds.left, space.bounds.right), (22.5, 25.0));
    }

    #[test]
    fn right_to_left_words_have_a_space_after_their_nearest_letter() {
        let before = [40.0, 30.0, 35.0].map(|left| character('ب', left, 1));
        assert!(space(&before, &character('د', 25.0, 2), true).is_none());
        let space = space(&before, &character('د', 22.0, 2), true).unwrap();
        assert_eq!((space.bounds.left, space.bounds.right), (27.0, 30.0));
        // Text of another cell.
        assert!(super::space(&before, &character('2', 3.0, 2), true).is_none());
    }

    #[test]
    fn letters_that_are_spaced_out_are_one_word() {
        let before = [character('a', 0.0, 1), character('b', 6.5, 1)];
        assert!(space(&before, &character('c', 13.0, 1), false).is_none());
        assert!(space(&before, &character('c', 15.0, 1), false).is_some());
        let next = [character(' ', 11.5, 1), character('c', 16.5, 1)];
        let before = before.into_iter().chain(next);
        assert!(space(&Vec::from_iter(before), &character('d', 23.0, 1), false).is_none());
    }
}
