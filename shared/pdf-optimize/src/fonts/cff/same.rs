//! Compares the glyphs of two CFF programs, as a reader of another make understands them.

use skrifa::GlyphId;
use skrifa::outline::OutlinePen;
use skrifa::raw::ps::cff::{CffFontRef, Subfont};

/// Whether a second program has the names and outlines of these glyphs of a first, and their codes.
pub(super) fn is_same(program: &[u8], packed: &[u8], kept: &[u16]) -> bool {
    let (Some(all), Some(some)) = (Reader::of(program), Reader::of(packed)) else {
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

/// A program whose glyphs have names.
pub(super) struct Reader<'a> {
    pub(super) font: CffFontRef<'a>,
    part: Subfont,
}

impl<'a> Reader<'a> {
    pub(super) fn of(program: &'a [u8]) -> Option<Self> {
        let font = CffFontRef::new_cff(program, 0, None).ok()?;
        let part = font.subfont(0, &[]).ok()?;
        Some(Self { font, part })
    }

    /// The glyph of a code.
    pub(super) fn glyph(&self, code: u8) -> Option<GlyphId> {
        self.font.encoding()?.map(code)
    }

    pub(super) fn name(&self, glyph: GlyphId) -> Option<&'a [u8]> {
        self.font
            .string(self.font.charset()?.string_id(glyph).ok()?)
    }

    /// An outline with its width; `None` where there is nothing, or nothing that can be read.
    pub(super) fn lines(&self, glyph: GlyphId) -> Option<(Option<f32>, Lines)> {
        let mut lines = Lines::default();
        let width = self.font.draw(&self.part, glyph, &[], None, &mut lines);
        Some((width.ok()?, lines))
    }
}

/// What an outline is drawn of.
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
