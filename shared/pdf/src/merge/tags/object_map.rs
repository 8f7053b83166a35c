//! Maps pages, annotations and XObjects of an appended document to their copies in the merged document.

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{STRUCT_PARENT, STRUCT_PARENTS, is_valid_key};
use crate::merge::appended::AppendedDocument;
use crate::merge::changes::{Changes, dictionary_of};
use crate::objects::{self, member};

/// Maximum nesting depth of form XObjects and of the page tree.
const MAX_DEPTH: u32 = 32;

/// Object numbers in the merged document, by object number in the appended document.
pub(super) struct ObjectMap(HashMap<ObjectId, ObjectId>);

impl ObjectMap {
    /// Pairs the objects that structure tags may refer to.
    pub(super) fn of(appended: &AppendedDocument<'_>, changes: &Changes<'_>) -> Self {
        let mut pairs = Self(appended.pages.clone());
        for (own, merged) in &appended.pages {
            let (Ok(own), Some(merged)) = (
                appended.document.get_dictionary(*own),
                changes.before(*merged),
            ) else {
                continue;
            };
            pairs.add_page((appended.document, changes.document()), (own, merged));
        }
        pairs
    }

    /// Maps the objects of some pages of a document to themselves.
    pub(super) fn within(document: &Document, pages: impl Iterator<Item = ObjectId>) -> Self {
        let mut pairs = Self::none();
        for id in pages {
            if let Ok(page) = document.get_dictionary(id) {
                pairs.0.insert(id, id);
                pairs.add_page((document, document), (page, page));
            }
        }
        pairs
    }

    fn add_page(
        &mut self,
        documents: (&Document, &Document),
        (own, merged): (&Dictionary, &Dictionary),
    ) {
        self.add_annotations(documents, (own, merged));
        let own = objects::resources(documents.0, own);
        let merged = objects::resources(documents.1, merged);
        if let (Some(own), Some(merged)) = (own, merged) {
            self.add_xobjects(documents, (own, merged), 0);
        }
    }

    /// An empty map.
    pub(super) fn none() -> Self {
        Self(HashMap::new())
    }

    /// Returns the object number in the merged document.
    pub(super) fn get(&self, id: ObjectId) -> Option<ObjectId> {
        self.0.get(&id).copied()
    }

    /// Returns all pairs.
    pub(super) fn into_inner(self) -> HashMap<ObjectId, ObjectId> {
        self.0
    }

    /// Pairs the annotations by position: libqpdf copies them in order.
    fn add_annotations(
        &mut self,
        (document, merged_document): (&Document, &Document),
        (own, merged): (&Dictionary, &Dictionary),
    ) {
        let (own, merged) = (
            references(document, own, b"Annots"),
            references(merged_document, merged, b"Annots"),
        );
        if own.len() == merged.len() {
            self.0.extend(
                own.into_iter()
                    .zip(merged)
                    .filter_map(|(own, merged)| own.zip(merged)),
            );
        }
    }

    fn add_xobjects(
        &mut self,
        documents: (&Document, &Document),
        (own, merged): (&Dictionary, &Dictionary),
        depth: u32,
    ) {
        let (Some(own), Some(merged)) = (
            member(documents.0, own, b"XObject"),
            member(documents.1, merged, b"XObject"),
        ) else {
            return;
        };
        for (name, drawing) in own {
            let (Ok(own), Ok(merged)) = (
                drawing.as_reference(),
                merged.get(name).and_then(Object::as_reference),
            ) else {
                continue;
            };
            if depth > MAX_DEPTH || self.0.insert(own, merged).is_some() {
                continue;
            }
            if let (Some(own), Some(merged)) =
                (resources(documents.0, own), resources(documents.1, merged))
            {
                self.add_xobjects(documents, (own, merged), depth + 1);
            }
        }
    }

    /// Removes parent tree keys, which would refer to the tags of another document.
    pub(super) fn remove_keys(&self, changes: &mut Changes<'_>) {
        for id in self.0.values() {
            for key in [STRUCT_PARENTS, STRUCT_PARENT] {
                if changes.before(*id).is_some_and(|object| object.has(key))
                    && let Some(object) = changes.of(*id)
                {
                    object.remove(key);
                }
            }
        }
    }

    /// Adds `base` to all parent tree keys and returns the next free key.
    pub(super) fn shift_keys(&self, base: i64, changes: &mut Changes<'_>) -> i64 {
        let merged: HashSet<ObjectId> = self.0.values().copied().collect();
        let mut next = base;
        for id in merged {
            for key in [STRUCT_PARENTS, STRUCT_PARENT] {
                let before = changes.before(id).and_then(|object| object.get(key).ok());
                let Some(number) = before.and_then(|number| number.as_i64().ok()) else {
                    continue;
                };
                let Some(object) = changes.of(id) else {
                    continue;
                };
                match is_valid_key(&number) {
                    true => object.set(key, base + number),
                    false => drop(object.remove(key)),
                }
                next = next.max(base + number.clamp(0, super::MAX_KEY) + 1);
            }
        }
        next
    }
}

fn resources(document: &Document, drawing: ObjectId) -> Option<&Dictionary> {
    let drawing = dictionary_of(document.get_object(drawing).ok()?)?;
    member(document, drawing, b"Resources")
}

fn references(document: &Document, page: &Dictionary, key: &[u8]) -> Vec<Option<ObjectId>> {
    let items = page.get_deref(key, document).and_then(Object::as_array);
    let items = items.into_iter().flatten();
    items.map(|item| item.as_reference().ok()).collect()
}
