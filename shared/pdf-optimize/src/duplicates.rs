//! Finds what a PDF holds more than once: streams such as fonts and pictures, and what describes fonts and colours.
//!
//! Only objects are taken for one another that nobody tells apart by where they stand: no pages, annotations or parts of the
//! document's structure.

use std::collections::HashMap;

use domain::key::hex;
use lopdf::{Dictionary, Object, ObjectId};
use sha2::{Digest as _, Sha256};

use super::plain::Plain;

/// How often what leads to duplicates is looked at again: a font, what describes it, its file.
const ROUNDS: usize = 5;
/// Deepest nesting of an object that is compared.
const DEPTH: u32 = 30;

/// Which objects stand for which others.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    first: HashMap<ObjectId, ObjectId>,
}

impl Duplicates {
    /// Finds all of them.
    pub(super) fn of(plain: &Plain) -> Self {
        let mut found = Self::default();
        let contents = contents(plain);
        for _ in 0..ROUNDS {
            if !found.look(plain, &contents) {
                break;
            }
        }
        found
    }

    /// Whether another object stands for this one.
    pub(super) fn contains(&self, id: ObjectId) -> bool {
        self.first.contains_key(&id)
    }

    /// The same object with references to what stands for others; `None` if there are none.
    pub(super) fn replaced(&self, object: &Object) -> Option<Object> {
        let mut changed = false;
        let object = self.map(object, &mut changed, 0);
        changed.then_some(object)
    }

    fn map(&self, object: &Object, changed: &mut bool, depth: u32) -> Object {
        match object {
            _ if depth > DEPTH => object.clone(),
            Object::Reference(id) => {
                let first = self.first.get(id);
                *changed |= first.is_some();
                Object::Reference(first.copied().unwrap_or(*id))
            }
            Object::Array(items) => {
                let items = items.iter().map(|item| self.map(item, changed, depth + 1));
                Object::Array(items.collect())
            }
            Object::Dictionary(members) => {
                Object::Dictionary(self.map_members(members, changed, depth))
            }
            other => other.clone(),
        }
    }

    fn map_members(&self, members: &Dictionary, changed: &mut bool, depth: u32) -> Dictionary {
        let members = members.iter();
        let mapped = members.map(|(key, value)| (key.clone(), self.map(value, changed, depth + 1)));
        mapped.collect()
    }

    /// The same dictionary with references to what stands for others.
    pub(super) fn replaced_members(&self, members: &Dictionary) -> Option<Dictionary> {
        let mut changed = false;
        let members = self.map_members(members, &mut changed, 0);
        changed.then_some(members)
    }

    /// Looks at all objects once; whether it found anything.
    fn look(&mut self, plain: &Plain, contents: &HashMap<ObjectId, String>) -> bool {
        let mut known: HashMap<Vec<u8>, ObjectId> = HashMap::new();
        let mut found = Vec::new();
        for (id, object) in &plain.document.objects {
            if self.contains(*id) {
                continue;
            }
            let mut key = Vec::new();
            let is_alike = match object {
                Object::Stream(stream) => contents.get(id).is_some_and(|content| {
                    key.extend(content.bytes());
                    self.write_members(&stream.dict, &mut key, 0)
                }),
                other => is_description(other) && self.write(other, &mut key, 0),
            };
            if !is_alike {
                continue;
            }
            match known.get(&key) {
                Some(first) => found.push((*id, *first)),
                None => {
                    known.insert(key, *id);
                }
            }
        }
        let any = !found.is_empty();
        self.first.extend(found);
        // Who stood for others may have found its own.
        let resolved: Vec<_> = self
            .first
            .iter()
            .map(|(id, first)| (*id, self.last(*first)))
            .collect();
        self.first.extend(resolved);
        any
    }

    /// The object that stands for another, or that itself.
    pub(super) fn last(&self, id: ObjectId) -> ObjectId {
        let mut id = id;
        for _ in 0..=ROUNDS {
            match self.first.get(&id) {
                Some(first) => id = *first,
                None => break,
            }
        }
        id
    }

    /// How a dictionary is spelled, where others may stand for what it refers to; `None` if it may not stand for another.
    pub(super) fn spelled(&self, members: &Dictionary) -> Option<Vec<u8>> {
        let mut spelled = Vec::new();
        self.write_members(members, &mut spelled, 0)
            .then_some(spelled)
    }

    /// Spells an object so that two are the same if they are spelled the same; whether it could be.
    fn write(&self, object: &Object, out: &mut Vec<u8>, depth: u32) -> bool {
        if depth > DEPTH {
            return false;
        }
        match object {
            Object::Reference(id) => {
                let id = self.first.get(id).unwrap_or(id);
                out.extend(format!("{} {} R ", id.0, id.1).bytes());
                true
            }
            Object::Array(items) => {
                out.push(b'[');
                let written = items.iter().all(|item| self.write(item, out, depth + 1));
                out.push(b']');
                written
            }
            Object::Dictionary(members) => self.write_members(members, out, depth),
            Object::Stream(_) => false,
            Object::Name(name) => {
                out.extend(format!("/{} ", hex(name)).bytes());
                true
            }
            Object::String(text, _) => {
                out.extend(format!("({}) ", hex(text)).bytes());
                true
            }
            other => {
                out.extend(format!("{other:?} ").bytes());
                true
            }
        }
    }

