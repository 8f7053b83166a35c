//! Inserts spaces between words that are drawn as separate text objects.

use layout::{Character, Rect};

/// Minimum gap between words, relative to the font size. Kerned letters have smaller gaps.
const MIN_GAP: f32 = 0.12;
/// Maximum vertical offset of letters on one line, relative to the font size.
const MAX_OFFSET: f32 = 0.3;
/// Minimum difference between the gap of two words and that of two letters, relative to the font size.
const MIN_DIFFERENCE: f32 = 0.08;
/// Maximum gap between letters that are spaced out, relative to the font size.
const MAX_SPACING: f32 = 0.5;
/// Number of pairs of characters that are searched for one of letters.
const MAX_PAIRS: usize = 8;

/// Returns the space between the characters so far and the next one, if they are on a horizontal line and the gap is wide
/// enough. It belongs to the element of the character before it.
pub(super) fn space(characters: &[Character], after: &Character) -> Option<Character> {
    let before = characters.last()?;
    let size = before.size.min(after.size);
    let gap = gap(before, after)?;
    // Letters that are spaced out have equal gaps.
    let pairs = characters.windows(2).rev().take(MAX_PAIRS);
    let of_letters = pairs.filter_map(pair_gap).next();
    let of_letters = of_letters.filter(|letters| *letters <= size * MAX_SPACING);
    let is_wider = of_letters.is_none_or(|letters| gap >= letters + size * MIN_DIFFERENCE);
    (gap >= size * MIN_GAP && is_wider).then(|| Character {
        text: ' ',
        bounds: match before.bounds.left < after.bounds.left {
            true => Rect::between(
                (before.bounds.right, before.bounds.top),
                (after.bounds.left, before.bounds.bottom),
            ),
            false => Rect::between(
                (after.bounds.right, before.bounds.top),
                (before.bounds.left, before.bounds.bottom),
            ),
        },
        start: match before.bounds.left < after.bounds.left {
            true => before.bounds.right,
            false => after.bounds.right,
        },
        advance: 0.0,
        ..before.clone()
    })
}

fn pair_gap(pair: &[Character]) -> Option<f32> {
    match pair {
        [one, other] => gap(one, other),
        _ => None,
    }
}

/// Returns the gap between two visible characters of a horizontal line.
fn gap(before: &Character, after: &Character) -> Option<f32> {
    let size = before.size.min(after.size);
    let is_level = (before.baseline - after.baseline).abs() <= size * MAX_OFFSET;
    let is_upright = before.angle == after.angle && after.angle < f32::EPSILON;
    // Marks are drawn at any place above or below their letters.
    let is_other = |one: &Character| one.text.is_whitespace() || is_mark(one.text);
    let either = is_other(before) || is_other(after);
    // Text from right to left is drawn to the left.
    let (to_right, to_left) = (
        after.bounds.left - before.bounds.right,
        before.bounds.left - after.bounds.right,
    );
    (is_level && is_upright && !either).then_some(to_right.max(to_left))
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
        let space = space(&before, &character('c', 12.5, 2)).unwrap();
        assert_eq!((space.text, space.tag), (' ', Tag::Content(1)));
        assert_eq!((space.bounds.left, space.bounds.right), (10.0, 12.5));
        assert!(super::space(&before, &character('c', 11.0, 1)).is_none());
        assert!(super::space(&[], &character('c', 12.5, 1)).is_none());
        let from_right = [character('ب', 30.0, 1), character('ا', 25.0, 1)];
        let space = super::space(&from_right, &character('د', 17.5, 2)).unwrap();
        assert_eq!((space.bounds.left, space.bounds.right), (22.5, 25.0));
        assert!(super::space(&from_right, &character('\u{64e}', 17.5, 2)).is_none());
    }

    #[test]
    fn letters_that_are_spaced_out_are_one_word() {
        let before = [character('a', 0.0, 1), character('b', 6.5, 1)];
        assert!(space(&before, &character('c', 13.0, 1)).is_none());
        assert!(space(&before, &character('c', 15.0, 1)).is_some());
        let next = [character(' ', 11.5, 1), character('c', 16.5, 1)];
        let before = before.into_iter().chain(next);
        assert!(space(&Vec::from_iter(before), &character('d', 23.0, 1)).is_none());
    }
}
