//! Fixes the annotations of a flattened document: restores links and fields that could not be flattened, and removes pop-up
//! windows of flattened comments.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};
use task::{TaskError, TaskResult};

use super::unflattened::{self, UnflattenedFields};
use crate::object_copier::ObjectCopier;
use crate::objects::{is_a, items};
use crate::patch::Patch;

/// Returns the changes of the flattened document: flattened links are restored, as are the fields that were set aside.
pub(super) fn restored(plain: &Document, flat: &Document) -> TaskResult<Patch> {
    let (before, after) = (plain.get_pages(), flat.get_pages());
    if before.len() != after.len() {
        return Err(TaskError::input_corrupt());
    }
    let pages: HashMap<ObjectId, ObjectId> = before
        .values()
        .copied()
        .zip(after.values().copied())
        .collect();
    let mut object_copier = ObjectCopier::new(plain, pages);
    let (mut patch, mut kept) = (Patch::of(flat), UnflattenedFields::default());
    for (page, flattened) in before.values().zip(after.values()) {
        let Ok(dictionary) = flat.get_dictionary(*flattened) else {
            continue;
        };
        let links = links_of(plain, *page);
        let all = items(flat, dictionary, b"Annots");
        kept.restore(flat, all, &mut patch);
        let staying = all
            .iter()
            .filter(|annotation| !is_orphan(flat, annotation, all));
        let mut annotations: Vec<Object> = staying.cloned().collect();
        if links.is_empty() && annotations.len() == all.len() {
            continue;
        }
        annotations.extend(links.iter().map(|link| {
            let copy = object_copier.copy(&Object::Dictionary((*link).clone()), &mut patch);
            Object::Reference(patch.add(&copy))
        }));
        let mut dictionary = dictionary.clone();
        dictionary.set("Annots", annotations);
        patch.set(*flattened, &dictionary.into());
    }
    kept.form((plain, flat), &mut object_copier, &mut patch);
    Ok(patch)
}

/// Returns the links of a page that have an appearance stream.
fn links_of(document: &Document, page: ObjectId) -> Vec<&Dictionary> {
    let page = document.get_dictionary(page);
    let annotations = page.map_or(&[][..], |page| items(document, page, b"Annots"));
    annotations
        .iter()
        .filter_map(|annotation| unflattened::dictionary(document, annotation))
        .filter(|annotation| is_a(annotation, b"Link") && annotation.has(b"AP"))
        .collect()
}

/// Whether an annotation is the pop-up of an annotation that is gone.
fn is_orphan(document: &Document, annotation: &Object, all: &[Object]) -> bool {
    let Some(window) = unflattened::dictionary(document, annotation) else {
        return false;
    };
    let parent = window.get(b"Parent");
    is_a(window, b"Popup") && !parent.is_ok_and(|parent| all.contains(parent))
}
