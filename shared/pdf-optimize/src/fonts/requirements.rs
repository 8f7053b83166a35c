//! The requirements on a font program: glyphs, tables and hinting.

use std::collections::BTreeSet;

/// Tables that PDF readers need to draw glyphs [ISO 32000-1, 9.9].
const OUTLINES: [&[u8; 4]; 7] = [
    b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"CFF ",
];
/// Tables that map characters and names to glyphs.
const CHARACTER_MAPS: [&[u8; 4]; 2] = [b"cmap", b"post"];
/// Tables that are not needed even for typing: script shaping, signatures, bitmaps and metrics of fixed sizes.
const UNUSED: [&[u8; 4]; 17] = [
    b"GPOS", b"GSUB", b"GDEF", b"BASE", b"JSTF", b"DSIG", b"kern", b"EBDT", b"EBLC", b"EBSC",
    b"hdmx", b"VDMX", b"LTSH", b"PCLT", b"kerx", b"morx", b"Zapf",
];
/// Glyph substitution.
const SUBSTITUTION: &[u8; 4] = b"GSUB";

/// Tables of TrueType hinting programs.
pub(super) const HINTING_TABLES: [&[u8; 4]; 3] = [b"cvt ", b"fpgm", b"prep"];

/// Which tables are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tables {
    /// Those needed to draw glyphs.
    Outlines,
    /// Also those that map characters to glyphs.
    CharacterMaps,
    /// All tables used when a user types with the font.
    Typing,
    /// Also glyph substitution.
    Substitution,
}

/// The requirements on a font program.
#[derive(Clone, Debug)]
pub(super) struct Requirements {
    /// Glyph ids; `None` for all.
    pub(super) glyphs: Option<BTreeSet<u16>>,
    /// Whether hinting instructions are needed.
    pub(super) hinting: bool,
    pub(super) tables: Tables,
    /// Whether all fonts that use the program find its glyphs by name.
    pub(super) by_name: bool,
}

impl Requirements {
    /// Adds the requirements of another font that uses the same program.
    pub(super) fn add(&mut self, other: Self) {
        self.glyphs = match (self.glyphs.take(), other.glyphs) {
            (Some(mut glyphs), Some(others)) => {
                glyphs.extend(others);
                Some(glyphs)
            }
            _ => None,
        };
        self.hinting |= other.hinting;
        self.tables = self.tables.max(other.tables);
        self.by_name &= other.by_name;
    }

    /// Returns whether a table is needed.
    pub(super) fn includes(&self, tag: &[u8; 4]) -> bool {
        if HINTING_TABLES.contains(&tag) {
            return self.hinting;
        }
        match self.tables {
            Tables::Outlines => OUTLINES.contains(&tag),
            Tables::CharacterMaps => OUTLINES.contains(&tag) || CHARACTER_MAPS.contains(&tag),
            Tables::Typing => !UNUSED.contains(&tag),
            Tables::Substitution => !UNUSED.contains(&tag) || tag == SUBSTITUTION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyph_substitution_stays_where_it_may_be_used() {
        for (tables, expected) in [(Tables::Typing, false), (Tables::Substitution, true)] {
            let required = Requirements {
                glyphs: None,
                hinting: true,
                tables,
                by_name: false,
            };
            assert_eq!(required.includes(b"GSUB"), expected);
            assert!(!required.includes(b"GPOS"));
        }
    }
}
