//! What is needed of a font program: which glyphs, which tables, and whether its instructions.

use std::collections::BTreeSet;

/// What all readers of PDF need [ISO 32000-1, 9.9].
const OUTLINES: [&[u8; 4]; 7] = [
    b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"CFF ",
];
/// What maps characters and names to glyphs.
const CHARACTERS: [&[u8; 4]; 2] = [b"cmap", b"post"];
/// What is not needed to type either: the shaping of scripts, signatures, pictures and metrics of glyphs for one size.
const LAYOUT: [&[u8; 4]; 17] = [
    b"GPOS", b"GSUB", b"GDEF", b"BASE", b"JSTF", b"DSIG", b"kern", b"EBDT", b"EBLC", b"EBSC",
    b"hdmx", b"VDMX", b"LTSH", b"PCLT", b"kerx", b"morx", b"Zapf",
];
/// What maps glyphs to their other forms.
const FORMS: &[u8; 4] = b"GSUB";

/// Programs of the instructions of glyphs.
pub(super) const HINTS: [&[u8; 4]; 3] = [b"cvt ", b"fpgm", b"prep"];

/// Which tables are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tables {
    /// Those that draw glyphs.
    Outlines,
    /// Those that tell glyphs by characters, too.
    Characters,
    /// All that are read when somebody types.
    ToTypeWith,
    /// Those that tell other forms of glyphs, too.
    WithForms,
}

/// What is needed of a program.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// The numbers of glyphs; `None` for all.
    pub(super) glyphs: Option<BTreeSet<u16>>,
    /// Whether the instructions are needed that fit glyphs to pixels.
    pub(super) hints: bool,
    pub(super) tables: Tables,
    /// Whether all that write with it find its glyphs by their names.
    pub(super) by_names: bool,
}

impl Need {
    /// What is needed for something else, too.
    pub(super) fn add(&mut self, other: Self) {
        self.glyphs = match (self.glyphs.take(), other.glyphs) {
            (Some(mut glyphs), Some(others)) => {
                glyphs.extend(others);
                Some(glyphs)
            }
            _ => None,
        };
        self.hints |= other.hints;
        self.tables = self.tables.max(other.tables);
        self.by_names &= other.by_names;
    }

    /// Whether a table is needed.
    pub(super) fn includes(&self, tag: &[u8; 4]) -> bool {
        if HINTS.contains(&tag) {
            return self.hints;
        }
        match self.tables {
            Tables::Outlines => OUTLINES.contains(&tag),
            Tables::Characters => OUTLINES.contains(&tag) || CHARACTERS.contains(&tag),
            Tables::ToTypeWith => !LAYOUT.contains(&tag),
            Tables::WithForms => !LAYOUT.contains(&tag) || tag == FORMS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_glyphs_stay_where_they_may_be_taken() {
        for (tables, expected) in [(Tables::ToTypeWith, false), (Tables::WithForms, true)] {
            let need = Need {
                glyphs: None,
                hints: true,
                tables,
                by_names: false,
            };
            assert_eq!(need.includes(b"GSUB"), expected);
            assert!(!need.includes(b"GPOS"));
        }
    }
}
