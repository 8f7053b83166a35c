//! The glyphs that the characters of a font in a PDF are drawn with. Readers differ in how they find the glyphs of fonts whose
//! characters have one byte [ISO 32000-1, 9.6.6.4]: those count that any of them may find.

use std::collections::BTreeSet;

use lopdf::{Dictionary, Document, Object, dictionary};
use skrifa::GlyphId;
use skrifa::raw::FontRead as _;
use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::tables::cmap::{Cmap, CmapSubtable};
use skrifa::raw::tables::post::{DEFAULT_GLYPH_NAMES, Post};

use super::inventory::Font;
use super::sfnt;
use crate::plain::Plain;

/// Where fonts of symbols have their characters, besides where they are written.
const SYMBOLS: [u32; 4] = [0, 0xf000, 0xf100, 0xf200];
/// Characters that stand for each other.
const SAME: [(char, char); 10] = [
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
/// What stands for codes that have no character of their own.
const BULLET: char = '\u{2022}';

/// The numbers of all glyphs that some characters may be drawn with; `None` if that cannot be told.
pub(super) fn drawn(
    plain: &Plain,
    font: &Font<'_>,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    match font.descendant {
        Some(descendant) => composite(plain, font, descendant, characters),
        None => simple(plain, font, characters),
    }
}

fn composite(
    plain: &Plain,
    font: &Font<'_>,
    descendant: &Dictionary,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    let document = &plain.document;
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
    // What is written downwards may take other forms of glyphs.
    if encoding != b"Identity-H" {
        return None;
    }
    match kind {
        b"CIDFontType2" => mapped(plain, descendant, characters),
        b"CIDFontType0" => {
            let program = program(plain, font)?;
            let outlines = cff(postscript(&program)?)?;
            let mut glyphs = characters.clone();
            if outlines.is_cid() {
                let used = outlines.charset()?.iter();
                let used = used.filter(|(_, cid)| characters.contains(&cid.to_u16()));
                glyphs.extend(used.filter_map(|(glyph, _)| number(glyph)));
            }
            // Readers that do not look for numbers of characters take those of glyphs.
            glyphs.retain(|glyph| u32::from(*glyph) < outlines.num_glyphs());
            Some(glyphs)
        }
        _ => None,
    }
}

/// The bytes of a font's program.
fn program(plain: &Plain, font: &Font<'_>) -> Option<Vec<u8>> {
    let program = plain.document.get_object(font.program).ok()?;
    plain.decoded(program.as_stream().ok()?)
}

/// The outlines of PostScript in a program, or that it is.
fn postscript(program: &[u8]) -> Option<&[u8]> {
    match program.first()? {
        1 => Some(program),
        _ => sfnt::tables(program)?.get(b"CFF ").copied(),
    }
}

fn cff(program: &[u8]) -> Option<CffFontRef<'_>> {
    CffFontRef::new_cff(program, 0, None).ok()
}

/// The number of a glyph, of which fonts in PDF have two bytes.
fn number(glyph: GlyphId) -> Option<u16> {
    u16::try_from(glyph.to_u32()).ok()
}

