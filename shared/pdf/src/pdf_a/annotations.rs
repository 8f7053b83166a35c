//! Flags of annotations: PDF/A requires that they are printed [ISO 19005-1, 6.5.3; ISO 19005-2, 6.3.2], and Ghostscript drops
//! those that are not, which most links of real documents are.

use lopdf::{Dictionary, Document, Object};

use crate::objects::items;
use crate::patch::Patch;

/// Flags [ISO 32000-1, table 165].
const INVISIBLE: i64 = 1;
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_VIEW: i64 = 1 << 5;
const TOGGLE_NO_VIEW: i64 = 1 << 8;

/// Has all annotations printed that viewers show.
pub(super) fn print(document: &Document, patch: &mut Patch) {
    for page in document.get_pages().into_values() {
        let Ok(own) = document.get_dictionary(page) else {
            continue;
        };
        let mut is_changed = false;
        let annotations = items(document, own, b"Annots").iter().map(|annotation| {
            let found = document.dereference(annotation);
            let printed = found
                .ok()
                .and_then(|(_, found)| printed(found.as_dict().ok()?));
            match (annotation, printed) {
                (Object::Reference(id), Some(printed)) => patch.set(*id, &printed.into()),
                (_, Some(printed)) => {
                    is_changed = true;
                    return printed.into();
                }
                _ => {}
            }
            annotation.clone()
        });
        let annotations: Vec<Object> = annotations.collect();
        if is_changed {
            let mut own = own.clone();
            own.set("Annots", annotations);
            patch.set(page, &own.into());
        }
    }
}

/// An annotation that is printed; `None` if it is already, or is hidden.
fn printed(annotation: &Dictionary) -> Option<Dictionary> {
    let flags = annotation.get(b"F").and_then(Object::as_i64).unwrap_or(0);
    let printed = (flags | PRINT) & !(INVISIBLE | TOGGLE_NO_VIEW);
    if flags == printed || flags & (HIDDEN | NO_VIEW) != 0 {
        return None;
    }
    let mut annotation = annotation.clone();
    annotation.set("F", printed);
    Some(annotation)
}
