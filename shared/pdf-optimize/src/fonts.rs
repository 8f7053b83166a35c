//! Makes the font programs of a PDF smaller: without what no reader of PDF reads and, unless nothing may be lost, without the
//! glyphs that are never drawn and the instructions that fit glyphs to coarse pixels. Glyphs keep their numbers, so nothing
//! else of the document changes; programs whose glyphs are found by names are written anew. Fonts that a form may be filled in
//! with keep the glyphs of all their codes.

mod cff;
mod glyphs;
mod hinting;
mod inventory;
mod need;
mod sfnt;
mod subset;
mod truetype;
mod typed;
mod uses;

use std::collections::{BTreeSet, HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use self::inventory::{Font, Inventory};
use self::need::{Need, Tables};
use self::uses::Uses;
use super::deflate;
use super::duplicates::Duplicates;
use super::plain::Plain;

/// The kind of a program that is outlines of PostScript with names, and nothing else [ISO 32000-1, 9.9].
const BARE: &str = "Type1C";

/// What is needed of the font programs of a document, and of what tells their glyphs.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    programs: HashMap<ObjectId, Need>,
    /// The characters that are used of maps to glyphs; not those of which all are.
    maps: HashMap<ObjectId, BTreeSet<u16>>,
}

impl Fonts {
    /// Follows the whole document, unless nothing may be lost; where a part of it cannot be followed, all glyphs are needed.
    pub(super) fn of(plain: &Plain, duplicates: &Duplicates, is_lossless: bool) -> Self {
        let inventory = Inventory::of(&plain.document, duplicates);
        let uses = match is_lossless {
            true => None,
            false => Uses::of(plain),
        };
        let mut found = Self::default();
        let mut maps_of_all = HashSet::new();
        let typed = typed::fonts(&plain.document);
        for font in &inventory.fonts {
            let program = duplicates.last(font.program);
            let is_typed = typed.contains(&font.id);
            let uses = uses.as_ref().and_then(|uses| match is_typed {
                true => typed::characters(&plain.document, font),
                false => Some(uses.of_font(font.id)),
            });
            let uses = uses.filter(|_| !inventory.is_elsewhere(program));
            let glyphs = uses
                .as_ref()
                .and_then(|uses| glyphs::drawn(plain, font, uses));
            let map = font.map(&plain.document);
            if let Some(map) = map.map(|map| duplicates.last(map)) {
                // Where glyphs cannot be told, what is written are no numbers of characters.
                match uses.filter(|_| glyphs.is_some()) {
                    Some(uses) if !inventory.is_elsewhere(map) => {
                        found.maps.entry(map).or_default().extend(uses);
                    }
                    _ => {
                        maps_of_all.insert(map);
                    }
                }
            }
            let is_open = is_typed || inventory.is_elsewhere(program);
            let need = Need {
                by_names: glyphs.is_some() && font.has_names(),
                hints: is_lossless || hinting::is_known(&font.name(&plain.document)),
                tables: tables(&plain.document, font, is_open && glyphs.is_none()),
                glyphs,
            };
            found.note(program, need);
        }
        found.maps.retain(|map, _| !maps_of_all.contains(map));
        found
    }

    /// Whether there is nothing to make smaller.
    pub(super) fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    fn note(&mut self, program: ObjectId, need: Need) {
        match self.programs.get_mut(&program) {
            Some(known) => known.add(need),
            None => {
                self.programs.insert(program, need);
            }
        }
    }

    /// The stream of a font program, or of a map to glyphs, in fewer bytes.
    pub(super) fn smaller(
        &self,
        plain: &Plain,
        (id, stream): (ObjectId, &Stream),
    ) -> Option<(Dictionary, Vec<u8>)> {
        let mut about = stream.dict.clone();
        let content = match (self.programs.get(&id), self.maps.get(&id)) {
            (Some(need), _) => {
                let program = plain.decoded(stream)?;
                match packed(&program, need) {
                    Some(packed) => {
                        about.set("Subtype", BARE);
                        packed
                    }
                    None => reduced(&program, need)?,
                }
            }
            (_, Some(characters)) => map_of(characters, &plain.decoded(stream)?),
            _ => return None,
        };
        let deflated = deflate::compressed(&content)?;
        about.remove(b"DecodeParms");
        about.set("Filter", "FlateDecode");
        if about.has(b"Length1") {
            about.set("Length1", i64::try_from(content.len()).ok()?);
        }
        (deflated.len() < Plain::size(stream)).then_some((about, deflated))
    }
}

/// The outlines of PostScript of a font program whose glyphs are found by their names, with those that are needed.
fn packed(program: &[u8], need: &Need) -> Option<Vec<u8>> {
    let glyphs = need.glyphs.as_ref().filter(|_| need.by_names)?;
    match program.first()? {
        1 => cff::packed(program, glyphs),
        _ => cff::packed(sfnt::bare(program)?, glyphs),
    }
}

/// A font program with what is needed only.
fn reduced(program: &[u8], need: &Need) -> Option<Vec<u8>> {
    match (program.first()?, &need.glyphs) {
        (1, Some(glyphs)) => cff::reduced(program, glyphs),
        (1, None) => None,
        _ => subset::reduced(program, need),
    }
}

/// The tables that are read of a font as the document uses it; one is open that may be written with in other ways, too.
fn tables(document: &Document, font: &Font<'_>, is_open: bool) -> Tables {
    let encoding = font.dictionary.get_deref(b"Encoding", document);
    let encoding = encoding.and_then(Object::as_name).ok();
    match (font.descendant.is_some(), encoding) {
        _ if is_open => Tables::ToTypeWith,
        (true, Some(b"Identity-H")) if font.dictionary.has(b"ToUnicode") => Tables::Outlines,
        // What is written downwards may take other forms of glyphs, which a table tells.
        (true, encoding) if encoding != Some(b"Identity-H") => Tables::WithForms,
        _ => Tables::Characters,
    }
}

/// A map of the same length that tells the glyphs of some characters only [ISO 32000-1, 9.7.4.2].
fn map_of(characters: &BTreeSet<u16>, map: &[u8]) -> Vec<u8> {
    let mut kept = vec![0; map.len()];
    let pairs = kept.chunks_exact_mut(2).zip(map.chunks_exact(2));
    for ((kept, glyph), character) in pairs.zip(0_u16..=u16::MAX) {
        if characters.contains(&character) {
            kept.copy_from_slice(glyph);
        }
    }
    kept
}
