//! Compares glyphs of two CFF programs as parsed by an independent implementation (skrifa).

use skrifa::GlyphId;
use skrifa::outline::OutlinePen;
use skrifa::raw::ps::cff::{CffFontRef, Subfont};

/// Returns whether the second program has the names, outlines and codes of the kept glyphs of the first.
pub(super) fn is_same(program: &[u8], rebuilt: &[u8], kept: &[u16]) -> bool {
    let (Some(all), Some(some)) = (Reader::of(program), Reader::of(rebuilt)) else {
        return false;
    };
    let pairs = || {
        (0_u32..)
            .zip(kept)
            .map(|(new, old)| ((*old).into(), new.into()))
    };
    let same = pairs().all(|(old, new): (GlyphId, GlyphId)| {
        all.name(old) == some.name(new) && all.lines(old) == some.lines(new)
    });
    let codes = (0..=u8::MAX).all(|code| {
        let old = all.glyph(code);
        let new = pairs().find(|(kept, _)| Some(*kept) == old);
        new.is_none_or(|(_, new)| some.glyph(code) == Some(new))
    });
    same && codes && some.font.num_glyphs() as usize == kept.len()
}

/// A name-keyed CFF program.
pub(super) struct Reader<'a> {
    pub(super) font: CffFontRef<'a>,
    subfont: Subfont,
}

impl<'a> Reader<'a> {
    pub(super) fn of(program: &'a [u8]) -> Option<Self> {
        let font = CffFontRef::new_cff(program, 0, None).ok()?;
        let subfont = font.subfont(0, &[]).ok()?;
        Some(Self { font, subfont })
    }

    /// Returns the glyph of a code.
    pub(super) fn glyph(&self, code: u8) -> Option<GlyphId> {
        self.font.encoding()?.map(code)
    }

    pub(super) fn name(&self, glyph: GlyphId) -> Option<&'a [u8]> {
        self.font
            .string(self.font.charset()?.string_id(glyph).ok()?)
    }

    /// Returns the outline of a glyph with its width; `None` if it cannot be read.
    pub(super) fn lines(&self, glyph: GlyphId) -> Option<(Option<f32>, Lines)> {
        let mut lines = Lines::default();
        let width = self.font.draw(&self.subfont, glyph, &[], None, &mut lines);
        Some((width.ok()?, lines))
    }
}

/// The path segments of an outline.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Lines(pub(super) Vec<[f32; 6]>);

impl OutlinePen for Lines {
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
