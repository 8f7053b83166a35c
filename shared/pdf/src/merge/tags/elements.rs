//! Copies structure elements [ISO 32000-1, 14.7.2].

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::object_map::ObjectMap;
use super::renaming::Renaming;
use crate::object_copier::ObjectCopier;
use crate::patch::Patch;

/// Maximum number of elements of a document.
const MAX_ELEMENTS: usize = 1_000_000;

/// Maximum nesting depth of attribute lists, and maximum number of attributes in them.
const MAX_DEPTH: u32 = 4;
const MAX_ATTRIBUTES: usize = 1_000;

/// Copies the structure elements of a document.
pub(super) struct Elements<'d> {
    document: &'d Document,
    /// Objects that are in the merged document already.
    pairs: ObjectMap,
    /// Object numbers of the copied elements.
    copies: HashMap<ObjectId, ObjectId>,
    gathered: Vec<Element<'d>>,
    object_copier: ObjectCopier<'d>,
    root: ObjectId,
}

/// An element to be copied.
struct Element<'d> {
    source: &'d Dictionary,
    id: ObjectId,
    parent: ObjectId,
    kids: Vec<Object>,
}

/// Elements to visit, with their object number and their parent's in the merged document.
type Unvisited<'d> = Vec<(&'d Dictionary, ObjectId, ObjectId)>;

impl<'d> Elements<'d> {
    /// Creates a copier that adds top-level elements below `root`.
    pub(super) fn new(document: &'d Document, pairs: ObjectMap, root: ObjectId) -> Self {
        Self {
            document,
            pairs,
            copies: HashMap::new(),
            gathered: Vec::new(),
            object_copier: ObjectCopier::new(document, HashMap::new()),
            root,
        }
    }

    /// Collects all elements below the structure tree root and returns the top-level ones; `None` if there are none, or too
    /// many.
    pub(super) fn gather(
        &mut self,
        root: &'d Dictionary,
        patch: &mut Patch,
    ) -> Option<Vec<Object>> {
        let mut unvisited = Vec::new();
        let top = self.kids(root, self.root, &mut unvisited, patch);
        while let Some((source, id, parent)) = unvisited.pop() {
            let kids = self.kids(source, id, &mut unvisited, patch);
            self.gathered.push(Element {
                source,
                id,
                parent,
                kids,
            });
            if self.gathered.len() + unvisited.len() > MAX_ELEMENTS {
                return None;
            }
        }
        let mut known = self.copies.clone();
        known.extend(std::mem::replace(&mut self.pairs, ObjectMap::none()).into_inner());
        self.object_copier = ObjectCopier::new(self.document, known);
        (!top.is_empty()).then_some(top)
    }

    fn kids(
        &mut self,
        of: &'d Dictionary,
        parent: ObjectId,
        unvisited: &mut Unvisited<'d>,
        patch: &mut Patch,
    ) -> Vec<Object> {
        let document = self.document;
        let Ok(kids) = of.get(b"K") else {
            return Vec::new();
        };
        let kids = match document.dereference(kids) {
            Ok((_, Object::Array(kids))) => kids.as_slice(),
            _ => std::slice::from_ref(kids),
        };
        let mut copies = Vec::new();
        for kid in kids {
            match document.dereference(kid) {
                Ok((_, Object::Integer(number))) => copies.push(Object::Integer(*number)),
                Ok((id, Object::Dictionary(kid))) => {
                    copies.extend(self.kid((id, kid), parent, unvisited, patch));
                }
                _ => {}
            }
        }
        copies
    }

