//! Glyph closure: the glyphs that the characters of a PDF font may be drawn with. Readers differ in how they find the glyphs
//! of simple fonts [ISO 32000-1, 9.6.6.4], so every glyph that one of them may choose is included.

use std::collections::BTreeSet;

use lopdf::{Dictionary, Document, Object, dictionary};
use skrifa::GlyphId;
use skrifa::raw::FontRead as _;
use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::tables::cmap::{Cmap, CmapSubtable};
use skrifa::raw::tables::post::{DEFAULT_GLYPH_NAMES, Post};

use super::inventory::Font;
use super::sfnt;
use crate::lazy_document::LazyDocument;

/// Offsets of the code ranges of symbolic fonts in `cmap` tables.
const SYMBOL_OFFSETS: [u32; 4] = [0, 0xf000, 0xf100, 0xf200];
/// Characters that readers substitute for each other.
const EQUIVALENT: [(char, char); 10] = [
    (' ', '\u{a0}'),
    ('-', '\u{ad}'),
    ('\u{b5}', '\u{3bc}'),
    ('\u{2206}', '\u{394}'),
    ('\u{2126}', '\u{3a9}'),
    ('\u{2215}', '\u{2044}'),
    ('\u{2219}', '\u{b7}'),
    ('\u{af}', '\u{2c9}'),
    ('\u{110}', '\u{d0}'),
    ('\u{20ac}', '\u{a4}'),
];
/// Character used for codes without a character of their own.
const BULLET: char = '\u{2022}';

/// Returns the glyphs that the characters may be drawn with; `None` if unknown.
pub(super) fn used(
    source: &LazyDocument,
    font: &Font<'_>,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    match font.descendant {
        Some(descendant) => composite(source, font, descendant, characters),
        None => simple(source, font, characters),
    }
}

fn composite(
    source: &LazyDocument,
    font: &Font<'_>,
    descendant: &Dictionary,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    let document = &source.document;
    let encoding = font
        .dictionary
        .get_deref(b"Encoding", document)
        .ok()?
        .as_name()
        .ok()?;
    let kind = descendant
        .get_deref(b"Subtype", document)
        .ok()?
        .as_name()
        .ok()?;
    // Vertical writing may use alternate glyphs.
    if encoding != b"Identity-H" {
        return None;
    }
    match kind {
        b"CIDFontType2" => by_gid_map(source, descendant, characters),
        b"CIDFontType0" => {
            let program = program(source, font)?;
            let outlines = cff(cff_data(&program)?)?;
            let mut glyphs = characters.clone();
            if outlines.is_cid() {
                let used = outlines.charset()?.iter();
                let used = used.filter(|(_, cid)| characters.contains(&cid.to_u16()));
                glyphs.extend(used.filter_map(|(glyph, _)| glyph_id(glyph)));
            }
            // Some readers ignore the charset and use CIDs as glyph ids.
            glyphs.retain(|glyph| u32::from(*glyph) < outlines.num_glyphs());
            Some(glyphs)
        }
        _ => None,
    }
}

/// Returns the decoded font program.
fn program(source: &LazyDocument, font: &Font<'_>) -> Option<Vec<u8>> {
    let program = source.document.get_object(font.program).ok()?;
    source.decoded(program.as_stream().ok()?)
}

/// Returns the CFF data of a program: the program itself or its `CFF ` table.
fn cff_data(program: &[u8]) -> Option<&[u8]> {
    match program.first()? {
        1 => Some(program),
        _ => sfnt::tables(program)?.get(b"CFF ").copied(),
    }
}

fn cff(program: &[u8]) -> Option<CffFontRef<'_>> {
    CffFontRef::new_cff(program, 0, None).ok()
}

/// Returns the glyph id as 16 bits, as fonts in PDF have.
fn glyph_id(glyph: GlyphId) -> Option<u16> {
    u16::try_from(glyph.to_u32()).ok()
}

/// Maps characters to glyphs by the `CIDToGIDMap`.
fn by_gid_map(
    source: &LazyDocument,
    descendant: &Dictionary,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    let document = &source.document;
    let Ok(map) = descendant.get_deref(b"CIDToGIDMap", document) else {
        return Some(characters.clone());
    };
    match map {
        Object::Name(name) if name == b"Identity" => Some(characters.clone()),
        Object::Stream(map) => {
            let map = source.decoded(map)?;
            let glyph = |character: &u16| {
                let at = usize::from(*character) * 2;
                let bytes = map.get(at..at + 2)?.try_into().ok()?;
                Some(u16::from_be_bytes(bytes))
            };
            Some(characters.iter().filter_map(glyph).collect())
        }
        _ => None,
    }
}