    fn write_members(&self, members: &Dictionary, out: &mut Vec<u8>, depth: u32) -> bool {
        // Whoever has one of these is told apart by where it stands.
        const PLACED: [&[u8]; 4] = [b"StructParent", b"StructParents", b"Parent", b"P"];
        if PLACED.iter().any(|key| members.has(key)) {
            return false;
        }
        let mut sorted: Vec<_> = members.iter().collect();
        sorted.sort_by_key(|(key, _)| *key);
        out.push(b'<');
        let written = sorted.into_iter().all(|(key, value)| {
            out.extend(format!("/{} ", hex(key)).bytes());
            self.write(value, out, depth + 1)
        });
        out.push(b'>');
        written
    }
}

/// Whether an object describes fonts, colours or how things are drawn.
fn is_description(object: &Object) -> bool {
    const KINDS: [&[u8]; 4] = [b"Font", b"FontDescriptor", b"Encoding", b"ExtGState"];
    const SPACES: [&[u8]; 7] = [
        b"ICCBased",
        b"Indexed",
        b"Separation",
        b"DeviceN",
        b"CalRGB",
        b"CalGray",
        b"Lab",
    ];
    match object {
        Object::Dictionary(members) => {
            let kind = members.get(b"Type").and_then(Object::as_name);
            kind.is_ok_and(|kind| KINDS.contains(&kind))
        }
        Object::Array(items) => {
            let name = items.first().map(Object::as_name);
            let is_space = matches!(name, Some(Ok(name)) if SPACES.contains(&name));
            let is_number = |item: &Object| matches!(item, Object::Integer(_) | Object::Real(_));
            is_space || (!items.is_empty() && items.iter().all(is_number))
        }
        _ => false,
    }
}

/// The hashes of streams of whose size there is more than one.
fn contents(plain: &Plain) -> HashMap<ObjectId, String> {
    let mut sizes: HashMap<usize, u32> = HashMap::new();
    for (_, stream) in plain.streams() {
        *sizes.entry(Plain::size(stream)).or_default() += 1;
    }
    let several = plain.streams().filter(|(_, stream)| {
        let count = sizes.get(&Plain::size(stream));
        count.is_some_and(|count| *count > 1) && !stream.dict.has_type(b"Metadata")
    });
    several
        .filter_map(|(id, stream)| {
            let content = plain.with_content(stream)?.content;
            Some((id, hex(&Sha256::digest(content))))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use lopdf::{Document, Stream, dictionary};
    use pdf::qpdf::Job;

    use super::*;

    #[test]
    fn fonts_of_the_same_file_are_one_font_and_pages_stay_apart() {
        let mut document = Document::with_version("1.7");
        let mut font = |content: &[u8]| {
            let file = document.add_object(Stream::new(dictionary! {}, content.to_vec()));
            let about = dictionary! { "Type" => "FontDescriptor", "FontFile2" => file };
            let about = document.add_object(about);
            document.add_object(dictionary! { "Type" => "Font", "FontDescriptor" => about })
        };
        let [one, same, other] = [b"glyphs", b"glyphs", b"shapes"].map(|content| font(content));
        let mut page = || document.add_object(dictionary! { "Type" => "Page" });
        let (page, another) = (page(), page());
        let kids = [one, same, other, page, another]
            .map(Object::Reference)
            .to_vec();
        let pages = dictionary! { "Type" => "Pages", "Kids" => Vec::new(), "Count" => 0 };
        let pages = document.add_object(pages);
        let catalog = dictionary! { "Type" => "Catalog", "Pages" => pages, "All" => kids };
        let catalog = document.add_object(catalog);
        document.trailer.set("Root", catalog);
        let file = tempfile::NamedTempFile::new().unwrap();
        document.save(file.path()).unwrap();
        let plain = tempfile::NamedTempFile::new().unwrap();
        let job = Job::read(file.path()).option("--object-streams=disable");
        job.write(plain.path()).unwrap();
        let plain = Plain::open(plain.path()).unwrap();
        let all = plain.document.catalog().unwrap().get(b"All").unwrap();
        let replaced = Duplicates::of(&plain).replaced(all).unwrap();
        let ids = all.as_array().unwrap();
        let expected: Vec<Object> = [0, 0, 2, 3, 4].map(|at| ids[at].clone()).to_vec();
        assert_eq!(replaced, Object::Array(expected));
    }
}