    fn kid(
        &mut self,
        (id, kid): (Option<ObjectId>, &'d Dictionary),
        parent: ObjectId,
        unvisited: &mut Unvisited<'d>,
        patch: &mut Patch,
    ) -> Option<Object> {
        match kid.get(b"Type").and_then(Object::as_name) {
            Ok(b"MCR") => self.reference(kid, &[b"Stm"]),
            Ok(b"OBJR") => self.reference(kid, &[b"Obj"]),
            // An element with several parents belongs to the first one.
            _ if id.is_some_and(|id| self.copies.contains_key(&id)) => None,
            _ => {
                let copy = patch.new_id();
                self.copies.extend(id.map(|id| (id, copy)));
                unvisited.push((kid, copy, parent));
                Some(copy.into())
            }
        }
    }

    /// Copies a marked-content or object reference, if its target was copied.
    fn reference(&self, kid: &Dictionary, to: &[&[u8]]) -> Option<Object> {
        let mut copy = Dictionary::new();
        for (key, value) in kid {
            let refers = key == b"Pg" || to.contains(&key.as_slice());
            match value {
                Object::Reference(id) if refers => copy.set(key.clone(), self.pairs.get(*id)?),
                Object::Name(_) | Object::Integer(_) => copy.set(key.clone(), value.clone()),
                _ => {}
            }
        }
        Some(copy.into())
    }

    /// Copies a value of the parent tree: an element, or one for each marked-content sequence of a page.
    pub(super) fn parent(&self, parent: &Object, patch: &mut Patch) -> Option<Object> {
        let copy = |object: &Object| {
            let id = object.as_reference().ok()?;
            self.copies.get(&id).map(|id| Object::Reference(*id))
        };
        match self.document.dereference(parent) {
            Ok((_, Object::Array(parents))) => {
                let parents = parents.iter();
                let parents = parents.map(|parent| copy(parent).unwrap_or(Object::Null));
                let parents: Vec<Object> = parents.collect();
                Some(patch.add(&parents.into()).into())
            }
            _ => copy(parent),
        }
    }

    /// Copies any other object of the document.
    pub(super) fn copy(&mut self, object: &Object, patch: &mut Patch) -> Object {
        self.object_copier.copy(object, patch)
    }

    /// Copies attributes as a direct object, in which identifiers can be renamed.
    pub(super) fn copy_attributes(&mut self, attributes: &'d Object, patch: &mut Patch) -> Object {
        self.copy_listed(attributes, patch, (0, &mut 0))
    }

    fn copy_listed(
        &mut self,
        attributes: &'d Object,
        patch: &mut Patch,
        (depth, count): (u32, &mut usize),
    ) -> Object {
        *count += 1;
        if depth > MAX_DEPTH || *count > MAX_ATTRIBUTES {
            return Object::Null;
        }
        match self.document.dereference(attributes) {
            Ok((_, Object::Array(items))) => {
                let items = items.iter();
                let items =
                    items.map(|item| self.copy_listed(item, patch, (depth + 1, &mut *count)));
                Object::Array(items.collect())
            }
            Ok((_, object)) => self.object_copier.copy(object, patch),
            Err(_) => Object::Null,
        }
    }

    /// Returns the object number of a copied element.
    pub(super) fn copy_of(&self, element: &Object) -> Option<ObjectId> {
        let id = element.as_reference().ok()?;
        self.copies.get(&id).copied()
    }

    /// The appended document.
    pub(super) fn document(&self) -> &'d Document {
        self.document
    }

    /// Writes all collected elements.
    pub(super) fn write(&mut self, renamed: &Renaming, patch: &mut Patch) {
        let language = self
            .document
            .catalog()
            .and_then(|catalog| catalog.get(b"Lang"));
        let language = language.ok().cloned();
        for element in std::mem::take(&mut self.gathered) {
            let mut copy = dictionary! { "Type" => "StructElem", "P" => element.parent };
            for (key, value) in element.source {
                let value = match key.as_slice() {
                    // Associated files are not copied.
                    b"Type" | b"P" | b"K" | b"AF" => continue,
                    b"A" => self.copy_attributes(value, patch),
                    _ => self.object_copier.copy(value, patch),
                };
                if value != Object::Null {
                    copy.set(key.clone(), renamed.member(key, value));
                }
            }
            match <[Object; 1]>::try_from(element.kids) {
                Ok([only]) => copy.set("K", only),
                Err(kids) if kids.is_empty() => {}
                Err(kids) => copy.set("K", kids),
            }
            if let Some(language) = &language
                && element.parent == self.root
                && !copy.has(b"Lang")
            {
                copy.set("Lang", language.clone());
            }
            patch.set(element.id, &copy.into());
        }
    }
}
