//! Which objects of a merged document are the pages, annotations and drawings of a later one, in that.

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{STRUCT_PARENT, STRUCT_PARENTS, believed};
use crate::merge::changes::{Changes, about};
use crate::merge::later::Later;
use crate::objects::{self, member};

/// Deepest nesting of drawings, and of the tree of pages.
const DEPTH: u32 = 32;

/// The objects of a document and what they are in the merged one.
pub(super) struct Pairs(HashMap<ObjectId, ObjectId>);

impl Pairs {
    /// Finds the objects that tags may be about.
    pub(super) fn of(later: &Later<'_>, changes: &Changes<'_>) -> Self {
        let mut pairs = Self(later.pages.clone());
        for (own, merged) in &later.pages {
            let (Ok(own), Some(merged)) =
                (later.document.get_dictionary(*own), changes.before(*merged))
            else {
                continue;
            };
            pairs.add_page((later.document, changes.document()), (own, merged));
        }
        pairs
    }

    /// The objects of some pages of a document, each with itself.
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
            self.add_drawings(documents, (own, merged), 0);
        }
    }

    /// None.
    pub(super) fn none() -> Self {
        Self(HashMap::new())
    }

    /// What an object is in the merged document.
    pub(super) fn get(&self, id: ObjectId) -> Option<ObjectId> {
        self.0.get(&id).copied()
    }

    /// All of them.
    pub(super) fn into_inner(self) -> HashMap<ObjectId, ObjectId> {
        self.0
    }

    /// libqpdf copies annotations in their order.
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

    fn add_drawings(
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
            if depth > DEPTH || self.0.insert(own, merged).is_some() {
                continue;
            }
            if let (Some(own), Some(merged)) =
                (resources(documents.0, own), resources(documents.1, merged))
            {
                self.add_drawings(documents, (own, merged), depth + 1);
            }
        }
    }

    /// Takes the numbers away that lead nowhere: they would lead to the tags of another document.
    pub(super) fn remove_numbers(&self, changes: &mut Changes<'_>) {
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

    /// Numbers what bears a number anew from `base` on, and tells the next free number.
    pub(super) fn renumber(&self, base: i64, changes: &mut Changes<'_>) -> i64 {
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
                match believed(&number) {
                    true => object.set(key, base + number),
                    false => drop(object.remove(key)),
                }
                next = next.max(base + number.clamp(0, super::NUMBERS) + 1);
            }
        }
        next
    }
}

fn resources(document: &Document, drawing: ObjectId) -> Option<&Dictionary> {
    let drawing = about(document.get_object(drawing).ok()?)?;
    member(document, drawing, b"Resources")
}

fn references(document: &Document, page: &Dictionary, key: &[u8]) -> Vec<Option<ObjectId>> {
    let items = page.get_deref(key, document).and_then(Object::as_array);
    let items = items.into_iter().flatten();
    items.map(|item| item.as_reference().ok()).collect()
}
