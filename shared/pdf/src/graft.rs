//! Copies objects of one document into a patch of another, without the pages that they name.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::patch::Patch;

/// Deepest nesting that is copied.
const DEPTH: u32 = 100;
/// Most objects that are copied.
const OBJECTS: usize = 200_000;

/// Members that lead back, or to content that is not copied.
const LEFT: [&[u8]; 6] = [b"Parent", b"P", b"StructParent", b"AP", b"Popup", b"SE"];

/// Copies objects of a document.
pub struct Graft<'a> {
    from: &'a Document,
    /// What the pages of the document are in the other one; the others are gone.
    pages: HashMap<ObjectId, ObjectId>,
    copied: HashMap<ObjectId, ObjectId>,
}

impl<'a> Graft<'a> {
    /// Copies from a document, some pages of which are these in the other one.
    pub fn new(from: &'a Document, pages: HashMap<ObjectId, ObjectId>) -> Self {
        Self {
            from,
            pages,
            copied: HashMap::new(),
        }
    }

    /// An object as it is to stand in the other document. What cannot be copied is null there.
    pub fn copy(&mut self, object: &Object, patch: &mut Patch) -> Object {
        self.copy_at(object, patch, 0)
    }

    fn copy_at(&mut self, object: &Object, patch: &mut Patch, depth: u32) -> Object {
        if depth > DEPTH {
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
        let members = of.iter().filter(|(key, _)| !LEFT.contains(&key.as_slice()));
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
        if self.copied.len() > OBJECTS {
            return Object::Null;
        }
        let copy = patch.new_id();
        self.copied.insert(id, copy);
        let object = self.copy_at(object, patch, depth + 1);
        patch.set(copy, &object);
        Object::Reference(copy)
    }
}
