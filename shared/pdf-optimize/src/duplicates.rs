//! Finds duplicate objects of a PDF: streams such as fonts and images, and dictionaries that describe fonts and color spaces.
//!
//! Only objects whose identity has no meaning are merged: no pages, annotations or structure elements.

use std::collections::HashMap;

use domain::key::hex;
use lopdf::{Dictionary, Object, ObjectId};
use sha2::{Digest as _, Sha256};

use super::lazy_document::LazyDocument;

/// Maximum passes: merging font files makes font descriptors equal, then fonts.
const MAX_PASSES: usize = 5;
/// Maximum nesting depth of a compared object.
const MAX_DEPTH: u32 = 30;

/// Maps each duplicate to its canonical object.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    canonical: HashMap<ObjectId, ObjectId>,
}

impl Duplicates {
    /// Finds all duplicates.
    pub(super) fn of(source: &LazyDocument) -> Self {
        let mut found = Self::default();
        let content_hashes = content_hashes(source);
        for _ in 0..MAX_PASSES {
            if !found.find_once(source, &content_hashes) {
                break;
            }
        }
        found
    }

    /// Returns whether the object is a duplicate of another.
    pub(super) fn contains(&self, id: ObjectId) -> bool {
        self.canonical.contains_key(&id)
    }

    /// Redirects references to canonical objects; `None` if nothing changes.
    pub(super) fn redirected(&self, object: &Object) -> Option<Object> {
        let mut changed = false;
        let object = self.redirect(object, &mut changed, 0);
        changed.then_some(object)
    }

    fn redirect(&self, object: &Object, changed: &mut bool, depth: u32) -> Object {
        match object {
            _ if depth > MAX_DEPTH => object.clone(),
            Object::Reference(id) => {
                let first = self.canonical.get(id);
                *changed |= first.is_some();
                Object::Reference(first.copied().unwrap_or(*id))
            }
            Object::Array(items) => {
                let items = items
                    .iter()
                    .map(|item| self.redirect(item, changed, depth + 1));
                Object::Array(items.collect())
            }
            Object::Dictionary(members) => {
                Object::Dictionary(self.redirect_members(members, changed, depth))
            }
            other => other.clone(),
        }
    }

    fn redirect_members(&self, members: &Dictionary, changed: &mut bool, depth: u32) -> Dictionary {
        let members = members.iter();
        let mapped =
            members.map(|(key, value)| (key.clone(), self.redirect(value, changed, depth + 1)));
        mapped.collect()
    }

    /// Redirects the references of a dictionary; `None` if nothing changes.
    pub(super) fn redirected_members(&self, members: &Dictionary) -> Option<Dictionary> {
        let mut changed = false;
        let members = self.redirect_members(members, &mut changed, 0);
        changed.then_some(members)
    }

    /// Makes one pass over all objects; returns whether it found duplicates.
    fn find_once(
        &mut self,
        source: &LazyDocument,
        content_hashes: &HashMap<ObjectId, String>,
    ) -> bool {
        let mut seen: HashMap<Vec<u8>, ObjectId> = HashMap::new();
        let mut found = Vec::new();
        for (id, object) in &source.document.objects {
            if self.contains(*id) {
                continue;
            }
            let mut key = Vec::new();
            let is_mergeable = match object {
                Object::Stream(stream) => content_hashes.get(id).is_some_and(|content| {
                    key.extend(content.bytes());
                    self.serialize_members(&stream.dict, &mut key, 0)
                }),
                other => is_shareable(other) && self.serialize(other, &mut key, 0),
            };
            if !is_mergeable {
                continue;
            }
            match seen.get(&key) {
                Some(first) => found.push((*id, *first)),
                None => {
                    seen.insert(key, *id);
                }
            }
        }
        let any = !found.is_empty();
        self.canonical.extend(found);
        // A canonical object may have become a duplicate itself.
        let resolved: Vec<_> = self
            .canonical
            .iter()
            .map(|(id, first)| (*id, self.canonical_of(*first)))
            .collect();
        self.canonical.extend(resolved);
        any
    }

    /// Returns the canonical object of an object, which may be itself.
    pub(super) fn canonical_of(&self, id: ObjectId) -> ObjectId {
        let mut id = id;
        for _ in 0..=MAX_PASSES {
            match self.canonical.get(&id) {
                Some(first) => id = *first,
                None => break,
            }
        }
        id
    }