fn simple(
    source: &LazyDocument,
    font: &Font<'_>,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    let document = &source.document;
    let program = program(source, font)?;
    let encodings = Encodings::of(document);
    let names = names(document, font.dictionary)?;
    let codes = characters
        .iter()
        .filter_map(|code| u8::try_from(*code).ok());
    let codes = codes.map(|code| {
        let named = names.iter().filter(|(named, _)| *named == code);
        let names: Vec<&[u8]> = named.map(|(_, name)| name.as_slice()).collect();
        let mut texts = encodings.candidates(code);
        texts.extend(
            names
                .iter()
                .filter_map(|name| character_of_name(document, name)),
        );
        Code { code, names, texts }
    });
    let codes: Vec<_> = codes.collect();
    match cff_data(&program) {
        Some(outlines) => cff_glyphs(document, &cff(outlines)?, &encodings, &codes),
        None => truetype_glyphs(&program, &encodings, &codes),
    }
}

/// A used code with the names and characters it may denote.
struct Code<'a> {
    code: u8,
    names: Vec<&'a [u8]>,
    texts: Vec<char>,
}

/// Returns the glyphs of a TrueType font, found by its `cmap` tables or by glyph names.
fn truetype_glyphs(
    program: &[u8],
    encodings: &Encodings,
    codes: &[Code<'_>],
) -> Option<BTreeSet<u16>> {
    let tables = sfnt::tables(program)?;
    let post = tables.get(b"post");
    let post = post.and_then(|post| Post::read((*post).into()).ok());
    let all = post.as_ref().map(names_of_glyphs).unwrap_or_default();
    let cmap = tables.get(b"cmap").map(|cmap| Cmap::read((*cmap).into()));
    let cmap = cmap.transpose().ok()?;
    let mut glyphs = BTreeSet::new();
    for code in codes {
        for name in &code.names {
            let name = std::str::from_utf8(name).ok()?;
            let named = all.iter().zip(0_u16..).filter(|(own, _)| **own == name);
            glyphs.extend(named.map(|(_, glyph)| glyph));
            glyphs.extend(number_in_name(name));
        }
        if let Some(cmap) = &cmap {
            glyphs.extend(mapped_glyphs(
                cmap,
                &encodings.codes(code.code, &code.texts),
            )?);
        }
        glyphs.insert(u16::from(code.code));
    }
    Some(glyphs)
}

/// Returns the names of all glyphs from the `post` table, empty for glyphs without a name.
fn names_of_glyphs<'a>(post: &Post<'a>) -> Vec<&'a str> {
    let own = post.string_data().into_iter().flat_map(|own| own.iter());
    let own: Vec<&str> = own
        .map(|name| name.map(|name| name.as_str()).unwrap_or_default())
        .collect();
    let name = |index: usize| {
        let known = DEFAULT_GLYPH_NAMES.get(index);
        known.or_else(|| own.get(index - DEFAULT_GLYPH_NAMES.len()))
    };
    let indices = post.glyph_name_index().unwrap_or_default().iter();
    let names = indices.map(|index| name(index.get().into()).copied());
    names.map(Option::unwrap_or_default).collect()
}

