//! A font program of tables [OpenType 1.9], with those tables and glyphs that are needed.

use std::collections::{BTreeMap, BTreeSet};

use super::{cff, outlines};

/// The name of a table.
type Tag = [u8; 4];
/// Its bytes.
pub(super) type Table<'a> = &'a [u8];

/// The first bytes of programs with outlines of TrueType, and of PostScript.
const KINDS: [&[u8]; 3] = [&[0, 1, 0, 0], b"true", b"OTTO"];
/// What all readers of PDF need [ISO 32000-1, 9.9].
const OUTLINES: [&Tag; 10] = [
    b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"cvt ", b"fpgm", b"prep", b"CFF ",
];
/// What tells glyphs by characters, too.
const CHARACTERS: [&Tag; 2] = [b"cmap", b"post"];
/// What nobody needs to type either: the shaping of scripts, signatures, pictures and metrics of glyphs for one size.
const LAYOUT: [&Tag; 17] = [
    b"GPOS", b"GSUB", b"GDEF", b"BASE", b"JSTF", b"DSIG", b"kern", b"EBDT", b"EBLC", b"EBSC",
    b"hdmx", b"VDMX", b"LTSH", b"PCLT", b"kerx", b"morx", b"Zapf",
];
/// What tells other forms of glyphs.
const FORMS: &Tag = b"GSUB";
/// Programs of the instructions of glyphs.
const HINTS: [&Tag; 3] = [b"cvt ", b"fpgm", b"prep"];
/// What a table of all tables begins with, and what it holds of each.
const HEAD: usize = 12;
const RECORD: usize = 16;

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

    fn includes(&self, tag: &Tag) -> bool {
        if !self.hints && HINTS.contains(&tag) {
            return false;
        }
        match self.tables {
            Tables::Outlines => OUTLINES.contains(&tag),
            Tables::Characters => OUTLINES.contains(&tag) || CHARACTERS.contains(&tag),
            Tables::ToTypeWith => !LAYOUT.contains(&tag),
            Tables::WithForms => !LAYOUT.contains(&tag) || tag == FORMS,
        }
    }
}

/// The program with what is needed only; `None` if it is not understood.
pub(super) fn reduced(program: &[u8], need: &Need) -> Option<Vec<u8>> {
    let kind = program.get(..4)?;
    let all = tables(program)?;
    let (glyf, loca) = (all.get(b"glyf"), all.get(b"loca"));
    let outlines = match (KINDS.contains(&kind), glyf, loca) {
        (false, ..) => return None,
        (true, Some(glyf), Some(loca)) => Some(outlines::reduced(&all, (glyf, loca), need)?),
        (true, ..) => None,
    };
    let postscript = match (all.get(b"CFF "), &need.glyphs) {
        (Some(program), Some(glyphs)) => Some((*b"CFF ", cff::reduced(program, glyphs)?)),
        _ => None,
    };
    let mut kept = BTreeMap::new();
    for (tag, table) in &all {
        if need.includes(tag) {
            kept.insert(*tag, table.to_vec());
        }
    }
    kept.extend(outlines.into_iter().flatten().chain(postscript));
    Some(written(kind, &kept))
}

/// The outlines of PostScript in a program, if they are as large without the rest.
pub(super) fn bare(program: &[u8]) -> Option<Table<'_>> {
    /// Units of a letter's height where outlines do not say how many.
    const UNITS: u16 = 1000;
    let all = tables(program)?;
    let units = number(all.get(b"head")?, 18)?;
    (units == UNITS).then_some(*all.get(b"CFF ")?)
}

/// The tables of a program by their names.
pub(super) fn tables(program: &[u8]) -> Option<BTreeMap<Tag, Table<'_>>> {
    let count = usize::from(number(program, 4)?);
    let records = program.get(HEAD..HEAD + count * RECORD)?;
    let mut left = program.len();
    let table = |record: &[u8]| {
        let tag: Tag = record.get(..4)?.try_into().ok()?;
        let part = |at: usize| {
            let bytes = record.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_be_bytes(bytes)).ok()
        };
        let (offset, length) = (part(8)?, part(12)?);
        // Tables that lie in one another would be more than the program when they are written.
        left = left.checked_sub(length)?;
        Some((tag, program.get(offset..offset.checked_add(length)?)?))
    };
    records.chunks_exact(RECORD).map(table).collect()
}

/// The number of two bytes at an offset.
pub(super) fn number(table: Table<'_>, at: usize) -> Option<u16> {
    let bytes = table.get(at..at.checked_add(2)?)?.try_into().ok()?;
    Some(u16::from_be_bytes(bytes))
}