    /// Serializes a dictionary canonically, with references redirected; `None` if it must not be merged.
    pub(super) fn serialized(&self, members: &Dictionary) -> Option<Vec<u8>> {
        let mut serialized = Vec::new();
        self.serialize_members(members, &mut serialized, 0)
            .then_some(serialized)
    }

    /// Appends the canonical serialization of an object, equal for equal objects; returns `false` if it must not be merged.
    fn serialize(&self, object: &Object, out: &mut Vec<u8>, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match object {
            Object::Reference(id) => {
                let id = self.canonical.get(id).unwrap_or(id);
                out.extend(format!("{} {} R ", id.0, id.1).bytes());
                true
            }
            Object::Array(items) => {
                out.push(b'[');
                let ok = items
                    .iter()
                    .all(|item| self.serialize(item, out, depth + 1));
                out.push(b']');
                ok
            }
            Object::Dictionary(members) => self.serialize_members(members, out, depth),
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

    fn serialize_members(&self, members: &Dictionary, out: &mut Vec<u8>, depth: u32) -> bool {
        // Objects with these entries are identified by their position in the document.
        const POSITIONAL: [&[u8]; 4] = [b"StructParent", b"StructParents", b"Parent", b"P"];
        if POSITIONAL.iter().any(|key| members.has(key)) {
            return false;
        }
        let mut sorted: Vec<_> = members.iter().collect();
        sorted.sort_by_key(|(key, _)| *key);
        out.push(b'<');
        let ok = sorted.into_iter().all(|(key, value)| {
            out.extend(format!("/{} ", hex(key)).bytes());
            self.serialize(value, out, depth + 1)
        });
        out.push(b'>');
        ok
    }
}

/// Returns whether an object describes a font, color space or graphics state.
fn is_shareable(object: &Object) -> bool {
    const TYPES: [&[u8]; 4] = [b"Font", b"FontDescriptor", b"Encoding", b"ExtGState"];
    const COLOR_SPACES: [&[u8]; 7] = [
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
            kind.is_ok_and(|kind| TYPES.contains(&kind))
        }
        Object::Array(items) => {
            let name = items.first().map(Object::as_name);
            let is_space = matches!(name, Some(Ok(name)) if COLOR_SPACES.contains(&name));
            let is_number = |item: &Object| matches!(item, Object::Integer(_) | Object::Real(_));
            is_space || (!items.is_empty() && items.iter().all(is_number))
        }
        _ => false,
    }
}

/// Hashes the streams whose size occurs more than once.
fn content_hashes(source: &LazyDocument) -> HashMap<ObjectId, String> {
    let mut sizes: HashMap<usize, u32> = HashMap::new();
    for (_, stream) in source.streams() {
        *sizes.entry(LazyDocument::size(stream)).or_default() += 1;
    }
    let several = source.streams().filter(|(_, stream)| {
        let count = sizes.get(&LazyDocument::size(stream));
        count.is_some_and(|count| *count > 1) && !stream.dict.has_type(b"Metadata")
    });
    several
        .filter_map(|(id, stream)| {
            let content = source.with_content(stream)?.content;
            Some((id, hex(&Sha256::digest(content))))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use lopdf::{Document, Stream, dictionary};
    use pdf::qpdf::QpdfJob;

    use super::*;

    #[test]
    fn fonts_with_equal_files_are_merged_and_pages_are_not() {
        let mut document = Document::with_version("1.7");
        let mut font = |content: &[u8]| {
            let file = document.add_object(Stream::new(dictionary! {}, content.to_vec()));
            let descriptor = dictionary! { "Type" => "FontDescriptor", "FontFile2" => file };
            let descriptor = document.add_object(descriptor);
            document.add_object(dictionary! { "Type" => "Font", "FontDescriptor" => descriptor })
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
        let source = tempfile::NamedTempFile::new().unwrap();
        let job = QpdfJob::read(file.path()).option("--object-streams=disable");
        job.write(source.path()).unwrap();
        let source = LazyDocument::open(source.path()).unwrap();
        let all = source.document.catalog().unwrap().get(b"All").unwrap();
        let redirected = Duplicates::of(&source).redirected(all).unwrap();
        let ids = all.as_array().unwrap();
        let expected: Vec<Object> = [0, 0, 2, 3, 4].map(|at| ids[at].clone()).to_vec();
        assert_eq!(redirected, Object::Array(expected));
    }
}
