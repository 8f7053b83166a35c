//! Deep-copies objects of one document into a patch of another, except for pages.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::patch::Patch;

/// Maximum nesting depth.
const MAX_DEPTH: u32 = 100;
/// Maximum number of objects.
const MAX_OBJECTS: usize = 200_000;

/// Members that are not copied: references to parents and to page content.
const SKIPPED_KEYS: [&[u8]; 6] = [b"Parent", b"P", b"StructParent", b"AP", b"Popup", b"SE"];

/// Copies objects of a document.
pub struct ObjectCopier<'a> {
    from: &'a Document,
    /// Object numbers of its pages in the target document; other pages are dropped.
    pages: HashMap<ObjectId, ObjectId>,
    copied: HashMap<ObjectId, ObjectId>,
}

impl<'a> ObjectCopier<'a> {
    /// Creates a copier with a map of pages to their object numbers in the target document.
    pub fn new(from: &'a Document, pages: HashMap<ObjectId, ObjectId>) -> Self {
        Self {
            from,
            pages,
            copied: HashMap::new(),
        }
    }

    /// Copies an object. Streams, pages without a counterpart, and objects beyond the limits become null.
    pub fn copy(&mut self, object: &Object, patch: &mut Patch) -> Object {
        self.copy_at(object, patch, 0)
    }

    fn copy_at(&mut self, object: &Object, patch: &mut Patch, depth: u32) -> Object {
        if depth > MAX_DEPTH {
            return Object::Null;
        }
        match object {
            Object::Array(items) => {
                let items = items.iter();
                let items = items.map(|item| self.copy_at(item, patch, depth + 1));
                Object::Array(items.collect())
            }
            Object::Dictionary(dictionary) => {
                Object::Dictionary(self.copy_members(dictionary, patch, depth))
            }
            Object::Reference(id) => self.copy_referenced(*id, patch, depth),
            Object::Stream(_) => Object::Null,
            other => other.clone(),
        }
    }

    fn copy_members(&mut self, of: &Dictionary, patch: &mut Patch, depth: u32) -> Dictionary {
        let members = of
            .iter()
            .filter(|(key, _)| !SKIPPED_KEYS.contains(&key.as_slice()));
        let members =
            members.map(|(key, object)| (key.clone(), self.copy_at(object, patch, depth + 1)));
        members.collect()
    }

    fn copy_referenced(&mut self, id: ObjectId, patch: &mut Patch, depth: u32) -> Object {
        if let Some(known) = self.pages.get(&id).or_else(|| self.copied.get(&id)) {
            return Object::Reference(*known);
        }
        let from = self.from;
        let object = match from.get_object(id) {
            Ok(Object::Stream(_)) | Err(_) => return Object::Null,
            Ok(Object::Dictionary(page)) if page.has_type(b"Page") => return Object::Null,
            Ok(object) => object,
        };
        if self.copied.len() > MAX_OBJECTS {
            return Object::Null;
        }
        let copy = patch.new_id();
        self.copied.insert(id, copy);
        let object = self.copy_at(object, patch, depth + 1);
        patch.set(copy, &object);
        Object::Reference(copy)
    }
}
