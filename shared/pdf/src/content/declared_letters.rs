//! Letters with marks whose text the document declares (`ActualText`), drawn by several text objects [ISO 32000-1, 14.9.4].
//!
//! PDFium reports the declared text at the first of these objects, which may be a mark above the line, and sometimes at each.

use std::collections::HashMap;

use layout::{Character, Rect};
use task::matrix::Matrix;
use unicode_normalization::char::is_combining_mark;

use super::characters::is_from_right;
use super::handles::PageObject;
use super::transform::transformed;

/// Maximum number of characters of a letter or ligature with its marks.
const MAX_CHARACTERS: usize = 8;
/// Maximum number of letters inside the sequence of another one.
const NESTED: usize = 8;
/// Maximum distance of parts on one baseline, relative to the height of the letter.
const LEVEL: f32 = 0.02;

/// The declared letters of a page.
#[derive(Default)]
pub(super) struct DeclaredLetters {
    letters: Vec<DeclaredLetter>,
    /// Index of the letter of each text object, by address.
    objects: HashMap<usize, usize>,
    /// Whether any is of a right-to-left script.
    are_from_right: bool,
}

/// A letter or ligature with its marks.
pub(super) struct DeclaredLetter {
    /// Identifies the marked-content sequence.
    sequence: usize,
    text: String,
    /// The place of the largest part, which is the letter without its marks, with the parts on its baseline.
    place: Place,
}

/// Where a text object is drawn, in display space.
#[derive(Clone, Copy)]
struct Place {
    /// The ink, extended to the origin.
    bounds: Rect,
    baseline: f32,
}

impl DeclaredLetters {
    /// Records a text object; `map` transforms its coordinates to display space.
    pub(super) fn record(&mut self, object: PageObject<'_>, map: Matrix) {
        let Some((sequence, text)) = object.declared_text() else {
            return;
        };
        if !is_letter_with_marks(&text) {
            return;
        }
        let ([left, bottom, right, top], origin) = (object.ink(), object.origin());
        let corners = [(left, bottom), (right, top)].map(|corner| transformed(map, corner));
        let [one, other] = corners;
        let (start, baseline) = transformed(map, origin);
        let mut bounds = Rect::between(one, other);
        bounds.left = bounds.left.min(start);
        let place = Place { bounds, baseline };
        let letter = self.add(sequence, text, place);
        self.objects.insert(object.address(), letter);
    }

    /// Adds a part of the drawing of a letter, and returns the index of the letter.
    fn add(&mut self, sequence: usize, text: String, part: Place) -> usize {
        self.are_from_right |= text.chars().any(is_from_right);
        // Other sequences may be inside.
        let first = self.letters.len().saturating_sub(NESTED);
        let recent = self.letters.iter_mut().enumerate().skip(first);
        for (index, letter) in recent {
            if letter.sequence == sequence {
                letter.place = letter.place.with(part);
                return index;
            }
        }
        self.letters.push(DeclaredLetter {
            sequence,
            text,
            place: part,
        });
        self.letters.len() - 1
    }

    /// Whether any is of a right-to-left script.
    pub(super) fn are_from_right(&self) -> bool {
        self.are_from_right
    }

    /// Whether PDFium may have added a space without a width to the text object after it, as it does next to right-to-left
    /// letters.
    pub(super) fn adds(&self, space: &Character) -> bool {
        self.are_from_right && space.bounds.width() <= 0.0
    }

    /// Returns the letter that a text object is a part of, with its index.
    pub(super) fn of(&self, object: PageObject<'_>) -> Option<(usize, &DeclaredLetter)> {
        let index = *self.objects.get(&object.address())?;
        Some((index, self.letters.get(index)?))
    }
}

impl DeclaredLetter {
    /// Returns its text in logical order.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns a character of horizontal text at the place of the letter.
    pub(super) fn place(&self, character: Character) -> Character {
        let Place { bounds, baseline } = self.place;
        let shift = baseline - character.baseline;
        Character {
            text: self.text.chars().next().unwrap_or(character.text),
            bounds: Rect {
                left: bounds.left,
                right: bounds.right,
                top: character.bounds.top + shift,
                bottom: character.bounds.bottom + shift,
            },
            baseline,
            start: bounds.left,
            advance: bounds.width(),
            ..character
        }
    }
}

impl Place {
    /// Returns the place of the larger part, extended by the other one if it is on the same baseline.
    fn with(self, other: Self) -> Self {
        let size = |place: &Self| place.bounds.width() + place.bounds.height();
        let (large, small) = match size(&self) < size(&other) {
            true => (other, self),
            false => (self, other),
        };
        let is_level = (large.baseline - small.baseline).abs() <= large.bounds.height() * LEVEL;
        match is_level {
            true => Self {
                bounds: large.bounds.union(&small.bounds),
                ..large
            },
            false => large,
        }
    }
}

/// Whether a text is one letter or ligature with marks.
fn is_letter_with_marks(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphabetic() && !is_combining_mark(letter);
    let mut characters = text.chars();
    characters.next().is_some_and(is_letter)
        && text.chars().count() <= MAX_CHARACTERS
        && text.chars().any(is_combining_mark)
        && characters.all(|character| is_letter(character) || is_combining_mark(character))
}

#[cfg(test)]
mod tests {
    use super::super::characters::samples::character;
    use super::*;

    fn place(left: f32, right: f32, (top, bottom): (f32, f32), baseline: f32) -> Place {
        Place {
            bounds: Rect::between((left, top), (right, bottom)),
            baseline,
        }
    }

    /// A space without a width.
    fn space() -> Character {
        let mut space = character(' ', 14.0, 1);
        space.bounds.right = space.bounds.left;
        space
    }

    #[test]
    fn a_letter_is_where_its_largest_part_is() {
        let mut letters = DeclaredLetters::default();
        assert!(!letters.adds(&space()));
        let mark = place(14.0, 18.0, (1.0, 2.0), 5.0);
        let letter = place(10.0, 20.0, (4.0, 12.0), 10.0);
        assert_eq!(letters.add(1, "لَ".to_owned(), mark), 0);
        assert_eq!(letters.add(1, "لَ".to_owned(), letter), 0);
        assert_eq!(letters.add(2, "لَ".to_owned(), mark), 1);
        assert!(letters.adds(&space()) && !letters.adds(&character(' ', 14.0, 1)));
        let placed = letters.letters[0].place(character('?', 14.0, 1));
        assert_eq!((placed.text, placed.baseline), ('ل', 10.0));
        let Rect {
            left, right, top, ..
        } = placed.bounds;
        assert_eq!((left, right, top), (10.0, 20.0, 2.0));
    }

    #[test]
    fn only_letters_with_marks_are_placed() {
        for (text, is_one) in [
            ("لَ", true),
            ("لأَ", true),
            ("कि", true),
            ("e\u{301}", true),
            ("fi", false),
            ("َل", false),
            ("لَ ب", false),
            ("", false),
        ] {
            assert_eq!(is_letter_with_marks(text), is_one, "{text}");
        }
    }
}
