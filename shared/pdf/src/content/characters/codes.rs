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
        let drawn = self.0.into_values().filter(Drawn::is_numbered);
        let unknown: Vec<usize> = drawn.flat_map(|drawn| drawn.characters).collect();
        let mut fonts: HashMap<usize, (usize, usize)> = HashMap::new();
        for index in &unknown {
            if let Some(character) = characters.get_mut(*index) {
                character.text = char::REPLACEMENT_CHARACTER;
                fonts.entry(font(character)).or_default().0 += 1;
            }
        }
        if fonts.is_empty() {
            return;
        }
        for character in characters.iter().filter(|letter| is_letter(letter)) {
            fonts
                .entry(font(character))
                .and_modify(|(_, all)| *all += 1);
        }
        // Where a font tells little, the library finds its other letters by chance.
        for character in characters.iter_mut().filter(|letter| is_letter(letter)) {
            let found = fonts.get(&font(character));
            if found.is_some_and(|(unknown, all)| unknown * 2 > *all) {
                character.text = char::REPLACEMENT_CHARACTER;
            }
        }
    }
}

fn is_letter(character: &Character) -> bool {
    !character.text.is_whitespace()
}

fn font(character: &Character) -> usize {
    Arc::as_ptr(&character.font).addr()
}

impl Drawn {
    fn is_numbered(&self) -> bool {
        self.is_wide || self.controls * RARE > self.characters.len()
    }
}
