//! Characters of which only the codes are known that fonts draw them by.

use std::collections::HashMap;
use std::sync::Arc;

use layout::Character;

use super::Glyph;

/// One control character in so many codes says that they are no letters: fonts made of pictures have ligatures there, and
/// their other codes are those of ASCII.
const RARE: usize = 10;
/// The last code of an alphabet of one byte.
const LAST: u32 = 0xff;

/// The codes of a page whose meaning the fonts do not tell, by the handles of the fonts.
#[derive(Default)]
pub(super) struct Codes(HashMap<usize, Drawn>);

/// What one font draws without saying what it is.
#[derive(Default)]
struct Drawn {
    characters: Vec<usize>,
    controls: usize,
    is_wide: bool,
}

impl Codes {
    /// Keeps in mind a character, by its place among those of the page, if its font does not say what it means.
    pub(super) fn note(&mut self, index: usize, font: usize, glyph: &Glyph) {
        if glyph.is_known {
            return;
        }
        let drawn = self.0.entry(font).or_default();
        drawn.characters.push(index);
        drawn.controls += usize::from(glyph.code < u32::from(b' '));
        drawn.is_wide |= glyph.code > LAST;
    }

    /// Writes what is only a number of a glyph as a character of no known meaning.
    pub(super) fn silence(self, characters: &mut [Character]) {
        for drawn in self.0.into_values().filter(Drawn::is_numbered) {
            for index in drawn.in_all(characters) {
                if let Some(character) = characters.get_mut(index) {
                    character.text = char::REPLACEMENT_CHARACTER;
                }
            }
        }
    }
}

impl Drawn {
    fn is_numbered(&self) -> bool {
        self.is_wide || self.controls * RARE > self.characters.len()
    }

    /// The same with all other letters of the font, where it tells little: the library finds some of them by chance.
    fn in_all(self, characters: &[Character]) -> Vec<usize> {
        let first = self.characters.first();
        let Some(font) = first.and_then(|index| Some(&characters.get(*index)?.font)) else {
            return Vec::new();
        };
        let is_one = |character: &Character| {
            Arc::ptr_eq(&character.font, font) && !character.text.is_whitespace()
        };
        let all = characters.iter().enumerate();
        let all: Vec<usize> = all
            .filter_map(|(index, character)| is_one(character).then_some(index))
            .collect();
        match self.characters.len() * 2 > all.len() {
            true => all,
            false => self.characters,
        }
    }
}
