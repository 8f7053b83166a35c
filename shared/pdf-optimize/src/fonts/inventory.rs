//! Finds all fonts of a PDF with embedded programs, and other references to these programs.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};
use pdf::objects::is_a;

use crate::duplicates::Duplicates;

/// Keys of a font descriptor for the font program [ISO 32000-1, 9.9].
const PROGRAM_KEYS: [&[u8]; 3] = [b"FontFile", b"FontFile2", b"FontFile3"];
/// Key of a CIDFont for the map from characters to glyphs.
const GID_MAP: &[u8] = b"CIDToGIDMap";
/// Maximum nesting depth of an object that is searched.
const MAX_DEPTH: u32 = 100;

/// A font that content streams can select.
#[derive(Debug)]
pub(super) struct Font<'a> {
    pub(super) id: ObjectId,
    pub(super) dictionary: &'a Dictionary,
    /// The CIDFont of a composite font.
    pub(super) descendant: Option<&'a Dictionary>,
    /// The stream of the font program.
    pub(super) program: ObjectId,
}

impl<'a> Font<'a> {
    /// Parses a font that is an indirect object and has an embedded program.
    fn of(document: &'a Document, id: ObjectId, dictionary: &'a Dictionary) -> Option<Self> {
        let kind = dictionary.get(b"Subtype").and_then(Object::as_name);
        if kind.is_ok_and(|kind| kind.starts_with(b"CIDFont")) {
            return None;
        }
        let descendants = dictionary.get_deref(b"DescendantFonts", document);
        let descendants = descendants.and_then(Object::as_array).ok();
        let descendant = match descendants {
            Some(descendants) => {
                let (_, descendant) = document.dereference(descendants.first()?).ok()?;
                Some(descendant.as_dict().ok()?)
            }
            None => None,
        };
        let described = descendant.unwrap_or(dictionary);
        let description = described.get_deref(b"FontDescriptor", document).ok()?;
        let description = description.as_dict().ok()?;
        let programs = PROGRAM_KEYS.iter();
        let mut programs =
            programs.filter_map(|key| description.get(key).ok()?.as_reference().ok());
        Some(Self {
            id,
            dictionary,
            descendant,
            program: programs.next()?,
        })
    }

    /// Returns the `CIDToGIDMap` stream, if there is one.
    pub(super) fn gid_map(&self, document: &Document) -> Option<ObjectId> {
        let map = self.descendant?.get(GID_MAP).ok()?.as_reference().ok()?;
        document.get_object(map).ok()?.as_stream().ok()?;
        Some(map)
    }

    /// Returns whether glyphs are found by name if the program is CFF.
    pub(super) fn uses_glyph_names(&self) -> bool {
        is_a(self.dictionary, b"Type1")
    }

    /// Returns the font name without its subset tag.
    pub(super) fn name(&self, document: &Document) -> String {
        let name = self.dictionary.get_deref(b"BaseFont", document);
        let name = String::from_utf8_lossy(name.and_then(Object::as_name).unwrap_or_default());
        name.split_once('+')
            .map_or(&*name, |(_, name)| name)
            .to_owned()
    }
}

/// All fonts, and objects with references from elsewhere.
#[derive(Debug, Default)]
pub(super) struct Inventory<'a> {
    pub(super) fonts: Vec<Font<'a>>,
    elsewhere: HashSet<ObjectId>,
}

impl<'a> Inventory<'a> {
    /// Searches a document.
    pub(super) fn of(document: &'a Document, duplicates: &Duplicates) -> Self {
        let mut found = Self::default();
        for (id, object) in &document.objects {
            if let Object::Dictionary(dictionary) = object {
                found.fonts.extend(Font::of(document, *id, dictionary));
            }
        }
        for object in document.objects.values() {
            found.search(document, object, 0);
        }
        let programs: HashSet<_> = found.fonts.iter().map(|font| font.program).collect();
        let unknown = document
            .objects
            .values()
            .filter_map(|object| object.as_dict().ok());
        let unknown = unknown.flat_map(programs_of);
        let unknown: Vec<_> = unknown
            .filter(|program| !programs.contains(program))
            .collect();
        found.elsewhere.extend(unknown);
        let elsewhere = found.elsewhere.iter();
        found.elsewhere = elsewhere.map(|id| duplicates.canonical_of(*id)).collect();
        found
    }

    /// Returns whether a stream, or a duplicate of it, is referenced by anything but the found fonts.
    pub(super) fn is_referenced_elsewhere(&self, stream: ObjectId) -> bool {
        self.elsewhere.contains(&stream)
    }

    fn search(&mut self, document: &Document, object: &Object, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        match object {
            Object::Reference(id) => {
                self.elsewhere.insert(*id);
            }
            Object::Array(items) => {
                for item in items {
                    self.search(document, item, depth + 1);
                }
            }
            Object::Dictionary(members) => self.search_members(document, members, depth),
            Object::Stream(stream) => self.search_members(document, &stream.dict, depth + 1),
            _ => {}
        }
    }

    fn search_members(&mut self, document: &Document, members: &Dictionary, depth: u32) {
        // A direct object: the content that selects this font cannot be identified.
        if depth > 0 {
            self.elsewhere.extend(programs_of(members));
            let inner = Font::of(document, (0, 0), members);
            self.elsewhere.extend(inner.iter().map(|font| font.program));
            self.elsewhere
                .extend(inner.iter().filter_map(|font| font.gid_map(document)));
        }
        for (key, value) in members {
            let is_known = PROGRAM_KEYS.contains(&key.as_slice()) || key == GID_MAP;
            if !is_known || value.as_reference().is_err() {
                self.search(document, value, depth + 1);
            }
        }
    }
}

/// Returns the font programs that a descriptor refers to.
fn programs_of(description: &Dictionary) -> impl Iterator<Item = ObjectId> {
    let references = PROGRAM_KEYS.iter();
    references.filter_map(|key| description.get(key).ok()?.as_reference().ok())
}
