//! Fonts whose glyphs are put together by their instructions: without these they fall apart.

use skrifa::raw::tables::glyf::{CompositeGlyphFlags, Glyph};

/// Parts of the names of such fonts, as FreeType has them.
const NAMES: [&str; 12] = [
    "cpop", "DFGirl", "DFGothic", "DFGyoSho", "DFHei", "DFHS", "DFKai", "DFMing", "DLC", "HuaTian",
    "Ming", "MingLi",
];
/// Most components of a glyph that is no character of strokes, which may be put together so.
const COMPONENTS: usize = 3;

/// Whether a font is known by its name to be one of them.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.iter().any(|part| name.contains(part))
}

/// Whether a glyph looks as if its instructions put it together.
pub(super) fn composes(glyph: &Glyph<'_>) -> bool {
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
