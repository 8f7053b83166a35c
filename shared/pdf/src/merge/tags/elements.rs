//! Copies the elements of a document's structure [ISO 32000-1, 14.7.2].

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::pairs::Pairs;
use super::renamed::Renamed;
use crate::graft::Graft;
use crate::patch::Patch;

/// Most elements of a document that are copied.
const ELEMENTS: usize = 1_000_000;

/// Deepest nesting of lists of attributes, and most attributes in them.
const DEPTH: u32 = 4;
const ATTRIBUTES: usize = 1_000;

/// The elements of a document.
pub(super) struct Elements<'d> {
    document: &'d Document,
    /// Objects that are in the merged document already.
    pairs: Pairs,
    /// What the elements are there.
    copies: HashMap<ObjectId, ObjectId>,
    gathered: Vec<Element<'d>>,
    graft: Graft<'d>,
    root: ObjectId,
}

/// An element that is to be copied.
struct Element<'d> {
    source: &'d Dictionary,
    id: ObjectId,
    parent: ObjectId,
    kids: Vec<Object>,
}

/// Elements that were met, and not yet looked into: each with its number and its parent's in the merged document.
type Met<'d> = Vec<(&'d Dictionary, ObjectId, ObjectId)>;

impl<'d> Elements<'d> {
    /// None yet; those at the top are to stand below `root`.
    pub(super) fn new(document: &'d Document, pairs: Pairs, root: ObjectId) -> Self {
        Self {
            document,
            pairs,
            copies: HashMap::new(),
            gathered: Vec::new(),
            graft: Graft::new(document, HashMap::new()),
            root,
        }
    }

    /// Finds all elements below the root of the document, and tells those at the top; `None` if there are none, or too
    /// many.
    pub(super) fn gather(
        &mut self,
        root: &'d Dictionary,
        patch: &mut Patch,
    ) -> Option<Vec<Object>> {
        let mut met = Vec::new();
        let top = self.kids(root, self.root, &mut met, patch);
        while let Some((source, id, parent)) = met.pop() {
            let kids = self.kids(source, id, &mut met, patch);
            self.gathered.push(Element {
                source,
                id,
                parent,
                kids,
            });
            if self.gathered.len() + met.len() > ELEMENTS {
                return None;
            }
        }
        let mut known = self.copies.clone();
        known.extend(std::mem::replace(&mut self.pairs, Pairs::none()).into_inner());
        self.graft = Graft::new(self.document, known);
        (!top.is_empty()).then_some(top)
    }

    fn kids(
        &mut self,
        of: &'d Dictionary,
        parent: ObjectId,
        met: &mut Met<'d>,
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
                    copies.extend(self.kid((id, kid), parent, met, patch));
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
        met: &mut Met<'d>,
        patch: &mut Patch,
    ) -> Option<Object> {
        match kid.get(b"Type").and_then(Object::as_name) {
            Ok(b"MCR") => self.reference(kid, &[b"Stm"]),
            Ok(b"OBJR") => self.reference(kid, &[b"Obj"]),
            // What has two parents is left to the first.
            _ if id.is_some_and(|id| self.copies.contains_key(&id)) => None,
            _ => {
                let copy = patch.new_id();
                self.copies.extend(id.map(|id| (id, copy)));
                met.push((kid, copy, parent));
                Some(copy.into())
            }
        }
    }

    /// A reference to marked content or to an object, of which what it refers to has to be there.
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

    /// What a number leads to: an element, or one for each marked content of a page.
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

    /// Another object of the document, as it is to stand in the merged one.
    pub(super) fn copy(&mut self, object: &Object, patch: &mut Patch) -> Object {
        self.graft.copy(object, patch)
    }

    /// Attributes, which may be renamed, as a value of their own.
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
        if depth > DEPTH || *count > ATTRIBUTES {
            return Object::Null;
        }
        match self.document.dereference(attributes) {
            Ok((_, Object::Array(items))) => {
                let items = items.iter();
                let items =
                    items.map(|item| self.copy_listed(item, patch, (depth + 1, &mut *count)));
                Object::Array(items.collect())
            }
            Ok((_, object)) => self.graft.copy(object, patch),
            Err(_) => Object::Null,
        }
    }

    /// Where an element of the document is in the merged one.
    pub(super) fn copy_of(&self, element: &Object) -> Option<ObjectId> {
        let id = element.as_reference().ok()?;
        self.copies.get(&id).copied()
    }

    /// The document.
    pub(super) fn document(&self) -> &'d Document {
        self.document
    }

    /// Writes all that were found.
    pub(super) fn write(&mut self, renamed: &Renamed, patch: &mut Patch) {
        let language = self
            .document
            .catalog()
            .and_then(|catalog| catalog.get(b"Lang"));
        let language = language.ok().cloned();
        for element in std::mem::take(&mut self.gathered) {
            let mut copy = dictionary! { "Type" => "StructElem", "P" => element.parent };
            for (key, value) in element.source {
                let value = match key.as_slice() {
                    // Files stay behind.
                    b"Type" | b"P" | b"K" | b"AF" => continue,
                    b"A" => self.copy_attributes(value, patch),
                    _ => self.graft.copy(value, patch),
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
