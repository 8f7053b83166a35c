//! Fonts whose glyphs are assembled by their TrueType instructions ("tricky fonts"): unhinted, they fall apart.

use skrifa::raw::tables::glyf::{CompositeGlyphFlags, Glyph};

/// Parts of the names of such fonts, from FreeType's list.
const NAMES: [&str; 12] = [
    "cpop", "DFGirl", "DFGothic", "DFGyoSho", "DFHei", "DFHS", "DFKai", "DFMing", "DLC", "HuaTian",
    "Ming", "MingLi",
];
/// Maximum components of ordinary composite glyphs, such as accented letters.
const COMPONENTS: usize = 3;

/// Returns whether the name is that of a tricky font.
pub(super) fn is_tricky(name: &str) -> bool {
    NAMES.iter().any(|part| name.contains(part))
}

/// Returns whether a glyph seems to be assembled by its instructions.
pub(super) fn composes_by_instructions(glyph: &Glyph<'_>) -> bool {
    let Glyph::Composite(glyph) = glyph else {
        return false;
    };
    let mut parts = glyph.components();
    parts.clone().count() > COMPONENTS
        && parts.any(|part| {
            let flags = part.flags;
            flags.contains(CompositeGlyphFlags::WE_HAVE_INSTRUCTIONS)
        })
}
