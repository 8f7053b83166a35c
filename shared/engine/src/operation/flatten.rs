//! Makes filled-in forms and comments part of the pages. Links stay what they are.

mod fields;

use std::collections::HashMap;

use domain::format::Format;
use domain::operation::Operation;
use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{Module, Run};
use crate::fault::{Fault, Outcome};
use crate::graft::Graft;
use crate::installed::linked;
use crate::lettering;
use crate::objects::is_a;
use crate::patch::{self, Patch};
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Flatten(_)) && from == Format::Pdf,
    run: Run::Child(run),
    verify: verify::documents,
    fingerprint: |_, _| {
        let lettering = lettering::fingerprint();
        format!("{} {} {lettering}", linked::QPDF, linked::LOPDF)
    },
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let (plain, flat) = (task.directory.join("plain"), task.directory.join("flat"));
    patch::plain(&task.readable(), &plain)?;
    let before = patch::skeleton(&plain)?;
    let drawn = fields::drawn(&before, &task.directory.join("fields"))?;
    drawn
        .job(&plain, &task.directory.join("drawn"))?
        .options(&["--generate-appearances", "--flatten-annotations=all"])
        .options(&["--object-streams=disable", "--deterministic-id"])
        .write(&flat)?;
    // qpdf keeps every annotation that has no appearance, and draws all others, even links.
    let patch = links(&before, &patch::skeleton(&flat)?)?;
    let job = patch.job(&flat, &task.directory.join("patch"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .write(&task.output())?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}

/// Puts the links of each page back that were drawn.
fn links(plain: &Document, flat: &Document) -> Outcome<Patch> {
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
    let mut patch = Patch::of(flat);
    for (page, flattened) in before.values().zip(after.values()) {
        let links = links_of(plain, *page);
        let Ok(dictionary) = flat.get_dictionary(*flattened) else {
            continue;
        };
        if links.is_empty() {
            continue;
        }
        let copies = links.iter().map(|link| {
            let copy = graft.copy(&Object::Dictionary((*link).clone()), &mut patch);
            Object::Reference(patch.add(&copy))
        });
        let mut dictionary = dictionary.clone();
        let kept = dictionary.get_deref(b"Annots", flat);
        let kept = kept.and_then(Object::as_array).cloned();
        let mut annotations = kept.unwrap_or_default();
        annotations.extend(copies);
        dictionary.set("Annots", annotations);
        patch.set(*flattened, &dictionary.into());
    }
    Ok(patch)
}

/// The links of a page that have an appearance.
fn links_of(document: &Document, page: ObjectId) -> Vec<&Dictionary> {
    let annotations = document
        .get_dictionary(page)
        .and_then(|page| page.get_deref(b"Annots", document))
        .and_then(Object::as_array);
    let annotations = annotations.into_iter().flatten();
    annotations
        .filter_map(|annotation| document.dereference(annotation).ok())
        .filter_map(|(_, annotation)| annotation.as_dict().ok())
        .filter(|annotation| is_a(annotation, b"Link") && annotation.has(b"AP"))
        .collect()
}
