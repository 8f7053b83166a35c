//! How the fonts of a document encode their glyphs, by the names of the fonts [ISO 32000-1, 9.6.6 and 9.7.4].

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::content::fonts::without_prefix;
use crate::objects::{is_a, items, member};

/// The encoding of a font.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FontEncoding {
    /// One byte per code.
    Simple {
        /// Glyph names by code.
        differences: HashMap<u32, String>,
        /// Whether all other codes are encoded as in the font program.
        is_own: bool,
    },
    /// The codes are the glyph indexes of the font program.
    GlyphIndexes,
}

/// Returns the encodings of all fonts by their names without subset tags, which PDFium drops. Type 3 fonts have no names. The
/// document needs their dictionaries only.
pub(super) fn by_font_name(document: &Document) -> HashMap<String, Vec<FontEncoding>> {
    let fonts: Vec<(ObjectId, &Dictionary)> = document
        .objects
        .iter()
        .filter_map(|(id, object)| Some((*id, object.as_dict().ok()?)))
        .collect();
    let indexed: HashSet<ObjectId> = fonts
        .iter()
        .filter(|(_, font)| is_a(font, b"Type0") && has_glyph_indexes(document, font))
        .flat_map(|(_, font)| items(document, font, b"DescendantFonts"))
        .filter_map(|descendant| descendant.as_reference().ok())
        .collect();
    let mut encodings: HashMap<String, Vec<FontEncoding>> = HashMap::new();
    for (id, font) in fonts {
        let name = font.get_deref(b"BaseFont", document);
        let name = match name.and_then(Object::as_name) {
            Ok(name) => name,
            Err(_) if is_a(font, b"Type3") => &[],
            Err(_) => continue,
        };
        let is_simple = [&b"Type1"[..], b"MMType1", b"TrueType", b"Type3"];
        let encoding = match is_simple.iter().any(|kind| is_a(font, kind)) {
            true => Some(simple(document, font)),
            // A map from codes to glyphs is a stream, and otherwise the identity.
            false => {
                (indexed.contains(&id) && !has_map(font)).then_some(FontEncoding::GlyphIndexes)
            }
        };
        if let Some(encoding) = encoding {
            let name = without_prefix(&String::from_utf8_lossy(name)).to_owned();
            encodings.entry(name).or_default().push(encoding);
        }
    }
    encodings
}

fn has_glyph_indexes(document: &Document, font: &Dictionary) -> bool {
    let encoding = font
        .get_deref(b"Encoding", document)
        .and_then(Object::as_name);
    encoding.is_ok_and(|name| matches!(name, b"Identity-H" | b"Identity-V"))
}

fn has_map(font: &Dictionary) -> bool {
    font.get(b"CIDToGIDMap")
        .is_ok_and(|map| map.as_name().is_err())
}

fn simple(document: &Document, font: &Dictionary) -> FontEncoding {
    let encoding = member(document, font, b"Encoding");
    let differences =
        encoding.map_or_else(HashMap::new, |encoding| differences(document, encoding));
    let is_own = match encoding {
        Some(encoding) => encoding.get(b"BaseEncoding").is_err(),
        None => font.get(b"Encoding").is_err(),
    };
    FontEncoding::Simple {
        differences,
        is_own,
    }
}

/// Returns the glyph names by code in which an encoding differs from its base.
pub(crate) fn differences(document: &Document, encoding: &Dictionary) -> HashMap<u32, String> {
    let mut differences = HashMap::new();
    let mut code = 0;
    for item in items(document, encoding, b"Differences") {
        match item {
            Object::Name(name) => {
                differences.insert(code, String::from_utf8_lossy(name).into_owned());
                code += 1;
            }
            Object::Integer(first) => {
                code = u32::try_from(*first).unwrap_or(0).min(u16::MAX.into())
            }
            _ => {}
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    fn differences(pairs: &[(u32, &str)]) -> HashMap<u32, String> {
        let pairs = pairs.iter();
        pairs
            .map(|(code, name)| (*code, (*name).to_owned()))
            .collect()
    }

    #[test]
    fn differences_apply_to_consecutive_codes() {
        let mut document = Document::new();
        let encoding = document.add_object(dictionary! {
            "Differences" => vec![8.into(), "a".into(), "b".into(), 80.into(), "summationtext".into()],
        });
        document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "ABCDEF+CMEX10", "Encoding" => encoding,
        });
        document.add_object(dictionary! {
            "Subtype" => "Type1", "BaseFont" => "CMR10", "Encoding" => "WinAnsiEncoding",
        });
        let mut found = by_font_name(&document);
        let expected = FontEncoding::Simple {
            differences: differences(&[(8, "a"), (9, "b"), (80, "summationtext")]),
            is_own: true,
        };
        assert_eq!(found.remove("CMEX10"), Some(vec![expected]));
        let expected = FontEncoding::Simple {
            differences: HashMap::new(),
            is_own: false,
        };
        assert_eq!(found.remove("CMR10"), Some(vec![expected]));
    }

    #[test]
    fn composite_fonts_with_identity_encoding_have_glyph_indexes() {
        let mut document = Document::new();
        let mut add = |name: &str, map: Object| {
            let descendant = document.add_object(dictionary! {
                "Subtype" => "CIDFontType2", "BaseFont" => name, "CIDToGIDMap" => map,
            });
            document.add_object(dictionary! {
                "Subtype" => "Type0", "BaseFont" => name, "Encoding" => "Identity-H",
                "DescendantFonts" => vec![Object::Reference(descendant)],
            });
        };
        add("Plain", "Identity".into());
        add("Mapped", Object::Reference((99, 0)));
        let found = by_font_name(&document);
        assert_eq!(found.get("Plain"), Some(&vec![FontEncoding::GlyphIndexes]));
        assert_eq!(found.get("Mapped"), None);
    }
}
