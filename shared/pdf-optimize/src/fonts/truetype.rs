//! Subsets TrueType outlines [OpenType 1.9, glyf and loca] with skera: glyph ids stay, unneeded glyphs become empty. The
//! result is compared with the source, because skera drops glyphs that it cannot parse.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use skera::{Plan, SubsetFlags};
use skrifa::raw::collections::IntSet;
use skrifa::raw::tables::glyf::{Component, CompositeGlyph, CompositeGlyphFlags, Glyf, Glyph};
use skrifa::raw::tables::hmtx::Hmtx;
use skrifa::raw::tables::loca::Loca;
use skrifa::raw::{FontRef, TableProvider as _};
use skrifa::{GlyphId, Tag};
use write_fonts::FontBuilder;

use super::hinting;
use super::requirements::{HINTING_TABLES, Requirements};
use super::sfnt::TablesByName;

/// Tables that change with the outlines.
const TABLES: [&[u8; 4]; 6] = [b"glyf", b"loca", b"head", b"hhea", b"hmtx", b"maxp"];

/// Returns the tables that change with the glyphs; `None` if they cannot be parsed.
pub(super) fn subset(
    all: &TablesByName<'_>,
    required: &Requirements,
) -> Option<Vec<([u8; 4], Vec<u8>)>> {
    let program = outlines_only(all);
    let font = FontRef::new(&program).ok()?;
    let outlines = Outlines::of(&font)?;
    let needed = match &required.glyphs {
        Some(glyphs) => outlines.closure(glyphs)?,
        None => outlines.closure(&(0..outlines.count).collect())?,
    };
    let mut glyphs = needed.iter().filter_map(|glyph| outlines.glyph(*glyph)?);
    let hinting = required.hinting || glyphs.any(|glyph| hinting::composes_by_instructions(&glyph));
    let subset = match &required.glyphs {
        None if hinting => program.clone(),
        _ => {
            let program = with_empty_last(all, &font, &needed)?;
            let subset = || subset_by_skera(&program, &needed, hinting);
            catch_unwind(AssertUnwindSafe(subset)).ok()??
        }
    };
    let subset = FontRef::new(&subset).ok()?;
    if !outlines.has_same(&Outlines::of(&subset)?, &needed) {
        return None;
    }
    let kept = TABLES
        .iter()
        .chain(hinting.then_some(&HINTING_TABLES).into_iter().flatten());
    let kept = kept.filter_map(|tag| Some((**tag, subset.table_data(Tag::new(tag))?)));
    Some(
        kept.map(|(tag, table)| (tag, table.as_bytes().to_vec()))
            .collect(),
    )
}

/// Returns a program with outlines, metrics and hinting only, so that no other table adds glyphs to the subset.
fn outlines_only(all: &TablesByName<'_>) -> Vec<u8> {
    let mut builder = FontBuilder::new();
    for tag in TABLES.into_iter().chain(HINTING_TABLES) {
        if let Some(table) = all.get(tag) {
            builder.add_raw(Tag::new(tag), *table);
        }
    }
    builder.build()
}

/// Empties the last glyph unless it is needed: skera always keeps it, so that the number of glyphs stays.
fn with_empty_last(
    all: &TablesByName<'_>,
    font: &FontRef<'_>,
    needed: &BTreeSet<u16>,
) -> Option<Vec<u8>> {
    let count = font.maxp().ok()?.num_glyphs();
    let mut loca = all.get(b"loca")?.to_vec();
    if !needed.contains(&count.checked_sub(1)?) {
        let size = 2 + 2 * usize::from(font.head().ok()?.index_to_loc_format() == 1);
        let end = usize::from(count) * size;
        loca.get(end..end + size)?;
        loca.copy_within(end - size..end, end);
    }
    let mut all = all.clone();
    all.insert(*b"loca", &loca);
    Some(outlines_only(&all))
}

fn subset_by_skera(program: &[u8], glyphs: &BTreeSet<u16>, hinting: bool) -> Option<Vec<u8>> {
    let font = &FontRef::new(program).ok()?;
    let mut kept: IntSet<GlyphId> = glyphs.iter().map(|glyph| GlyphId::from(*glyph)).collect();
    kept.insert(font.maxp().ok()?.num_glyphs().checked_sub(1)?.into());
    let mut flags =
        SubsetFlags::SUBSET_FLAGS_RETAIN_GIDS | SubsetFlags::SUBSET_FLAGS_NOTDEF_OUTLINE;
    if !hinting {
        flags |= SubsetFlags::SUBSET_FLAGS_NO_HINTING;
    }
    let (characters, tags, names, languages) = Default::default();
    let plan = Plan::new(
        &kept,
        &characters,
        font,
        flags,
        &tags,
        &tags,
        &tags,
        &names,
        &languages,
    );
    skera::subset_font(font, &plan).ok()
}

/// The glyphs of a font.
struct Outlines<'a> {
    glyf: Glyf<'a>,
    loca: Loca<'a>,
    metrics: Hmtx<'a>,
    count: u16,
}

