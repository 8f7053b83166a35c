//! Bidirectional text: visual order to logical order.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

use crate::analysis::glyphs::brackets;
use crate::analysis::glyphs::glyph::Glyph;

/// A digit that follows Arabic letters, as the bidi algorithm classifies it.
const ARABIC_DIGIT: char = '٠';

/// A letter that does not change the class of digits.
const HEBREW: char = 'א';

/// First character of a right-to-left script.
const FIRST: char = '\u{590}';

/// Whether a character is right-to-left.
pub(in crate::analysis) fn is_right_to_left(character: char) -> bool {
    character >= FIRST && matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

/// Whether most letters of a text are right-to-left.
pub(in crate::analysis) fn is_text_from_right(text: impl Iterator<Item = char>) -> bool {
    text.map(sign).sum::<isize>() > 0
}

/// Whether a letter runs from the right of its page, which may be mirrored.
pub(in crate::analysis) fn is_from_right(glyph: &Glyph) -> bool {
    side(glyph) > 0
}

/// Whether most letters run from the right of their page, which may be mirrored.
pub(in crate::analysis) fn is_mostly_from_right<'g>(
    glyphs: impl IntoIterator<Item = &'g Glyph>,
) -> bool {
    glyphs.into_iter().map(side).sum::<isize>() > 0
}

/// Returns 1 for a letter that runs from the right of its page, -1 from the left, 0 for other characters.
pub(in crate::analysis) fn side(glyph: &Glyph) -> isize {
    match glyph.is_mirrored {
        true => -sign(glyph.text),
        false => sign(glyph.text),
    }
}

fn sign(character: char) -> isize {
    if character.is_ascii() {
        return -isize::from(character.is_ascii_alphabetic());
    }
    match bidi_class(character) {
        BidiClass::R | BidiClass::AL => 1,
        BidiClass::L => -1,
        _ => 0,
    }
}

/// Returns the indices of characters in logical order with the characters as read, given the characters in visual order from
/// left to right. `from_right` is the direction of the paragraph.
///
/// Reordering is its own inverse for a given paragraph direction, so the bidi algorithm is applied to the visual order, with
/// the brackets as they look. Only digits depend on the letters before them, which in the visual order are on their right.
pub(in crate::analysis) fn read_order(seen: &[char], from_right: bool) -> Vec<(usize, char)> {
    let base = if from_right {
        Level::rtl()
    } else {
        Level::ltr()
    };
    let mut shapes = seen.to_vec();
    brackets::restore(&mut shapes);
    let text: String = shapes
        .iter()
        .enumerate()
        .map(|(place, shape)| match *shape {
            // Paragraph separators become spaces, because a line is a single paragraph.
            space if space.is_whitespace() => ' ',
            digit if from_right && is_arabic_number(digit, place, seen) => ARABIC_DIGIT,
            letter if bidi_class(letter) == BidiClass::AL => HEBREW,
            other => other,
        })
        .collect();
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    let info = BidiInfo::new(&text, Some(base));
    let Some(paragraph) = info
        .paragraphs
        .first()
        .filter(|_| info.paragraphs.len() == 1)
    else {
        return seen.iter().copied().enumerate().collect();
    };
    let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
    let mut order = Vec::with_capacity(seen.len());
    for run in runs {
        let from = starts.partition_point(|start| *start < run.start);
        let to = starts.partition_point(|start| *start < run.end);
        let shape = |place: usize| (place, shapes.get(place).copied().unwrap_or(' '));
        let mirrored = |place| {
            let (_, shape) = shape(place);
            (place, brackets::other(shape).unwrap_or(shape))
        };
        match levels.get(run.start).is_some_and(Level::is_rtl) {
            true => order.extend((from..to).rev().map(mirrored)),
            false => order.extend((from..to).map(shape)),
        }
    }
    order
}

/// Whether a character is a digit in Arabic text: the letter on its right is Arabic, or a percent sign follows the number on
/// the left; and the letter on its left is not Latin, of whose word it could be a part unless a clause ends between them.
fn is_arabic_number(character: char, place: usize, seen: &[char]) -> bool {
    let strong = |character: &&char| sign(**character) != 0;
    let (before, after) = seen.split_at_checked(place).unwrap_or_default();
    let is_number =
        |character: &char| character.is_numeric() || matches!(character, '.' | ',' | '٫');
    let mut sign = before
        .iter()
        .rev()
        .skip_while(|character| is_number(character));
    let is_arabic = match after.iter().find(strong) {
        Some(letter) => bidi_class(*letter) == BidiClass::AL,
        None => sign.next().is_some_and(|sign| matches!(sign, '%' | '٪')),
    };
    // A sign on the left of a number ends a clause that is read from the right.
    let word = || {
        before
            .iter()
            .rev()
            .take_while(|other| !other.is_whitespace())
    };
    let is_end = |sign: &char| matches!(sign, '.' | ',' | ':' | ';' | '!' | '؛' | '،' | '؟' | '۔');
    let ends_clause =
        || word().last().is_some_and(is_end) && word().all(|sign| is_number(sign) || is_end(sign));
    bidi_class(character) == BidiClass::EN
        && is_arabic
        && (ends_clause()
            || before
                .iter()
                .rev()
                .find(strong)
                .is_none_or(|letter| is_right_to_left(*letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(seen: &str) -> String {
        let seen: Vec<char> = seen.chars().collect();
        let order = read_order(&seen, is_text_from_right(seen.iter().copied()));
        order.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn hebrew_with_a_number_is_reordered_and_the_number_is_not() {
        assert_eq!(read(".123 הפיא םולש"), "שלום איפה 123.");
    }

    #[test]
    fn only_the_hebrew_within_english_is_reordered() {
        assert_eq!(read("say םולש twice"), "say שלום twice");
        assert_eq!(read("plain"), "plain");
    }

    #[test]
    fn percent_signs_and_dates_follow_arabic_numbers() {
        assert_eq!(read(".%43.5 ةسردم"), "مدرسة 43.5%.");
        assert_eq!(read("12-03-2024 خيرات"), "تاريخ 2024-03-12");
        assert_eq!(read("UTF-8 زومر"), "رموز UTF-8");
        assert_eq!(read("ب Linux .25 ةنسلا يف"), "في السنة 25. Linux ب");
        assert_eq!(read("زمر 43.5%"), "43.5% رمز");
        assert_eq!(read("زمر %43.5"), "43.5% رمز");
    }

    #[test]
    fn brackets_read_as_pairs_whichever_of_them_are_mirrored() {
        for seen in ["דג (PDF) בא", "דג )PDF( בא", "דג )PDF) בא"] {
            assert_eq!(read(seen), "אב (PDF) גד", "{seen}");
        }
        assert_eq!(read("ג (ב א"), "א ב) ג");
    }
}
