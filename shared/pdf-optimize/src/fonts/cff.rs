//! Subsets a CFF program [Adobe Technical Note 5176]. When glyph ids must stay, unused charstrings are overwritten with
//! zeros in place, which compress to nothing.

mod compare;
mod dict;
mod font;
mod index;
mod rebuild;
mod subroutines;

use std::collections::BTreeSet;

use self::dict::{CHAR_STRINGS, Dict};
use self::index::Index;
pub(super) use self::rebuild::rebuild;

/// The `endchar` operator.
const ENDCHAR: u8 = 14;

/// Keeps these glyphs and `.notdef`, with the same glyph ids; `None` if the program cannot be parsed.
pub(super) fn subset(program: &[u8], glyphs: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let [1, _, head, _] = *program.first_chunk()? else {
        return None;
    };
    let names = Index::at(program, usize::from(head))?;
    let dictionaries = Index::at(program, names.end()?)?;
    let entries = Dict::of(dictionaries.bytes(0)?)?;
    let char_strings = usize::try_from(entries.number(CHAR_STRINGS)?).ok()?;
    let char_strings = Index::at(program, char_strings)?;
    let mut kept = program.to_vec();
    let mut left = program.len();
    for glyph in (1..char_strings.count).filter(|glyph| !glyphs.contains(glyph)) {
        let place = char_strings.item(glyph)?;
        // Overlapping charstrings belong to several glyphs.
        left = left.checked_sub(place.len())?;
        let (end, rest) = kept.get_mut(place)?.split_first_mut()?;
        *end = ENDCHAR;
        rest.fill(0);
    }
    Some(kept)
}
