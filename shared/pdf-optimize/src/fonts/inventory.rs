//! All fonts of a PDF that have a program, and where else their programs are spoken of.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};
use pdf::objects::is_a;

use crate::duplicates::Duplicates;

/// The entries of a font's description that hold its program [ISO 32000-1, 9.9].
const PROGRAMS: [&[u8]; 3] = [b"FontFile", b"FontFile2", b"FontFile3"];
/// The entry of a font that tells the glyphs of its characters.
const MAP: &[u8] = b"CIDToGIDMap";
/// Deepest nesting of an object that is looked at.
const DEPTH: u32 = 100;

/// A font that content can name.
#[derive(Debug)]
pub(super) struct Font<'a> {
    pub(super) id: ObjectId,
    pub(super) dictionary: &'a Dictionary,
    /// That of a composite font, whose characters have numbers of two bytes.
    pub(super) descendant: Option<&'a Dictionary>,
    /// The stream of its program.
    pub(super) program: ObjectId,
}

impl<'a> Font<'a> {
    /// A font that is an object of its own and has a program.
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
        let programs = PROGRAMS.iter();
        let mut programs =
            programs.filter_map(|key| description.get(key).ok()?.as_reference().ok());
        Some(Self {
            id,
            dictionary,
            descendant,
            program: programs.next()?,
        })
    }

    /// The map of its characters to glyphs, unless they have the same numbers.
    pub(super) fn map(&self, document: &Document) -> Option<ObjectId> {
        let map = self.descendant?.get(MAP).ok()?.as_reference().ok()?;
        document.get_object(map).ok()?.as_stream().ok()?;
        Some(map)
    }

    /// Whether the glyphs of its characters are found by names, if its outlines are those of PostScript.
    pub(super) fn has_names(&self) -> bool {
        is_a(self.dictionary, b"Type1")
    }

    /// Its name, without the letters that tell subsets apart.
    pub(super) fn name(&self, document: &Document) -> String {
        let name = self.dictionary.get_deref(b"BaseFont", document);
        let name = String::from_utf8_lossy(name.and_then(Object::as_name).unwrap_or_default());
        name.split_once('+')
            .map_or(&*name, |(_, name)| name)
            .to_owned()
    }
}

/// All fonts, and what is referred to otherwise than by fonts that are known.
#[derive(Debug, Default)]
pub(super) struct Inventory<'a> {
    pub(super) fonts: Vec<Font<'a>>,
    elsewhere: HashSet<ObjectId>,
}

impl<'a> Inventory<'a> {
    /// Looks through a document, of whose duplicates only one is left.
    pub(super) fn of(document: &'a Document, duplicates: &Duplicates) -> Self {
        let mut found = Self::default();
        for (id, object) in &document.objects {
            if let Object::Dictionary(dictionary) = object {
                found.fonts.extend(Font::of(document, *id, dictionary));
            }
        }
        for object in document.objects.values() {
            found.look(document, object, 0);
        }
        let programs: HashSet<_> = found.fonts.iter().map(|font| font.program).collect();
        let unknown = document
            .objects
            .values()
            .filter_map(|object| object.as_dict().ok());
        let unknown = unknown.flat_map(references);
        let unknown: Vec<_> = unknown
            .filter(|program| !programs.contains(program))
            .collect();
        found.elsewhere.extend(unknown);
        let elsewhere = found.elsewhere.iter();
        found.elsewhere = elsewhere.map(|id| duplicates.last(*id)).collect();
        found
    }

    /// Whether something else than the fonts that are known refers to a stream, or to a duplicate of it.
    pub(super) fn is_elsewhere(&self, stream: ObjectId) -> bool {
        self.elsewhere.contains(&stream)
    }

    fn look(&mut self, document: &Document, object: &Object, depth: u32) {
        if depth > DEPTH {
            return;
        }
        match object {
            Object::Reference(id) => {
                self.elsewhere.insert(*id);
            }
            Object::Array(items) => {
                for item in items {
                    self.look(document, item, depth + 1);
                }
            }
            Object::Dictionary(members) => self.look_into(document, members, depth),
            Object::Stream(stream) => self.look_into(document, &stream.dict, depth + 1),
            _ => {}
        }
    }

    fn look_into(&mut self, document: &Document, members: &Dictionary, depth: u32) {
        // Within another object: whoever names it there is not known.
        if depth > 0 {
            self.elsewhere.extend(references(members));
            let inner = Font::of(document, (0, 0), members);
            self.elsewhere.extend(inner.iter().map(|font| font.program));
            self.elsewhere
                .extend(inner.iter().filter_map(|font| font.map(document)));
        }
        for (key, value) in members {
            let is_known = PROGRAMS.contains(&key.as_slice()) || key == MAP;
            if !is_known || value.as_reference().is_err() {
                self.look(document, value, depth + 1);
            }
        }
    }
}

/// The programs that a description refers to.
fn references(description: &Dictionary) -> impl Iterator<Item = ObjectId> {
    let references = PROGRAMS.iter();
    references.filter_map(|key| description.get(key).ok()?.as_reference().ok())
}
