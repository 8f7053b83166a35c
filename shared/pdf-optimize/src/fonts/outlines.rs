//! The outlines of a TrueType font [OpenType 1.9, glyf and loca], with those glyphs that are needed: others are empty.

use std::collections::{BTreeMap, BTreeSet};

use super::sfnt::{Need, Table, number};

/// Parts of fonts' names whose glyphs are put together by instructions: without these they fall apart. As FreeType tells them.
const BUILT: [&str; 12] = [
    "cpop", "DFGirl", "DFGothic", "DFGyoSho", "DFHei", "DFHS", "DFKai", "DFMing", "DLC", "HuaTian",
    "Ming", "MingLi",
];
/// Most parts of a glyph that is no character of strokes, which may be put together so.
const PARTS: usize = 3;
/// Deepest nesting of glyphs in others.
const DEPTH: u32 = 16;
/// Bytes before the points of a glyph.
const HEAD: usize = 10;

/// What the parts of a glyph are said with.
mod flag {
    pub(super) const WORDS: u16 = 0x1;
    pub(super) const SCALE: u16 = 0x8;
    pub(super) const MORE: u16 = 0x20;
    pub(super) const SCALES: u16 = 0x40;
    pub(super) const MATRIX: u16 = 0x80;
    pub(super) const INSTRUCTIONS: u16 = 0x100;
}

/// Whether the glyphs of a font are put together by their instructions.
pub(super) fn depends_on_hints(name: &str) -> bool {
    BUILT.iter().any(|part| name.contains(part))
}

/// The tables that change with the glyphs; `None` if they are not understood.
pub(super) fn reduced(
    all: &BTreeMap<[u8; 4], Table<'_>>,
    (glyf, loca): (Table<'_>, Table<'_>),
    need: &Need,
) -> Option<Vec<([u8; 4], Vec<u8>)>> {
    let mut head = all.get(b"head")?.to_vec();
    let mut maxp = all.get(b"maxp")?.to_vec();
    let count = number(&maxp, 4)?;
    let glyphs = Glyphs {
        glyf,
        loca,
        is_long: number(&head, 50)? != 0,
    };
    let needed = match &need.glyphs {
        Some(glyphs_needed) => glyphs.with_parts(glyphs_needed, count)?,
        None => (0..count).collect(),
    };
    let hints = need.hints || glyphs.are_built(&needed);
    let mut tables = Vec::new();
    let (mut outlines, mut offsets) = (Vec::new(), vec![0]);
    let mut left = glyf.len();
    for glyph in 0..count {
        if needed.contains(&glyph) {
            let outline = glyphs.outline(glyph)?;
            // Outlines that lie in one another would be more than the table when they are written.
            left = left.checked_sub(outline.len())?;
            match hints {
                true => outlines.extend(outline),
                false => outlines.extend(unhinted(outline)?),
            }
            outlines.resize(outlines.len().next_multiple_of(4), 0);
        }
        offsets.push(outlines.len());
    }
    let is_long = outlines.len() > usize::from(u16::MAX) * 2;
    head.get_mut(50..52)?
        .copy_from_slice(&u16::from(is_long).to_be_bytes());
    let loca = offsets.into_iter().flat_map(|offset| match is_long {
        true => u32::try_from(offset).unwrap_or(0).to_be_bytes().to_vec(),
        false => u16::try_from(offset / 2)
            .unwrap_or(0)
            .to_be_bytes()
            .to_vec(),
    });
    tables.push((*b"loca", loca.collect()));
    // A table of no length is none to some readers.
    outlines.resize(outlines.len().max(4), 0);
    tables.push((*b"glyf", outlines));
    tables.push((*b"head", head));
    if need.glyphs.is_some() {
        tables.push((*b"hmtx", metrics(all, &needed)?));
    }
    if hints {
        let programs = [b"cvt ", b"fpgm", b"prep"].into_iter();
        tables.extend(programs.filter_map(|tag| Some((*tag, all.get(tag)?.to_vec()))));
    } else {
        maxp_without_hints(&mut maxp);
    }
    tables.push((*b"maxp", maxp));
    Some(tables)
}

/// What instructions need is nothing, and one zone of points.
fn maxp_without_hints(maxp: &mut [u8]) {
    if let Some(zones) = maxp.get_mut(14..16) {
        zones.copy_from_slice(&1_u16.to_be_bytes());
    }
    if let Some(others) = maxp.get_mut(16..28) {
        others.fill(0);
    }
}

