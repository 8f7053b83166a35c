//! A font program of tables [OpenType 1.9], with those tables and glyphs that are needed.

use skrifa::Tag;
use write_fonts::FontBuilder;

use super::need::Need;
use super::{cff, sfnt, truetype};

/// Most tables that the library writes.
const TABLES: usize = 4095;

/// The program with what is needed only; `None` if it is not understood.
pub(super) fn reduced(program: &[u8], need: &Need) -> Option<Vec<u8>> {
    let all = sfnt::tables(program).filter(|all| all.len() <= TABLES)?;
    let outlines = match (all.get(b"glyf"), all.get(b"loca")) {
        (Some(_), Some(_)) => truetype::subset(&all, need)?,
        _ => Vec::new(),
    };
    let postscript = match (all.get(b"CFF "), &need.glyphs) {
        (Some(program), Some(glyphs)) => Some((*b"CFF ", cff::reduced(program, glyphs)?)),
        _ => None,
    };
    let mut builder = FontBuilder::new();
    for (tag, table) in all.iter().filter(|(tag, _)| need.includes(tag)) {
        builder.add_raw(Tag::new(tag), *table);
    }
    for (tag, table) in outlines.into_iter().chain(postscript) {
        builder.add_raw(Tag::new(&tag), table);
    }
    Some(builder.build())
}

#[cfg(test)]
mod tests {
    use skrifa::MetadataProvider as _;
    use skrifa::instance::{LocationRef, Size};
    use skrifa::outline::{DrawSettings, OutlinePen};
    use skrifa::raw::TableProvider as _;
    use skrifa::raw::tables::compute_checksum;
    use skrifa::{FontRef, GlyphId};

    use super::super::need::Tables;
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
            assert_eq!(compute_checksum(&found), 0xb1b0_afba);
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
    fn as_many_tables_as_there_can_be_are_written_or_left() {
        let need = Need {
            glyphs: None,
            hints: true,
            tables: Tables::ToTypeWith,
            by_names: false,
        };
        for (count, expected) in [(4095, Some([15, 255])), (4096, None), (u16::MAX, None)] {
            let mut program = b"true\0\0\0\0\0\0\0\0".to_vec();
            program[4..6].copy_from_slice(&count.to_be_bytes());
            for tag in 0..count {
                program.extend([&b"T0"[..], &tag.to_be_bytes(), &[0; 12]].concat());
            }
            let found = reduced(&program, &need);
            assert_eq!(found.map(|found| [found[4], found[5]]), expected);
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