/// The glyphs of characters by the map of a font.
fn mapped(
    plain: &Plain,
    descendant: &Dictionary,
    characters: &BTreeSet<u16>,
) -> Option<BTreeSet<u16>> {
    let document = &plain.document;
    let Ok(map) = descendant.get_deref(b"CIDToGIDMap", document) else {
        return Some(characters.clone());
    };
    match map {
        Object::Name(name) if name == b"Identity" => Some(characters.clone()),
        Object::Stream(map) => {
            let map = plain.decoded(map)?;
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

fn simple(plain: &Plain, font: &Font<'_>, characters: &BTreeSet<u16>) -> Option<BTreeSet<u16>> {
    let document = &plain.document;
    let program = program(plain, font)?;
    let letters = Letters::of(document);
    let names = names(document, font.dictionary)?;
    let codes = characters
        .iter()
        .filter_map(|code| u8::try_from(*code).ok());
    let codes = codes.map(|code| {
        let named = names.iter().filter(|(named, _)| *named == code);
        let names: Vec<&[u8]> = named.map(|(_, name)| name.as_slice()).collect();
        let mut texts = letters.written(code);
        texts.extend(names.iter().filter_map(|name| letter(document, name)));
        Code { code, names, texts }
    });
    let codes: Vec<_> = codes.collect();
    match postscript(&program) {
        Some(outlines) => named(document, &cff(outlines)?, &letters, &codes),
        None => told(&program, &letters, &codes),
    }
}

/// A code that is written, and what it may stand for.
struct Code<'a> {
    code: u8,
    names: Vec<&'a [u8]>,
    texts: Vec<char>,
}

/// The glyphs that a font tells by its tables, or by their names.
fn told(program: &[u8], letters: &Letters, codes: &[Code<'_>]) -> Option<BTreeSet<u16>> {
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
            glyphs.extend(numbered(name));
        }
        if let Some(cmap) = &cmap {
            glyphs.extend(found(cmap, &letters.codes(code.code, &code.texts))?);
        }
        glyphs.insert(u16::from(code.code));
    }
    Some(glyphs)
}

/// The names of all glyphs; empty where there is none.
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

/// The glyphs of outlines whose names are used, or that may stand for a code by themselves.
fn named(
    document: &Document,
    outlines: &CffFontRef<'_>,
    letters: &Letters,
    codes: &[Code<'_>],
) -> Option<BTreeSet<u16>> {
    let encoding = outlines.encoding()?;
    let own = codes.iter().filter_map(|code| encoding.map(code.code));
    let mut glyphs: BTreeSet<u16> = own.filter_map(number).collect();
    let all = encoding.charset().iter().skip(1);
    let all: Vec<(u16, &[u8])> = all
        .map(|(glyph, name)| Some((number(glyph)?, outlines.string(name)?)))
        .collect::<Option<_>>()?;
    // Glyphs that have numbers of characters have no names.
    if outlines.is_cid() || all.len() + 1 != usize::try_from(outlines.num_glyphs()).ok()? {
        return None;
    }
    for (glyph, name) in &all {
        let letter = letter(document, name);
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
            .filter(|(_, name)| letters.is_part(document, name));
        let parts: Vec<u16> = parts.map(|(glyph, _)| *glyph).collect();
        glyphs.extend(parts);
    }
    Some(glyphs)
}

/// Whether two characters are the same, or stand for each other.
fn is_same(one: char, other: char) -> bool {
    one == other || SAME.contains(&(one, other)) || SAME.contains(&(other, one))
}

/// The glyphs that any table of a font tells by these numbers; `None` if there are tables that cannot be read.
fn found(cmap: &Cmap<'_>, codes: &BTreeSet<u32>) -> Option<BTreeSet<u16>> {
    let mut glyphs = BTreeSet::new();
    for record in cmap.encoding_records() {
        let table = record.subtable(cmap.offset_data()).ok()?;
        if matches!(table, CmapSubtable::Format2(_) | CmapSubtable::Format8(_)) {
            return None;
        }
        let indices = codes.iter().filter_map(|code| table.map_codepoint(*code));
        glyphs.extend(indices.filter_map(number));
    }
    Some(glyphs)
}

/// The codes whose glyphs a font names, with these names; `None` if they cannot be read.
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

/// The number in names such as `g12`, `glyph12` and `cid12`.
fn numbered(name: &str) -> Option<u16> {
    name.trim_start_matches(|letter: char| !letter.is_ascii_digit())
        .parse()
        .ok()
}

/// The letter that a glyph is named for: `uni0041`, `u0041`, or as the list of names has it.
fn letter(document: &Document, name: &[u8]) -> Option<char> {
    let text = std::str::from_utf8(name).ok()?;
    let digits = text.strip_prefix("uni").or_else(|| text.strip_prefix('u'));
    let number = digits.and_then(|digits| u32::from_str_radix(digits.get(..4)?, 16).ok());
    let named = alphabet(
        document,
        dictionary! { "Differences" => vec![0.into(), Object::Name(name.to_vec())] },
        0,
    );
    named.or_else(|| char::from_u32(number?))
}

/// The letter of a code in an encoding.
fn alphabet(document: &Document, encoding: impl Into<Object>, code: u8) -> Option<char> {
    let font = dictionary! { "Type" => "Font", "Encoding" => encoding };
    let encoding = font.get_font_encoding(document).ok()?;
    encoding.bytes_to_string(&[code]).ok()?.chars().next()
}

/// What all codes stand for in the encodings that fonts are of.
struct Letters {
    alphabets: Vec<Vec<Option<char>>>,
}

impl Letters {
    /// Apple's is the first, which tables of fonts are by.
    const NAMES: [&str; 3] = ["MacRomanEncoding", "WinAnsiEncoding", "StandardEncoding"];

    fn of(document: &Document) -> Self {
        let all = |name: &str| {
            let codes = 0..=u8::MAX;
            codes.map(|code| alphabet(document, name, code)).collect()
        };
        Self {
            alphabets: Self::NAMES.map(all).to_vec(),
        }
    }

    /// Whether letters with accents may be put together of a glyph: of any two letters that the last encoding has
    /// [Adobe Technical Note 5177, appendix C].
    fn is_part(&self, document: &Document, name: &[u8]) -> bool {
        let own = letter(document, name);
        let mut standard = self.alphabets.last().into_iter().flatten().flatten();
        own.is_some_and(|own| standard.any(|letter| is_same(*letter, own)))
    }

    /// What a code may stand for.
    fn written(&self, code: u8) -> Vec<char> {
        let letters = self.alphabets.iter();
        let letters = letters.filter_map(|letters| *letters.get(usize::from(code))?);
        letters.chain((code >= 0x7f).then_some(BULLET)).collect()
    }

    /// All numbers by which the tables of a font may have a code that stands for one of these.
    fn codes(&self, code: u8, texts: &[char]) -> BTreeSet<u32> {
        let mut codes: BTreeSet<u32> = SYMBOLS.iter().map(|base| base + u32::from(code)).collect();
        for text in texts {
            let same = SAME.iter().filter_map(|(one, other)| match text {
                _ if text == one => Some(*other),
                _ if text == other => Some(*one),
                _ => None,
            });
            for letter in same.chain([*text]) {
                codes.insert(letter.into());
                let apple = self.alphabets.first().into_iter().flatten().zip(0_u32..);
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
    fn letters_are_put_together_of_all_that_the_standard_encoding_has() {
        let document = Document::new();
        let letters = Letters::of(&document);
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
            assert!(letters.is_part(&document, part.as_bytes()), "{part}");
        }
        for other in ["Aacute", "afii10017", "alpha", "g12"] {
            assert!(!letters.is_part(&document, other.as_bytes()), "{other}");
        }
    }
}