/// The widths of glyphs, which are 0 where no others need them.
fn metrics(all: &BTreeMap<[u8; 4], Table<'_>>, needed: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let whole = number(all.get(b"hhea")?, 34)?;
    let mut metrics = all.get(b"hmtx")?.to_vec();
    let (pairs, bearings) = metrics.split_at_mut_checked(usize::from(whole) * 4)?;
    for (glyph, pair) in (0..whole).zip(pairs.chunks_exact_mut(4)) {
        // The last is that of all others.
        if !needed.contains(&glyph) && glyph + 1 != whole {
            pair.fill(0);
        }
    }
    for (glyph, bearing) in (whole..=u16::MAX).zip(bearings.chunks_exact_mut(2)) {
        if !needed.contains(&glyph) {
            bearing.fill(0);
        }
    }
    Some(metrics)
}

struct Glyphs<'a> {
    glyf: Table<'a>,
    loca: Table<'a>,
    /// Whether offsets have four bytes.
    is_long: bool,
}

impl<'a> Glyphs<'a> {
    /// The outline of a glyph, which may be empty.
    fn outline(&self, glyph: u16) -> Option<&'a [u8]> {
        let (begin, end) = (
            self.offset(usize::from(glyph))?,
            self.offset(usize::from(glyph) + 1)?,
        );
        // What begins behind its end is empty to all readers.
        self.glyf.get(begin..end.max(begin))
    }

    fn offset(&self, index: usize) -> Option<usize> {
        match self.is_long {
            true => {
                let bytes = self.loca.get(index * 4..index * 4 + 4)?.try_into().ok()?;
                usize::try_from(u32::from_be_bytes(bytes)).ok()
            }
            false => Some(usize::from(number(self.loca, index * 2)?) * 2),
        }
    }

    /// These glyphs, those that they are put together of, and the one of missing characters.
    fn with_parts(&self, glyphs: &BTreeSet<u16>, count: u16) -> Option<BTreeSet<u16>> {
        let mut found: BTreeSet<u16> = glyphs
            .iter()
            .copied()
            .filter(|glyph| *glyph < count)
            .collect();
        found.insert(0);
        let mut fresh = found.clone();
        for _ in 0..DEPTH {
            let mut parts = BTreeSet::new();
            for glyph in &fresh {
                parts.extend(
                    parts_of(self.outline(*glyph)?)?
                        .into_iter()
                        .map(|part| part.glyph),
                );
            }
            fresh = parts
                .into_iter()
                .filter(|part| *part < count && !found.contains(part))
                .collect();
            if fresh.is_empty() {
                return Some(found);
            }
            found.extend(&fresh);
        }
        None
    }

    /// Whether some glyphs look as if their instructions put them together.
    fn are_built(&self, glyphs: &BTreeSet<u16>) -> bool {
        glyphs.iter().any(|glyph| {
            let parts = self.outline(*glyph).and_then(parts_of).unwrap_or_default();
            parts.len() > PARTS
                && parts
                    .iter()
                    .any(|part| part.flags & flag::INSTRUCTIONS != 0)
        })
    }
}

/// A glyph within another.
struct Part {
    glyph: u16,
    flags: u16,
    /// Where it is said, and where what is said of it ends.
    place: (usize, usize),
}

/// The glyphs that one is put together of.
fn parts_of(outline: &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    // Whoever has contours, or nothing at all, has no parts.
    if outline.is_empty() || number(outline, 0)? < 0x8000 {
        return Some(parts);
    }
    let mut at = HEAD;
    loop {
        let (flags, glyph) = (number(outline, at)?, number(outline, at + 2)?);
        let mut end = at + if flags & flag::WORDS != 0 { 8 } else { 6 };
        end += match flags {
            _ if flags & flag::SCALE != 0 => 2,
            _ if flags & flag::SCALES != 0 => 4,
            _ if flags & flag::MATRIX != 0 => 8,
            _ => 0,
        };
        let place = (at, end);
        parts.push(Part {
            glyph,
            flags,
            place,
        });
        if flags & flag::MORE == 0 {
            return Some(parts);
        }
        at = end;
    }
}

/// An outline without its instructions.
fn unhinted(outline: &[u8]) -> Option<Vec<u8>> {
    let Some(contours) = number(outline, 0) else {
        return Some(outline.to_vec());
    };
    if contours < 0x8000 {
        let instructions = HEAD + usize::from(contours) * 2;
        // A glyph without contours may end there.
        let Some(length) = number(outline, instructions) else {
            return (contours == 0).then(|| outline.to_vec());
        };
        let mut bare = outline.get(..instructions)?.to_vec();
        bare.extend([0, 0]);
        bare.extend(outline.get(instructions + 2 + usize::from(length)..)?);
        return Some(bare);
    }
    let parts = parts_of(outline)?;
    let mut bare = outline.get(..parts.last()?.place.1)?.to_vec();
    for part in parts {
        let flags = part.flags & !flag::INSTRUCTIONS;
        bare.get_mut(part.place.0..part.place.0 + 2)?
            .copy_from_slice(&flags.to_be_bytes());
    }
    Some(bare)
}
