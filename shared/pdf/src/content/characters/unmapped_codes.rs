//! Replaces characters by U+FFFD if their font has no Unicode mapping for them and their codes are only glyph indexes.

use std::collections::HashMap;
use std::sync::Arc;

use layout::Character;

use super::Glyph;

/// A font uses glyph indexes as codes if more than one in this many of its unmapped codes is a control character. In pictorial
/// fonts fewer are: only ligatures have control codes, all other glyphs have printable ASCII codes.
const CODES_PER_CONTROL: usize = 10;
/// Largest one-byte code.
const MAX_BYTE_CODE: u32 = 0xff;

/// Unmapped codes of a page, by font handle.
#[derive(Default)]
pub(super) struct UnmappedCodes(HashMap<usize, CodesOfFont>);

/// Unmapped codes of one font.
#[derive(Default)]
struct CodesOfFont {
    characters: Vec<usize>,
    controls: usize,
    is_wide: bool,
}

impl UnmappedCodes {
    /// Records a character without a Unicode mapping, by its index on the page.
    pub(super) fn record(&mut self, index: usize, font: usize, glyph: &Glyph<'_>) {
        let drawn = self.0.entry(font).or_default();
        drawn.characters.push(index);
        drawn.controls += usize::from(glyph.code < u32::from(b' '));
        drawn.is_wide |= glyph.code > MAX_BYTE_CODE;
    }

    /// Replaces codes that are glyph indexes by U+FFFD.
    pub(super) fn replace_unmapped(self, characters: &mut [Character]) {
        let drawn = self.0.into_values().filter(CodesOfFont::has_glyph_indexes);
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
        // If more than half of a font's characters are unmapped, the letters that PDFium returns for the others are accidental.
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

impl CodesOfFont {
    fn has_glyph_indexes(&self) -> bool {
        self.is_wide || self.controls * CODES_PER_CONTROL > self.characters.len()
    }
}
