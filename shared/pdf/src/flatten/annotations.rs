//! What is left of the annotations of a flat document: links, the fields that cannot be drawn, and no windows of comments that
//! have become part of the page.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};
use task::{Fault, Outcome};

use super::kept::{self, Kept};
use crate::graft::Graft;
use crate::objects::{is_a, items};
use crate::patch::Patch;

/// What has to change in the flat document: the links of each page are put back that were drawn, and the fields that were
/// set aside.
pub(super) fn left(plain: &Document, flat: &Document) -> Outcome<Patch> {
    let (before, after) = (plain.get_pages(), flat.get_pages());
    if before.len() != after.len() {
        return Err(Fault::corrupt());
    }
    let pages: HashMap<ObjectId, ObjectId> = before
        .values()
        .copied()
        .zip(after.values().copied())
        .collect();
    let mut graft = Graft::new(plain, pages);
    let (mut patch, mut kept) = (Patch::of(flat), Kept::default());
    for (page, flattened) in before.values().zip(after.values()) {
        let Ok(dictionary) = flat.get_dictionary(*flattened) else {
            continue;
        };
        let links = links_of(plain, *page);
        let all = items(flat, dictionary, b"Annots");
        kept.put_back(flat, all, &mut patch);
        let staying = all
            .iter()
            .filter(|annotation| !is_orphan(flat, annotation, all));
        let mut annotations: Vec<Object> = staying.cloned().collect();
        if links.is_empty() && annotations.len() == all.len() {
            continue;
        }
        annotations.extend(links.iter().map(|link| {
            let copy = graft.copy(&Object::Dictionary((*link).clone()), &mut patch);
            Object::Reference(patch.add(&copy))
        }));
        let mut dictionary = dictionary.clone();
        dictionary.set("Annots", annotations);
        patch.set(*flattened, &dictionary.into());
    }
    kept.form((plain, flat), &mut graft, &mut patch);
    Ok(patch)
}

/// The links of a page that have an appearance.
fn links_of(document: &Document, page: ObjectId) -> Vec<&Dictionary> {
    let page = document.get_dictionary(page);
    let annotations = page.map_or(&[][..], |page| items(document, page, b"Annots"));
    annotations
        .iter()
        .filter_map(|annotation| kept::dictionary(document, annotation))
        .filter(|annotation| is_a(annotation, b"Link") && annotation.has(b"AP"))
        .collect()
}

/// Whether an annotation is the window of one that its page has no longer.
fn is_orphan(document: &Document, annotation: &Object, all: &[Object]) -> bool {
    let Some(window) = kept::dictionary(document, annotation) else {
        return false;
    };
    let parent = window.get(b"Parent");
    is_a(window, b"Popup") && !parent.is_ok_and(|parent| all.contains(parent))
}
