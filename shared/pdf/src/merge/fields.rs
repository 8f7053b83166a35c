//! Restores field names of appended documents: libqpdf renames fields per page, which splits fields with widgets on several
//! pages.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::appended::AppendedDocument;
use super::changes::Changes;
use crate::objects::{is_a, items};

/// Maximum number of ancestors of a field.
const MAX_DEPTH: usize = 100;

/// Gives fields with the same name in an appended document the same name in the merged one.
pub(super) fn merge_fields(
    appended: &AppendedDocument<'_>,
    merged: &Document,
    changes: &mut Changes<'_>,
) {
    let mut names: HashMap<&[u8], &Object> = HashMap::new();
    for (own, page) in appended.merged_pages() {
        let (before, after) = (fields(appended.document, own), fields(merged, page));
        if before.len() != after.len() {
            continue;
        }
        for ((_, before), (id, after)) in before.into_iter().zip(after) {
            let (Ok(known), Ok(given)) = (before.get(b"T"), after.get(b"T")) else {
                continue;
            };
            let Ok(known) = known.as_str() else { continue };
            let first = *names.entry(known).or_insert(given);
            if first != given
                && let Some(field) = id.and_then(|id| changes.of(id))
            {
                field.set("T", first.clone());
            }
        }
    }
}

/// Returns the topmost named field of each widget on a page.
fn fields(document: &Document, page: ObjectId) -> Vec<(Option<ObjectId>, &Dictionary)> {
    let page = document.get_dictionary(page).ok();
    let annotations = page.map_or(&[][..], |page| items(document, page, b"Annots"));
    let dictionary = |annotation| {
        let (id, found) = document.dereference(annotation).ok()?;
        Some((id, found.as_dict().ok()?))
    };
    let found = annotations.iter().filter_map(dictionary);
    let widgets = found.filter(|(_, annotation)| is_a(annotation, b"Widget"));
    widgets.map(|place| root_field(document, place)).collect()
}

fn root_field<'d>(
    document: &'d Document,
    place: (Option<ObjectId>, &'d Dictionary),
) -> (Option<ObjectId>, &'d Dictionary) {
    let (mut highest, mut at) = (place, place.1);
    for _ in 0..MAX_DEPTH {
        let parent = at.get(b"Parent").and_then(Object::as_reference);
        let Ok(parent) = parent else { break };
        let Ok(above) = document.get_dictionary(parent) else {
            break;
        };
        at = above;
        if above.has(b"T") {
            highest = (Some(parent), above);
        }
    }
    highest
}
