//! Annotations of a PDF/A: all are printed [ISO 19005-1, 6.5.3; ISO 19005-2, 6.3.2], and links lead somewhere.

use lopdf::{Dictionary, Document, Object};

use crate::objects::{is_a, items};
use crate::patch::Patch;

/// Flags [ISO 32000-1, table 165].
const INVISIBLE: i64 = 1;
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_VIEW: i64 = 1 << 5;
const TOGGLE_NO_VIEW: i64 = 1 << 8;

/// What becomes of an annotation.
enum Change {
    Keep,
    Replace(Dictionary),
    Remove,
}

/// Has all annotations printed that viewers show. Ghostscript drops the others, which most links of real documents are.
pub(super) fn print(document: &Document, patch: &mut Patch) {
    change(document, patch, |annotation| {
        let flags = annotation.get(b"F").and_then(Object::as_i64).unwrap_or(0);
        let printed = (flags | PRINT) & !(INVISIBLE | TOGGLE_NO_VIEW);
        if flags == printed || flags & (HIDDEN | NO_VIEW) != 0 {
            return Change::Keep;
        }
        let mut annotation = annotation.clone();
        annotation.set("F", printed);
        Change::Replace(annotation)
    });
}

/// Removes the links of which Ghostscript dropped the destination because the document does not have it.
pub(super) fn remove_dead_links(document: &Document, patch: &mut Patch) {
    change(document, patch, |annotation| {
        let leads = |key| {
            annotation
                .get_deref(key, document)
                .is_ok_and(|it| !it.is_null())
        };
        match is_a(annotation, b"Link") && !leads(b"A") && !leads(b"Dest") {
            true => Change::Remove,
            false => Change::Keep,
        }
    });
}

fn change(document: &Document, patch: &mut Patch, change: impl Fn(&Dictionary) -> Change) {
    for page in document.get_pages().into_values() {
        let Ok(own) = document.get_dictionary(page) else {
            continue;
        };
        let mut is_changed = false;
        let mut kept = Vec::new();
        for annotation in items(document, own, b"Annots") {
            let found = document.dereference(annotation);
            let found = found.ok().and_then(|(_, found)| found.as_dict().ok());
            match (annotation, found.map_or(Change::Keep, &change)) {
                (_, Change::Keep) => kept.push(annotation.clone()),
                (Object::Reference(id), Change::Replace(new)) => {
                    patch.set(*id, &new.into());
                    kept.push(annotation.clone());
                }
                (_, Change::Replace(new)) => {
                    is_changed = true;
                    kept.push(new.into());
                }
                (_, Change::Remove) => is_changed = true,
            }
        }
        if is_changed {
            let mut own = own.clone();
            own.set("Annots", kept);
            patch.set(page, &own.into());
        }
    }
}