/// Returns the glyphs of a CFF font, found by name or by its built-in encoding.
fn cff_glyphs(
    document: &Document,
    outlines: &CffFontRef<'_>,
    encodings: &Encodings,
    codes: &[Code<'_>],
) -> Option<BTreeSet<u16>> {
    let encoding = outlines.encoding()?;
    let own = codes.iter().filter_map(|code| encoding.map(code.code));
    let mut glyphs: BTreeSet<u16> = own.filter_map(glyph_id).collect();
    let all = encoding.charset().iter().skip(1);
    let all: Vec<(u16, &[u8])> = all
        .map(|(glyph, name)| Some((glyph_id(glyph)?, outlines.string(name)?)))
        .collect::<Option<_>>()?;
    // CID-keyed fonts have no glyph names.
    if outlines.is_cid() || all.len() + 1 != usize::try_from(outlines.num_glyphs()).ok()? {
        return None;
    }
    for (glyph, name) in &all {
        let letter = character_of_name(document, name);
        let is_used = codes.iter().any(|code| {
            let is_meant = |letter| code.texts.iter().any(|text| is_same(*text, letter));
            code.names.contains(name) || letter.is_some_and(is_meant)
        });
        if is_used {
            glyphs.insert(*glyph);
        }
    }
    let names = all.iter().filter(|(glyph, _)| glyphs.contains(glyph));
    if names.clone().any(|(_, name)| name.len() > 1) {
        let parts = all
            .iter()
            .filter(|(_, name)| encodings.is_component(document, name));
        let parts: Vec<u16> = parts.map(|(glyph, _)| *glyph).collect();
        glyphs.extend(parts);
    }
    Some(glyphs)
}

/// Returns whether two characters are equal or substitutes for each other.
fn is_same(one: char, other: char) -> bool {
    one == other || EQUIVALENT.contains(&(one, other)) || EQUIVALENT.contains(&(other, one))
}

/// Returns the glyphs that any `cmap` subtable maps these codes to; `None` if a subtable has an unsupported format.
fn mapped_glyphs(cmap: &Cmap<'_>, codes: &BTreeSet<u32>) -> Option<BTreeSet<u16>> {
    let mut glyphs = BTreeSet::new();
    for record in cmap.encoding_records() {
        let table = record.subtable(cmap.offset_data()).ok()?;
        if matches!(table, CmapSubtable::Format2(_) | CmapSubtable::Format8(_)) {
            return None;
        }
        let indices = codes.iter().filter_map(|code| table.map_codepoint(*code));
        glyphs.extend(indices.filter_map(glyph_id));
    }
    Some(glyphs)
}

/// Returns the codes and glyph names of the `Differences` array; `None` if it is invalid.
fn names(document: &Document, font: &Dictionary) -> Option<Vec<(u8, Vec<u8>)>> {
    let encoding = font
        .get_deref(b"Encoding", document)
        .and_then(Object::as_dict);
    let Ok(differences) =
        encoding.and_then(|encoding| encoding.get_deref(b"Differences", document))
    else {
        return Some(Vec::new());
    };
    let mut names = Vec::new();
    let mut code = 0_i64;
    for item in differences.as_array().ok()? {
        match document.dereference(item).ok()?.1 {
            Object::Integer(number) => code = *number,
            Object::Name(name) => {
                names.extend(u8::try_from(code).map(|code| (code, name.clone())));
                code = code.saturating_add(1);
            }
            _ => return None,
        }
    }
    Some(names)
}

/// Returns the number in glyph names such as `g12`, `glyph12` and `cid12`.
fn number_in_name(name: &str) -> Option<u16> {
    name.trim_start_matches(|letter: char| !letter.is_ascii_digit())
        .parse()
        .ok()
}

/// Returns the character of a glyph name: `uni0041`, `u0041`, or a name of the Adobe Glyph List.
fn character_of_name(document: &Document, name: &[u8]) -> Option<char> {
    let text = std::str::from_utf8(name).ok()?;
    let digits = text.strip_prefix("uni").or_else(|| text.strip_prefix('u'));
    let number = digits.and_then(|digits| u32::from_str_radix(digits.get(..4)?, 16).ok());
    let named = character(
        document,
        dictionary! { "Differences" => vec![0.into(), Object::Name(name.to_vec())] },
        0,
    );
    named.or_else(|| char::from_u32(number?))
}

/// Returns the character of a code in an encoding.
fn character(document: &Document, encoding: impl Into<Object>, code: u8) -> Option<char> {
    let font = dictionary! { "Type" => "Font", "Encoding" => encoding };
    let encoding = font.get_font_encoding(document).ok()?;
    encoding.bytes_to_string(&[code]).ok()?.chars().next()
}

/// The characters of all codes in the standard encodings of fonts.
struct Encodings {
    characters: Vec<Vec<Option<char>>>,
}

impl Encodings {
    /// MacRomanEncoding is the first because Mac `cmap` subtables use it.
    const NAMES: [&str; 3] = ["MacRomanEncoding", "WinAnsiEncoding", "StandardEncoding"];

    fn of(document: &Document) -> Self {
        let all = |name: &str| {
            let codes = 0..=u8::MAX;
            codes.map(|code| character(document, name, code)).collect()
        };
        Self {
            characters: Self::NAMES.map(all).to_vec(),
        }
    }

    /// Returns whether accented letters may be composed of a glyph (`seac`): of any two glyphs of StandardEncoding
    /// [Adobe Technical Note 5177, appendix C].
    fn is_component(&self, document: &Document, name: &[u8]) -> bool {
        let own = character_of_name(document, name);
        let mut standard = self.characters.last().into_iter().flatten().flatten();
        own.is_some_and(|own| standard.any(|letter| is_same(*letter, own)))
    }

    /// Returns the characters that a code may denote.
    fn candidates(&self, code: u8) -> Vec<char> {
        let tables = self.characters.iter();
        let tables = tables.filter_map(|table| *table.get(usize::from(code))?);
        tables.chain((code >= 0x7f).then_some(BULLET)).collect()
    }

    /// Returns all codes by which `cmap` tables may list a code that denotes one of these characters.
    fn codes(&self, code: u8, texts: &[char]) -> BTreeSet<u32> {
        let mut codes: BTreeSet<u32> = SYMBOL_OFFSETS
            .iter()
            .map(|base| base + u32::from(code))
            .collect();
        for text in texts {
            let same = EQUIVALENT.iter().filter_map(|(one, other)| match text {
                _ if text == one => Some(*other),
                _ if text == other => Some(*one),
                _ => None,
            });
            for letter in same.chain([*text]) {
                codes.insert(letter.into());
                let apple = self.characters.first().into_iter().flatten().zip(0_u32..);
                codes.extend(
                    apple
                        .filter(|(own, _)| **own == Some(letter))
                        .map(|(_, code)| code),
                );
            }
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_accented_letters_are_those_of_the_standard_encoding() {
        let document = Document::new();
        let encodings = Encodings::of(&document);
        for part in [
            "A",
            "comma",
            "quoteright",
            "grave",
            "dotlessi",
            "hungarumlaut",
            "fi",
            "slash",
        ] {
            assert!(encodings.is_component(&document, part.as_bytes()), "{part}");
        }
        for other in ["Aacute", "afii10017", "alpha", "g12"] {
            assert!(
                !encodings.is_component(&document, other.as_bytes()),
                "{other}"
            );
        }
    }
}
