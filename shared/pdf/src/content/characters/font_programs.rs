//! Glyph names and characters in embedded font programs.

use std::collections::HashMap;

use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::ps::type1::Type1Font;
use skrifa::raw::{FontRef, TableProvider as _};
use skrifa::{GlyphId, MetadataProvider as _, Tag};

use super::glyph_names;

/// First bytes of Type 1 programs: plain ones, and those with segment headers.
const TYPE_1: [&[u8]; 2] = [b"%!", b"\x80\x01"];

/// Returns the glyph names of a Type 1 or CFF program by the codes of its own encoding; none for other programs.
pub(super) fn names_by_code(program: &[u8]) -> HashMap<u32, String> {
    if TYPE_1.iter().any(|begin| program.starts_with(begin)) {
        let Ok(font) = Type1Font::new(program) else {
            return HashMap::new();
        };
        return by_code(|code| font.encoding()?.glyph_name(code).map(str::to_owned));
    }
    let font = cff(program);
    by_code(|code| {
        let font = font.as_ref()?;
        name(font, font.encoding()?.map(code)?)
    })
}

/// Returns the texts of the glyphs of an OpenType or CFF program, by glyph index; none if it is CID-keyed, because the codes
/// are then CIDs.
pub(super) fn texts_by_glyph(program: &[u8]) -> HashMap<u32, String> {
    let mut texts = HashMap::new();
    let cff = cff(program);
    if cff.as_ref().is_some_and(CffFontRef::is_cid) {
        return texts;
    }
    if let Some(font) = cff {
        for glyph in 0..font.num_glyphs() {
            let text = name(&font, GlyphId::new(glyph)).and_then(|name| glyph_names::text(&name));
            texts.extend(text.map(|text| (glyph, text)));
        }
    }
    if let Ok(font) = FontRef::new(program) {
        for (code, glyph) in font.charmap().mappings() {
            // Of several characters, the first one is usually the plain one.
            if let Some(character) = char::from_u32(code).filter(|code| !is_private(*code)) {
                let entry = texts.entry(glyph.to_u32());
                entry.or_insert_with(|| character.to_string());
            }
        }
    }
    texts
}

fn is_private(character: char) -> bool {
    character.is_control() || matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}

fn by_code(name: impl Fn(u8) -> Option<String>) -> HashMap<u32, String> {
    let names = (0..=u8::MAX).filter_map(|code| Some((u32::from(code), name(code)?)));
    names.collect()
}

/// Returns the CFF font of a program: the program itself or its `CFF ` table.
fn cff(program: &[u8]) -> Option<CffFontRef<'_>> {
    let data = match program.first()? {
        1 => program,
        _ => {
            let font = FontRef::new(program).ok()?;
            font.data_for_tag(Tag::new(b"CFF "))?.as_bytes()
        }
    };
    CffFontRef::new_cff(data, 0, None).ok()
}

fn name(font: &CffFontRef<'_>, glyph: GlyphId) -> Option<String> {
    let name = font.string(font.charset()?.string_id(glyph).ok()?)?;
    String::from_utf8(name.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An INDEX of short objects [Adobe Technical Note 5176, 5].
    fn index(objects: &[&[u8]]) -> Vec<u8> {
        let mut index = vec![0, u8::try_from(objects.len()).unwrap(), 1, 1];
        let mut end = 1;
        for object in objects {
            end += u8::try_from(object.len()).unwrap();
            index.push(end);
        }
        index.extend(objects.concat());
        index
    }

    /// A CFF program of `.notdef` and two glyphs, which are `A` and `B` or have the CIDs 34 and 35.
    fn program(is_cid_keyed: bool) -> Vec<u8> {
        let begin = [&[1, 0, 4, 1][..], &index(&[b"Test"])].concat();
        let subroutines = [index(&[b"unused"]), index(&[&[11]])].concat();
        let dictionary = |charset: usize| {
            let offset = |offset: usize, operator: &[u8]| {
                let [.., high, low] = offset.to_be_bytes();
                [&[28, high, low], operator].concat()
            };
            let mut entries = vec![offset(charset, &[15]), offset(charset + 5, &[17])];
            if is_cid_keyed {
                // Registry, ordering and supplement come first.
                entries.insert(0, vec![139, 139, 139, 12, 30]);
                entries.push(offset(charset + 15, &[12, 36]));
            }
            index(&[&entries.concat()])
        };
        let charset = begin.len() + dictionary(0).len() + subroutines.len();
        let glyphs = index(&[&[14], &[14], &[14]]);
        let font_dictionaries = index(&[&[]]);
        let end = [&[0, 0, 34, 0, 35][..], &glyphs, &font_dictionaries].concat();
        assert_eq!(glyphs.len(), 10);
        [begin, dictionary(charset), subroutines, end].concat()
    }

    #[test]
    fn glyphs_of_name_keyed_programs_have_the_texts_of_their_names() {
        let expected = [(1, "A"), (2, "B")].map(|(glyph, text)| (glyph, text.to_owned()));
        assert_eq!(texts_by_glyph(&program(false)), HashMap::from(expected));
    }

    #[test]
    fn glyphs_of_cid_keyed_programs_have_no_texts() {
        let program = program(true);
        let font = cff(&program).unwrap();
        assert!(font.is_cid() && font.num_glyphs() == 3);
        // Its CIDs are not the string identifiers that they look like.
        assert_eq!(name(&font, GlyphId::new(1)).as_deref(), Some("A"));
        assert_eq!(texts_by_glyph(&program), HashMap::new());
    }
}
