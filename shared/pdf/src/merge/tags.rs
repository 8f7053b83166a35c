//! Carries over what later documents say of their parts: what is a heading, a list or a table [ISO 32000-1, 14.7].

mod elements;
mod names;
mod pairs;
mod renamed;

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use self::elements::Elements;
use self::names::Names;
use self::pairs::Pairs;
use super::changes::Changes;
use super::later::Later;
use crate::patch::Patch;
use crate::trees;

/// Largest number of a parent that is believed.
const NUMBERS: i64 = 10_000_000;

/// The tags of a merged document.
pub(super) struct Tags {
    /// The root, which is there or is to be.
    root: ObjectId,
    /// The elements at the top.
    kids: Vec<Object>,
    /// What the marked content of a page, or an object, belongs to, by the number that it bears.
    parents: BTreeMap<i64, Object>,
    /// The next number.
    next: i64,
    names: Names,
    /// Whether a later document has brought some.
    grown: bool,
    /// Whether every document says that it is tagged throughout.
    throughout: bool,
}

impl Tags {
    /// Those that a merged document has of its first one, which has so many pages.
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
            Pairs::within(merged, pages()).remove_numbers(changes);
        }
        let borne = pages().filter_map(|page| merged.get_dictionary(page).ok());
        let borne = borne.filter_map(number).chain(parents.keys().copied());
        Self {
            root: reference.unwrap_or_else(|| patch.new_id()),
            kids: root.map_or_else(Vec::new, |root| kids(merged, root)),
            next: borne.filter(believed).max().map_or(0, |last| last + 1),
            parents,
            names: root.map_or_else(Names::default, |root| Names::of(merged, root)),
            grown: false,
            throughout: is_marked(merged),
        }
    }

    /// Adds those of a document.
    pub(super) fn add(&mut self, later: &Later<'_>, changes: &mut Changes<'_>, patch: &mut Patch) {
        self.throughout &= is_marked(later.document);
        let pairs = Pairs::of(later, changes);
        let Some(root) = root_of(later.document) else {
            pairs.remove_numbers(changes);
            return;
        };
        let base = self.next;
        self.next = pairs.renumber(base, changes);
        let renamed = self.names.rename(later.document, root);
        let mut elements = Elements::new(later.document, pairs, self.root);
        let Some(top) = elements.gather(root, patch) else {
            return;
        };
        self.grown = true;
        self.kids.extend(top);
        for (number, parent) in trees::numbers(later.document, root, b"ParentTree") {
            if believed(&number)
                && let Some(parent) = elements.parent(parent, patch)
            {
                self.parents.insert(base + number, parent);
                self.next = self.next.max(base + number + 1);
            }
        }
        elements.write(&renamed, patch);
        self.names.add(root, &renamed, &mut elements, patch);
    }

    /// Puts them into the catalog, if a later document has brought some.
    pub(super) fn join(
        &mut self,
        catalog: &mut Dictionary,
        merged: &Document,
        patch: &mut Patch,
    ) -> bool {
        if !self.grown {
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
            lopdf::dictionary! { "Marked" => true, "Suspects" => !self.throughout },
        );
        true
    }
}

const STRUCT_PARENTS: &[u8] = b"StructParents";
const STRUCT_PARENT: &[u8] = b"StructParent";

fn believed(number: &i64) -> bool {
    (0..NUMBERS).contains(number)
}

/// The number that a page or another stream of content bears.
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

/// The kids of an element or of the root, which may be one or several.
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