/// Writes tables one behind the other.
fn written(kind: &[u8], tables: &BTreeMap<Tag, Vec<u8>>) -> Vec<u8> {
    /// Where the table `head` has the sum of the whole program, and what makes it right.
    const SUM: std::ops::Range<usize> = 8..12;
    const WHOLE: u32 = 0xb1b0_afba;
    let count = u16::try_from(tables.len()).unwrap_or(u16::MAX);
    let power = count.max(1).ilog2();
    let search = 16_u16 << power.min(11);
    let mut head = kind.to_vec();
    let all = count.saturating_mul(16);
    for number in [
        count,
        search,
        power.try_into().unwrap_or(0),
        all.saturating_sub(search),
    ] {
        head.extend(number.to_be_bytes());
    }
    let mut body = Vec::new();
    let mut summed = 0;
    for (tag, table) in tables {
        let mut table = table.clone();
        if tag == b"head"
            && let Some(place) = table.get_mut(SUM)
        {
            place.fill(0);
            summed = HEAD + tables.len() * RECORD + body.len() + SUM.start;
        }
        let offset = HEAD + tables.len() * RECORD + body.len();
        head.extend(tag);
        for number in [sum(&table) as usize, offset, table.len()] {
            head.extend(u32::try_from(number).unwrap_or(0).to_be_bytes());
        }
        table.resize(table.len().next_multiple_of(4), 0);
        body.extend(table);
    }
    head.extend(body);
    let right = WHOLE.wrapping_sub(sum(&head));
    if let Some(place) = head.get_mut(summed..summed + 4).filter(|_| summed > 0) {
        place.copy_from_slice(&right.to_be_bytes());
    }
    head
}

/// The sum of a table's numbers of four bytes.
fn sum(table: &[u8]) -> u32 {
    let words = table.chunks(4).map(|word| {
        let mut bytes = [0; 4];
        bytes
            .iter_mut()
            .zip(word)
            .for_each(|(byte, from)| *byte = *from);
        u32::from_be_bytes(bytes)
    });
    words.fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use skrifa::MetadataProvider as _;
    use skrifa::instance::{LocationRef, Size};
    use skrifa::outline::{DrawSettings, OutlinePen};
    use skrifa::raw::TableProvider as _;
    use skrifa::{FontRef, GlyphId};

    use super::*;

    /// What an outline is drawn of.
    #[derive(Debug, Default, PartialEq)]
    struct Lines(Vec<[f32; 4]>);

    impl OutlinePen for Lines {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0.push([x, y, 0.0, 0.0]);
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.0.push([x, y, 1.0, 0.0]);
        }
        fn quad_to(&mut self, u: f32, v: f32, x: f32, y: f32) {
            self.0.push([u, v, x, y]);
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
            self.0.push([x, y, 2.0, 0.0]);
        }
        fn close(&mut self) {}
    }

    fn lines(font: &FontRef<'_>, glyph: GlyphId) -> Lines {
        let mut lines = Lines::default();
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        let outline = font.outline_glyphs().get(glyph).unwrap();
        outline.draw(settings, &mut lines).unwrap();
        lines
    }

    #[test]
    fn glyphs_that_are_needed_keep_their_numbers_outlines_and_widths() {
        let font = FontRef::new(dejavu::sans::regular()).unwrap();
        let glyph = |letter: char| font.charmap().map(letter).unwrap();
        let number = |letter| u16::try_from(glyph(letter).to_u32()).unwrap();
        for (hints, tables) in [(true, Tables::Outlines), (false, Tables::Characters)] {
            let need = Need {
                // Put together of two others.
                glyphs: Some(['\u{1e0a}', 'g'].map(number).into()),
                hints,
                tables,
                by_names: false,
            };
            let found = reduced(dejavu::sans::regular(), &need).unwrap();
            assert_eq!(sum(&found), 0xb1b0_afba);
            let found = FontRef::new(&found).unwrap();
            for letter in ['\u{1e0a}', 'D', 'g'] {
                let glyph = glyph(letter);
                assert!(!lines(&font, glyph).0.is_empty(), "{letter}");
                assert_eq!(lines(&found, glyph), lines(&font, glyph), "{letter}");
                let width = |font: &FontRef<'_>| {
                    let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
                    metrics.advance_width(glyph)
                };
                assert_eq!(width(&found), width(&font), "{letter}");
            }
            assert!(lines(&found, glyph('h')).0.is_empty());
            let count = |font: &FontRef<'_>| font.maxp().unwrap().num_glyphs();
            assert_eq!(count(&found), count(&font));
            assert_eq!(
                found.charmap().map('h').is_some(),
                tables == Tables::Characters
            );
            let has = |tag| found.table_data(skrifa::Tag::new(tag)).is_some();
            assert_eq!(has(b"fpgm"), hints);
            assert!(!has(b"GPOS") && !has(b"name"));
        }
    }

    #[test]
    fn tables_that_lie_in_one_another_are_not_written() {
        // Two tables in twice as many records.
        let mut program = vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0];
        for tag in 0_u8..4 {
            program.extend([tag; 4]);
            program.extend([0, 0, 0, 0, 0, 0, 0, 76, 0, 0, 0, 40]);
        }
        program.resize(116, 0);
        assert!(tables(&program).is_none());
        // Only one of them has a length.
        for record in 1..4 {
            program[HEAD + record * RECORD + 15] = 0;
        }
        assert_eq!(tables(&program).unwrap().len(), 4);
    }

    #[test]
    fn as_many_tables_as_there_can_be_are_written() {
        let tables = (0..=u16::MAX - 1).map(|tag| {
            let [high, low] = tag.to_be_bytes();
            ([b'T', b'0', high, low], Vec::new())
        });
        let program = written(b"true", &tables.collect());
        assert_eq!(program[4..6], [255, 255]);
    }

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

    #[test]
    fn a_program_that_is_cut_off_is_not_understood() {
        let program = dejavu::sans::regular();
        let need = Need {
            glyphs: Some([5].into()),
            hints: false,
            tables: Tables::Outlines,
            by_names: false,
        };
        for length in [0, 3, 11, 200, program.len() / 2] {
            assert_eq!(reduced(&program[..length], &need), None, "{length}");
        }
    }
}