impl<'a> Outlines<'a> {
    fn of(font: &FontRef<'a>) -> Option<Self> {
        Some(Self {
            glyf: font.glyf().ok()?,
            loca: font.loca(None).ok()?,
            metrics: font.hmtx().ok()?,
            count: font.maxp().ok()?.num_glyphs(),
        })
    }

    /// Returns a glyph, `Some(None)` if it is empty; `None` if it cannot be read.
    fn glyph(&self, glyph: u16) -> Option<Option<Glyph<'a>>> {
        let glyph = self.loca.get_glyf(glyph.into(), &self.glyf).ok()?;
        Some(glyph.filter(|glyph| glyph.number_of_contours() != 0))
    }

    /// Returns these glyphs, their components, and `.notdef`.
    fn closure(&self, glyphs: &BTreeSet<u16>) -> Option<BTreeSet<u16>> {
        let mut found = BTreeSet::new();
        let mut pending: Vec<u16> = glyphs.iter().copied().chain([0]).collect();
        let mut left = self.glyf.offset_data().len();
        while let Some(glyph) = pending.pop() {
            if glyph >= self.count || !found.insert(glyph) {
                continue;
            }
            let glyph = self.glyph(glyph)?;
            // Overlapping outlines would exceed the size of the table when written.
            let size = glyph.as_ref().map_or(0, |glyph| glyph.offset_data().len());
            left = left.checked_sub(size)?;
            if let Some(Glyph::Composite(glyph)) = glyph {
                pending.extend(glyph.components().map(|part| part.glyph.to_u16()));
            }
        }
        Some(found)
    }

    /// Returns whether another font has as many glyphs, and the given ones with equal outlines and metrics.
    fn has_same(&self, other: &Self, glyphs: &BTreeSet<u16>) -> bool {
        let metrics =
            |of: &Self, glyph| (of.metrics.advance(glyph), of.metrics.side_bearing(glyph));
        self.count == other.count
            && glyphs.iter().all(|glyph| {
                let outlines = (self.glyph(*glyph), other.glyph(*glyph));
                let glyph = GlyphId::from(*glyph);
                metrics(self, glyph) == metrics(other, glyph) && is_same(outlines)
            })
    }
}

/// Returns whether two glyphs have the same points or components.
fn is_same(glyphs: (Option<Option<Glyph<'_>>>, Option<Option<Glyph<'_>>>)) -> bool {
    match glyphs {
        (Some(None), Some(None)) => true,
        (Some(Some(Glyph::Simple(one))), Some(Some(Glyph::Simple(other)))) => {
            one.end_pts_of_contours() == other.end_pts_of_contours()
                && one.points().count() == one.num_points()
                && one.points().eq(other.points())
        }
        (Some(Some(Glyph::Composite(one))), Some(Some(Glyph::Composite(other)))) => {
            components(&one).eq(components(&other))
        }
        _ => false,
    }
}

/// Returns the components of a glyph, ignoring its instructions flag.
fn components<'a>(glyph: &CompositeGlyph<'a>) -> impl Iterator<Item = Component> + 'a {
    glyph.components().map(|mut part| {
        part.flags.remove(CompositeGlyphFlags::WE_HAVE_INSTRUCTIONS);
        part
    })
}

#[cfg(test)]
mod tests {
    use super::super::requirements::Tables;
    use super::super::sfnt;
    use super::*;

    /// A program of three glyphs; the second has an outline of `points` points with the same flags.
    fn program(points: u8) -> Vec<u8> {
        let numbers = |numbers: &[u16]| numbers.iter().flat_map(|n| n.to_be_bytes()).collect();
        let mut glyf: Vec<u8> = numbers(&[1, 0, 0, 0, 0, u16::from(points) - 1, 0]);
        // The flag, its repeat count, and two bytes per coordinate.
        glyf.extend([0x09, points - 1]);
        glyf.resize(glyf.len() + usize::from(points) * 4, 1);
        glyf.resize(glyf.len().next_multiple_of(2), 0);
        let end = u16::try_from(glyf.len() / 2).unwrap();
        let mut head = vec![0; 54];
        head[18] = 4;
        let mut builder = FontBuilder::new();
        for (tag, table) in [
            (b"glyf", glyf),
            (b"loca", numbers(&[0, 0, end, end])),
            (b"head", head),
            (b"hhea", numbers(&[&[0; 17][..], &[3]].concat())),
            (b"hmtx", numbers(&[500, 0, 600, 0, 700, 0])),
            (b"maxp", numbers(&[0, 0x5000, 3])),
        ] {
            builder.add_raw(Tag::new(tag), table);
        }
        builder.build()
    }

    #[test]
    fn damage_by_the_library_is_detected() {
        let required = Requirements {
            glyphs: Some([1].into()),
            hinting: false,
            tables: Tables::Outlines,
            by_name: false,
        };
        for (points, expected) in [(60, true), (80, false), (255, false)] {
            let program = program(points);
            let found = subset(&sfnt::tables(&program).unwrap(), &required);
            assert_eq!(found.is_some(), expected, "{points}");
        }
    }
}
