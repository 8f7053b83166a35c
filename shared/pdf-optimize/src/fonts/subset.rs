//! Subsets an sfnt font program [OpenType 1.9] to the required tables and glyphs.

use skrifa::Tag;
use write_fonts::FontBuilder;

use super::requirements::Requirements;
use super::{cff, sfnt, truetype};

/// Maximum tables that the library can write.
const MAX_TABLES: usize = 4095;

/// Subsets a program; `None` if it cannot be parsed.
pub(super) fn subset(program: &[u8], required: &Requirements) -> Option<Vec<u8>> {
    let all = sfnt::tables(program).filter(|all| all.len() <= MAX_TABLES)?;
    let outlines = match (all.get(b"glyf"), all.get(b"loca")) {
        (Some(_), Some(_)) => truetype::subset(&all, required)?,
        _ => Vec::new(),
    };
    let postscript = match (all.get(b"CFF "), &required.glyphs) {
        (Some(program), Some(glyphs)) => Some((*b"CFF ", cff::subset(program, glyphs)?)),
        _ => None,
    };
    let mut builder = FontBuilder::new();
    for (tag, table) in all.iter().filter(|(tag, _)| required.includes(tag)) {
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

    use super::super::requirements::Tables;
    use super::*;

    /// The path segments of an outline.
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
    fn required_glyphs_keep_their_ids_outlines_and_widths() {
        let font = FontRef::new(dejavu::sans::regular()).unwrap();
        let glyph = |letter: char| font.charmap().map(letter).unwrap();
        let number = |letter| u16::try_from(glyph(letter).to_u32()).unwrap();
        for (hinting, tables) in [(true, Tables::Outlines), (false, Tables::CharacterMaps)] {
            let required = Requirements {
                // Composed of two other glyphs.
                glyphs: Some(['\u{1e0a}', 'g'].map(number).into()),
                hinting,
                tables,
                by_name: false,
            };
            let found = subset(dejavu::sans::regular(), &required).unwrap();
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
                tables == Tables::CharacterMaps
            );
            let has = |tag| found.table_data(skrifa::Tag::new(tag)).is_some();
            assert_eq!(has(b"fpgm"), hinting);
            assert!(!has(b"GPOS") && !has(b"name"));
        }
    }

    #[test]
    fn the_maximum_number_of_tables_is_written() {
        let required = Requirements {
            glyphs: None,
            hinting: true,
            tables: Tables::Typing,
            by_name: false,
        };
        for (count, expected) in [(4095, Some([15, 255])), (4096, None), (u16::MAX, None)] {
            let mut program = b"true\0\0\0\0\0\0\0\0".to_vec();
            program[4..6].copy_from_slice(&count.to_be_bytes());
            for tag in 0..count {
                program.extend([&b"T0"[..], &tag.to_be_bytes(), &[0; 12]].concat());
            }
            let found = subset(&program, &required);
            assert_eq!(found.map(|found| [found[4], found[5]]), expected);
        }
    }

    #[test]
    fn a_truncated_program_is_rejected() {
        let program = dejavu::sans::regular();
        let required = Requirements {
            glyphs: Some([5].into()),
            hinting: false,
            tables: Tables::Outlines,
            by_name: false,
        };
        for length in [0, 3, 11, 200, program.len() / 2] {
            assert_eq!(subset(&program[..length], &required), None, "{length}");
        }
    }
}
