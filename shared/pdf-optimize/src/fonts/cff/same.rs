//! Compares the glyphs of two programs, as a reader of another make understands them.

use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder, cff::Table};

/// Whether a second program has the names and outlines of these glyphs of a first, and their codes.
pub(super) fn is_same(program: &[u8], packed: &[u8], kept: &[u16]) -> bool {
    let (Some(all), Some(some)) = (Table::parse(program), Table::parse(packed)) else {
        return false;
    };
    let pairs = || kept.iter().zip(0_u16..);
    let same = pairs().all(|(old, new)| {
        let (old, new) = (GlyphId(*old), GlyphId(new));
        all.glyph_name(old) == some.glyph_name(new)
            && all.glyph_width(old) == some.glyph_width(new)
            && Lines::of(&all, old) == Lines::of(&some, new)
    });
    let codes = (0..=u8::MAX).all(|code| {
        let old = all.glyph_index(code).filter(|old| kept.contains(&old.0));
        let new = old.and_then(|old| pairs().find(|(kept, _)| **kept == old.0));
        new.is_none_or(|(_, new)| some.glyph_index(code) == Some(GlyphId(new)))
    });
    same && codes && usize::from(some.number_of_glyphs()) == kept.len()
}

/// What an outline is drawn of.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Lines(pub(super) Vec<[f32; 6]>);

impl Lines {
    /// `None` where there is nothing, or nothing that can be read.
    pub(super) fn of(table: &Table<'_>, glyph: GlyphId) -> Option<Self> {
        let mut lines = Self::default();
        table.outline(glyph, &mut lines).ok()?;
        Some(lines)
    }
}

impl OutlineBuilder for Lines {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push([x, y, 0.0, 0.0, 0.0, 0.0]);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push([x, y, 1.0, 0.0, 0.0, 0.0]);
    }
    fn quad_to(&mut self, u: f32, v: f32, x: f32, y: f32) {
        self.0.push([u, v, x, y, 2.0, 0.0]);
    }
    fn curve_to(&mut self, t: f32, u: f32, v: f32, w: f32, x: f32, y: f32) {
        self.0.push([t, u, v, w, x, y]);
    }
    fn close(&mut self) {
        self.0.push([0.0, 0.0, 3.0, 0.0, 0.0, 0.0]);
    }
}
