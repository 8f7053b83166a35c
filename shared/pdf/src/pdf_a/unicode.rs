//! Unicode texts that Ghostscript leaves out in the fonts that it writes, by the names of their glyphs [ISO 19005-2, 6.2.11.7.2].

use std::collections::BTreeMap;
use std::path::Path;

use lopdf::{Dictionary, Document, Encoding, Object};
use task::TaskResult;
use unicode_normalization::UnicodeNormalization as _;

use crate::content::{differences, glyph_text};
use crate::objects::{is_a, member};
use crate::operators::for_each_operator;
use crate::patch::Patch;
use crate::qpdf::QpdfDocument;
use crate::unicode_map;

/// Maximum size of a map in bytes. Those of simple fonts have at most 256 entries.
const MAX_MAP: usize = 1 << 20;
/// The text of a character in maps whose writer did not know it.
const UNKNOWN: &str = "\u{fffd}";

/// Adds what is missing in the maps, with files in `directory`. Glyphs whose names have no meaning stay without a text.
pub(super) fn add(
    (file, document): (&QpdfDocument, &Document),
    directory: &Path,
    patch: &mut Patch,
) -> TaskResult<()> {
    for (id, object) in &document.objects {
        let Ok(font) = object.as_dict() else { continue };
        let is_simple = [&b"Type1"[..], b"MMType1", b"TrueType", b"Type3"];
        let is_simple = is_simple.iter().any(|kind| is_a(font, kind));
        let encoding = member(document, font, b"Encoding").filter(|_| is_simple);
        let Some(encoding) = encoding else { continue };
        let mut texts = texts(document, encoding);
        if font.has(b"ToUnicode") {
            let map = font.get(b"ToUnicode").and_then(Object::as_reference).ok();
            let map = map.and_then(|map| file.decoded_stream(map, MAX_MAP));
            let Some(known) = map.and_then(|map| read(&map)) else {
                continue;
            };
            for (code, text) in known {
                match text == UNKNOWN {
                    true => drop(texts.entry(code).or_insert(text)),
                    false => drop(texts.insert(code, text)),
                }
            }
        }
        let texts = texts.iter().map(|(code, text)| (*code, text.as_str()));
        let file = directory.join(format!("unicode-{}", id.0));
        std::fs::write(&file, unicode_map::write(1, texts))?;
        let stream = patch.new_id();
        patch.set_stream(stream, &Dictionary::new(), &file);
        let mut font = font.clone();
        font.set("ToUnicode", stream);
        patch.set(*id, &font.into());
    }
    Ok(())
}

/// Reads a map as Ghostscript writes it: with ranges that have one text each, of which the last unit is counted up.
fn read(map: &[u8]) -> Option<BTreeMap<u16, String>> {
    let mut texts = BTreeMap::new();
    for_each_operator(map, |operator, operands| {
        if operator == b"endbfchar" {
            return None;
        }
        if operator != b"endbfrange" {
            return Some(());
        }
        for range in operands.strings.chunks(3) {
            let [first, last, text] = range else {
                return None;
            };
            let [first] = first[..] else { return None };
            let [last] = last[..] else { return None };
            let units = text.chunks(2).map(|unit| unit.try_into().ok());
            let units = units.map(|unit| unit.map(u16::from_be_bytes));
            let mut units: Vec<u16> = units.collect::<Option<_>>()?;
            for code in first..=last {
                texts.insert(u16::from(code), String::from_utf16(&units).ok()?);
                let last = units.last_mut()?;
                *last = last.wrapping_add(1);
            }
        }
        Some(())
    })?;
    Some(texts)
}

/// The texts of the codes of an encoding.
fn texts(document: &Document, encoding: &Dictionary) -> BTreeMap<u16, String> {
    const WIN_ANSI: &[u8] = b"WinAnsiEncoding";
    let mut texts = BTreeMap::new();
    let base = encoding.get(b"BaseEncoding").and_then(Object::as_name);
    if base.is_ok_and(|base| base == WIN_ANSI) {
        for code in b' '..=u8::MAX {
            let text = Encoding::SimpleEncoding(WIN_ANSI).bytes_to_string(&[code]);
            if let Some(text) = text.ok().filter(|text| !text.is_empty()) {
                texts.insert(u16::from(code), text);
            }
        }
    }
    for (code, name) in differences(document, encoding) {
        let Ok(code @ 0..=255) = u16::try_from(code) else {
            continue;
        };
        match glyph_text(&name) {
            Some(text) => texts.insert(code, letters(text)),
            None => texts.remove(&code),
        };
    }
    texts
}

/// The letters of a Latin ligature, because not all viewers find the words of the ligature itself.
fn letters(text: String) -> String {
    match text
        .chars()
        .all(|one| ('\u{fb00}'..='\u{fb06}').contains(&one))
    {
        true => text.nfkd().collect(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn codes_have_the_texts_of_their_base_and_of_their_names() {
        let document = Document::new();
        let encoding = dictionary! {
            "BaseEncoding" => "WinAnsiEncoding",
            "Differences" => vec![30.into(), "fi".into(), "f_f_i".into(), 65.into(), "summationdisplay".into(), "g12".into()],
        };
        let texts = texts(&document, &encoding);
        let text = |code| texts.get(&code).map(String::as_str);
        assert_eq!(
            [30, 31, 65, 66, 67, 0x80].map(text),
            [
                Some("fi"),
                Some("ffi"),
                Some("∑"),
                None,
                Some("C"),
                Some("€")
            ]
        );
        assert_eq!(super::texts(&document, &dictionary! {}), BTreeMap::new());
    }

    #[test]
    fn ranges_of_a_map_are_read() {
        let map = unicode_map::write(1, [(32, " "), (65, "ffi")].into_iter());
        assert_eq!(read(map.as_bytes()), None);
        let texts =
            read(b"2 beginbfrange\n<20><22><0020>\n<80><80><00660069>\nendbfrange").unwrap();
        let texts: Vec<_> = texts.iter().map(|(code, text)| (*code, &**text)).collect();
        assert_eq!(texts, [(32, " "), (33, "!"), (34, "\""), (128, "fi")]);
    }
}
