//! A font program with outlines of PostScript [Adobe Technical Note 5176], without the glyphs that are not used. Where others
//! say the numbers of glyphs, everything stays where it is, and what is emptied is zeros, which take no space when deflated.

mod called;
mod dictionary;
mod font;
mod index;
mod packed;
mod same;

use std::collections::BTreeSet;

use self::dictionary::{CHAR_STRINGS, Entries};
use self::index::Index;
pub(super) use self::packed::packed;

/// What ends an outline.
const END: u8 = 14;

/// The program with these glyphs, and the one of missing characters; `None` if it is not understood.
pub(super) fn reduced(program: &[u8], glyphs: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let [1, _, head, _] = *program.first_chunk()? else {
        return None;
    };
    let names = Index::at(program, usize::from(head))?;
    let dictionaries = Index::at(program, names.end()?)?;
    let entries = Entries::of(dictionaries.bytes(0)?)?;
    let outlines = usize::try_from(entries.number(CHAR_STRINGS)?).ok()?;
    let outlines = Index::at(program, outlines)?;
    let mut kept = program.to_vec();
    let mut left = program.len();
    for glyph in (1..outlines.count).filter(|glyph| !glyphs.contains(glyph)) {
        let place = outlines.item(glyph)?;
        // Outlines that lie in one another belong to other glyphs, too.
        left = left.checked_sub(place.len())?;
        let (end, rest) = kept.get_mut(place)?.split_first_mut()?;
        *end = END;
        rest.fill(0);
    }
    Some(kept)
}
