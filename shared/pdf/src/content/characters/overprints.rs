//! Letters and the accents, slashes and circles that are drawn over them as characters of their own, as TeX does.

use layout::Character;
use unicode_normalization::char::compose;

/// Accents as spacing characters, and their combining characters.
const ACCENTS: [(char, char); 17] = [
    ('`', '\u{300}'),
    ('´', '\u{301}'),
    ('^', '\u{302}'),
    ('ˆ', '\u{302}'),
    ('~', '\u{303}'),
    ('˜', '\u{303}'),
    ('¯', '\u{304}'),
    ('˘', '\u{306}'),
    ('˙', '\u{307}'),
    ('¨', '\u{308}'),
    ('˚', '\u{30a}'),
    ('˝', '\u{30b}'),
    ('ˇ', '\u{30c}'),
    ('¸', '\u{327}'),
    ('˛', '\u{328}'),
    ('\u{337}', '\u{337}'),
    ('\u{338}', '\u{338}'),
];
/// Letters that are drawn in a circle or below an accent, and the characters that the pairs stand for.
const PAIRS: [(char, char, char); 8] = [
    ('◯', 'c', '©'),
    ('◯', 'C', '©'),
    ('◯', 'R', '®'),
    ('◯', 'r', '®'),
    ('◯', 'P', '℗'),
    ('◯', 'p', '℗'),
    ('\u{337}', 'l', 'ł'),
    ('\u{337}', 'L', 'Ł'),
];
/// Maximum distance of their baselines, relative to the font size.
const MAX_OFFSET: f32 = 0.4;

/// Joins a character to the one before it if one of them is a letter and the other one a mark over it. Returns whether it did.
pub(super) fn join(characters: &mut Vec<Character>, next: &Character) -> bool {
    let Some(last) = characters.last_mut() else {
        return false;
    };
    let is_first = is_mark(last.text);
    if is_first == is_mark(next.text) || !is_over(last, next) {
        return false;
    }
    let (mark, base) = match is_first {
        true => (last.text, next),
        false => (next.text, &*last),
    };
    let Some((text, rest)) = joined(mark, base.text) else {
        return false;
    };
    let letter = Character {
        text,
        ..base.clone()
    };
    let mut mark = Character {
        text: rest.unwrap_or(text),
        advance: 0.0,
        ..letter.clone()
    };
    mark.bounds.left = mark.bounds.right;
    *last = letter;
    characters.extend(rest.is_some().then_some(mark));
    true
}

fn is_mark(text: char) -> bool {
    text == '◯' || ACCENTS.iter().any(|(mark, _)| *mark == text)
}

/// Whether the narrower one is within the width of the other one.
fn is_over(one: &Character, other: &Character) -> bool {
    let (from, to) = (
        one.bounds.left.max(other.bounds.left),
        one.bounds.right.min(other.bounds.right),
    );
    let width = one.bounds.width().min(other.bounds.width());
    let size = one.size.max(other.size);
    let is_level = (one.baseline - other.baseline).abs() <= size * MAX_OFFSET;
    is_level && one.angle == other.angle && width > 0.0 && to - from >= width * 0.6
}

/// Returns the character for a letter with a mark; without one, the letter and the combining character.
fn joined(mark: char, base: char) -> Option<(char, Option<char>)> {
    let mut pairs = PAIRS.iter();
    if let Some((.., pair)) = pairs.find(|(other, letter, _)| (*other, *letter) == (mark, base)) {
        return Some((*pair, None));
    }
    let mut accents = ACCENTS.iter();
    let (_, accent) = accents.find(|(spacing, _)| *spacing == mark)?;
    let base = match base {
        'ı' => 'i',
        'ȷ' => 'j',
        base => base,
    };
    match compose(base, *accent) {
        Some(composed) => Some((composed, None)),
        // A slash also negates signs.
        None => (base.is_alphabetic() || *accent == '\u{338}').then_some((base, Some(*accent))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::character;
    use super::*;

    fn text(one: char, other: char, distance: f32) -> Option<String> {
        let mut characters = vec![character(one, 0.0, 0)];
        let is_joined = join(&mut characters, &character(other, distance, 0));
        is_joined.then(|| characters.iter().map(|character| character.text).collect())
    }

    #[test]
    fn a_letter_takes_the_mark_over_it() {
        for (one, other, expected) in [
            ('¨', 'o', "ö"),
            ('´', 'ı', "í"),
            ('c', '¸', "ç"),
            ('ˆ', 'q', "q\u{302}"),
            ('\u{338}', '=', "≠"),
            ('\u{338}', '⊢', "⊬"),
            ('◯', 'c', "©"),
            ('c', '◯', "©"),
        ] {
            assert_eq!(text(one, other, 0.5).as_deref(), Some(expected));
        }
    }

    #[test]
    fn characters_beside_each_other_stay() {
        assert_eq!(text('¨', 'o', 5.0), None);
        assert_eq!(text('¨', '´', 0.0), None);
        assert_eq!(text('o', 'o', 0.0), None);
        assert_eq!(text('¨', '=', 0.0), None);
    }
}
