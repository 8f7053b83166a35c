//! Subsets the font programs of a PDF: removes tables that no PDF reader uses and, unless lossless, glyphs that are never
//! drawn, and hinting. Glyph ids stay, so that nothing else in the document changes; only CFF programs whose glyphs are
//! found by name are rebuilt with new ids. Fonts that a form may be filled in with keep the glyphs of all their codes.

mod cff;
mod form_fonts;
mod glyphs;
mod hinting;
mod inventory;
mod requirements;
mod sfnt;
mod subset;
mod truetype;
mod usage;

use std::collections::{BTreeSet, HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use self::inventory::{Font, Inventory};
use self::requirements::{Requirements, Tables};
use self::usage::CharacterUsage;
use super::deflate;
use super::duplicates::Duplicates;
use super::lazy_document::LazyDocument;

/// `Subtype` of a bare CFF font program [ISO 32000-1, 9.9].
const BARE_CFF: &str = "Type1C";

/// The requirements on the font programs of a document, and on its `CIDToGIDMap` streams.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    programs: HashMap<ObjectId, Requirements>,
    /// The characters used through each `CIDToGIDMap`; maps that must stay complete are missing.
    maps: HashMap<ObjectId, BTreeSet<u16>>,
}

impl Fonts {
    /// Analyzes the whole document, unless lossless; if part of it cannot be followed, all glyphs are required.
    pub(super) fn of(source: &LazyDocument, duplicates: &Duplicates, is_lossless: bool) -> Self {
        let inventory = Inventory::of(&source.document, duplicates);
        let uses = match is_lossless {
            true => None,
            false => CharacterUsage::of(source),
        };
        let mut found = Self::default();
        let mut complete_maps = HashSet::new();
        let form_fonts = form_fonts::fonts(&source.document);
        for font in &inventory.fonts {
            let program = duplicates.canonical_of(font.program);
            let is_form_font = form_fonts.contains(&font.id);
            let uses = uses.as_ref().and_then(|uses| match is_form_font {
                true => form_fonts::characters(&source.document, font),
                false => Some(uses.of_font(font.id)),
            });
            let uses = uses.filter(|_| !inventory.is_referenced_elsewhere(program));
            let glyphs = uses
                .as_ref()
                .and_then(|uses| glyphs::used(source, font, uses));
            let map = font.gid_map(&source.document);
            if let Some(map) = map.map(|map| duplicates.canonical_of(map)) {
                // If the glyphs are unknown, the codes are not necessarily character ids.
                match uses.filter(|_| glyphs.is_some()) {
                    Some(uses) if !inventory.is_referenced_elsewhere(map) => {
                        found.maps.entry(map).or_default().extend(uses);
                    }
                    _ => {
                        complete_maps.insert(map);
                    }
                }
            }
            let may_be_edited = is_form_font || inventory.is_referenced_elsewhere(program);
            let required = Requirements {
                by_name: glyphs.is_some() && font.uses_glyph_names(),
                hinting: is_lossless || hinting::is_tricky(&font.name(&source.document)),
                tables: tables(&source.document, font, may_be_edited && glyphs.is_none()),
                glyphs,
            };
            found.require(program, required);
        }
        found.maps.retain(|map, _| !complete_maps.contains(map));
        found
    }

    /// Returns whether there is no font program to subset.
    pub(super) fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    fn require(&mut self, program: ObjectId, required: Requirements) {
        match self.programs.get_mut(&program) {
            Some(known) => known.add(required),
            None => {
                self.programs.insert(program, required);
            }
        }
    }

    /// Returns a smaller stream of a font program or `CIDToGIDMap`, if there is one.
    pub(super) fn shrink(
        &self,
        source: &LazyDocument,
        (id, stream): (ObjectId, &Stream),
    ) -> Option<(Dictionary, Vec<u8>)> {
        let mut dictionary = stream.dict.clone();
        let content = match (self.programs.get(&id), self.maps.get(&id)) {
            (Some(required), _) => {
                let program = source.decoded(stream)?;
                match rebuilt_cff(&program, required) {
                    Some(rebuilt) => {
                        dictionary.set("Subtype", BARE_CFF);
                        rebuilt
                    }
                    None => self::subset(&program, required)?,
                }
            }
            (_, Some(characters)) => subset_gid_map(characters, &source.decoded(stream)?),
            _ => return None,
        };
        let deflated = deflate::compress(&content)?;
        dictionary.remove(b"DecodeParms");
        dictionary.set("Filter", "FlateDecode");
        if dictionary.has(b"Length1") {
            dictionary.set("Length1", i64::try_from(content.len()).ok()?);
        }
        (deflated.len() < LazyDocument::size(stream)).then_some((dictionary, deflated))
    }
}

/// Rebuilds a CFF program whose glyphs are found by name, with the required glyphs only.
fn rebuilt_cff(program: &[u8], required: &Requirements) -> Option<Vec<u8>> {
    let glyphs = required.glyphs.as_ref().filter(|_| required.by_name)?;
    match program.first()? {
        1 => cff::rebuild(program, glyphs),
        _ => cff::rebuild(sfnt::bare_cff(program)?, glyphs),
    }
}

/// Subsets a font program, keeping glyph ids.
fn subset(program: &[u8], required: &Requirements) -> Option<Vec<u8>> {
    match (program.first()?, &required.glyphs) {
        (1, Some(glyphs)) => cff::subset(program, glyphs),
        (1, None) => None,
        _ => subset::subset(program, required),
    }
}

/// Returns the tables needed for the use of a font in the document; `may_be_edited` if a user may type text with it.
fn tables(document: &Document, font: &Font<'_>, may_be_edited: bool) -> Tables {
    let encoding = font.dictionary.get_deref(b"Encoding", document);
    let encoding = encoding.and_then(Object::as_name).ok();
    match (font.descendant.is_some(), encoding) {
        _ if may_be_edited => Tables::Typing,
        (true, Some(b"Identity-H")) if font.dictionary.has(b"ToUnicode") => Tables::Outlines,
        // Vertical writing may use alternate glyphs from the GSUB table.
        (true, encoding) if encoding != Some(b"Identity-H") => Tables::Substitution,
        _ => Tables::CharacterMaps,
    }
}

/// Returns a `CIDToGIDMap` of the same length with the entries of some characters only [ISO 32000-1, 9.7.4.2].
fn subset_gid_map(characters: &BTreeSet<u16>, map: &[u8]) -> Vec<u8> {
    let mut kept = vec![0; map.len()];
    let pairs = kept.chunks_exact_mut(2).zip(map.chunks_exact(2));
    for ((kept, glyph), character) in pairs.zip(0_u16..=u16::MAX) {
        if characters.contains(&character) {
            kept.copy_from_slice(glyph);
        }
    }
    kept
}
