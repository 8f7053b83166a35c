//! Merges the structure trees of appended documents [ISO 32000-1, 14.7].

mod elements;
mod names;
mod object_map;
mod renaming;

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use self::elements::Elements;
use self::names::Names;
use self::object_map::ObjectMap;
use super::appended::AppendedDocument;
use super::changes::Changes;
use crate::patch::Patch;
use crate::trees;

/// Largest key of the parent tree that is accepted.
const MAX_KEY: i64 = 10_000_000;

/// The structure tree of a merged document.
pub(super) struct Tags {
    /// The structure tree root, existing or new.
    root: ObjectId,
    /// The top-level elements.
    kids: Vec<Object>,
    /// The parent tree: the structure elements of marked content and objects, by their key.
    parents: BTreeMap<i64, Object>,
    /// The next key of the parent tree.
    next: i64,
    names: Names,
    /// Whether an appended document has structure elements.
    has_additions: bool,
    /// Whether all documents are marked as tagged.
    is_marked: bool,
}

impl Tags {
    /// The structure tree of the first document, which has `first_pages` pages.
    pub(super) fn of(first_pages: usize, changes: &mut Changes<'_>, patch: &mut Patch) -> Self {
        let merged = changes.document();
        let catalog = merged.catalog().ok();
        let reference = catalog.and_then(|catalog| catalog.get(b"StructTreeRoot").ok());
        let reference = reference.and_then(|root| root.as_reference().ok());
        let root = root_of(merged);
        let parents = root.map(|root| trees::numbers(merged, root, b"ParentTree"));
        let parents: BTreeMap<i64, Object> = parents
            .into_iter()
            .flatten()
            .map(|(number, parent)| (number, parent.clone()))
            .collect();
        let pages = || merged.get_pages().into_values().take(first_pages);
        if root.is_none() {
            ObjectMap::within(merged, pages()).remove_keys(changes);
        }
        let borne = pages().filter_map(|page| merged.get_dictionary(page).ok());
        let borne = borne.filter_map(number).chain(parents.keys().copied());
        Self {
            root: reference.unwrap_or_else(|| patch.new_id()),
            kids: root.map_or_else(Vec::new, |root| kids(merged, root)),
            next: borne.filter(is_valid_key).max().map_or(0, |last| last + 1),
            parents,
            names: root.map_or_else(Names::default, |root| Names::of(merged, root)),
            has_additions: false,
            is_marked: is_marked(merged),
        }
    }

    /// Adds the structure tree of a document.
    pub(super) fn add(
        &mut self,
        appended: &AppendedDocument<'_>,
        changes: &mut Changes<'_>,
        patch: &mut Patch,
    ) {
        self.is_marked &= is_marked(appended.document);
        let pairs = ObjectMap::of(appended, changes);
        let Some(root) = root_of(appended.document) else {
            pairs.remove_keys(changes);
            return;
        };
        let base = self.next;
        self.next = pairs.shift_keys(base, changes);
        let renamed = self.names.rename(appended.document, root);
        let mut elements = Elements::new(appended.document, pairs, self.root);
        let Some(top) = elements.gather(root, patch) else {
            return;
        };
        self.has_additions = true;
        self.kids.extend(top);
        for (number, parent) in trees::numbers(appended.document, root, b"ParentTree") {
            if is_valid_key(&number)
                && let Some(parent) = elements.parent(parent, patch)
            {
                self.parents.insert(base + number, parent);
                self.next = self.next.max(base + number + 1);
            }
        }
        elements.write(&renamed, patch);
        self.names.add(root, &renamed, &mut elements, patch);
    }

    /// Writes the structure tree to the catalog, if an appended document has one.
    pub(super) fn join(
        &mut self,
        catalog: &mut Dictionary,
        merged: &Document,
        patch: &mut Patch,
    ) -> bool {
        if !self.has_additions {
            return false;
        }
        let mut root = root_of(merged).cloned().unwrap_or_default();
        root.set("Type", "StructTreeRoot");
        root.set("K", std::mem::take(&mut self.kids));
        let parents = std::mem::take(&mut self.parents).into_iter();
        let parents = parents.map(|(number, parent)| (number.into(), parent));
        root.set(
            "ParentTree",
            trees::write(b"Nums", parents.collect(), patch),
        );
        root.set("ParentTreeNextKey", self.next);
        self.names.write(&mut root, patch);
        patch.set(self.root, &root.into());
        catalog.set("StructTreeRoot", self.root);
        catalog.set(
            "MarkInfo",
            lopdf::dictionary! { "Marked" => true, "Suspects" => !self.is_marked },
        );
        true
    }
}

const STRUCT_PARENTS: &[u8] = b"StructParents";
const STRUCT_PARENT: &[u8] = b"StructParent";

fn is_valid_key(number: &i64) -> bool {
    (0..MAX_KEY).contains(number)
}

/// Returns the parent tree key of a page or another content stream.
fn number(of: &Dictionary) -> Option<i64> {
    of.get(STRUCT_PARENTS).and_then(Object::as_i64).ok()
}

fn root_of(document: &Document) -> Option<&Dictionary> {
    let catalog = document.catalog().ok()?;
    let root = catalog.get_deref(b"StructTreeRoot", document).ok()?;
    root.as_dict().ok()
}

fn is_marked(document: &Document) -> bool {
    let info = document
        .catalog()
        .and_then(|catalog| catalog.get_deref(b"MarkInfo", document))
        .and_then(Object::as_dict);
    let marked = info.and_then(|info| info.get_deref(b"Marked", document));
    matches!(marked, Ok(Object::Boolean(true)))
}

/// Returns the children of an element or the root, which may be one or an array.
fn kids(document: &Document, of: &Dictionary) -> Vec<Object> {
    let Ok(kids) = of.get(b"K") else {
        return Vec::new();
    };
    match document.dereference(kids) {
        Ok((_, Object::Array(kids))) => kids.clone(),
        Ok((_, Object::Null)) | Err(_) => Vec::new(),
        Ok(_) => vec![kids.clone()],
    }
}
