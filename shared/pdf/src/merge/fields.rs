//! Fields of a later document that have one name: libqpdf gives each page's a name of its own, here they have one again.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::changes::Changes;
use super::later::Later;
use crate::objects::{is_a, items};

/// Most fields that stand above one another.
const DEPTH: usize = 100;

/// Gives fields that have one name in a later document one name in the merged one: that of the first of them there.
pub(super) fn rejoin(later: &Later<'_>, merged: &Document, changes: &mut Changes<'_>) {
    let mut names: HashMap<&[u8], &Object> = HashMap::new();
    for (own, page) in later.placed() {
        let (before, after) = (fields(later.document, own), fields(merged, page));
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

/// The highest field with a name above each place of a field on a page.
fn fields(document: &Document, page: ObjectId) -> Vec<(Option<ObjectId>, &Dictionary)> {
    let page = document.get_dictionary(page).ok();
    let annotations = page.map_or(&[][..], |page| items(document, page, b"Annots"));
    let dictionary = |annotation| {
        let (id, found) = document.dereference(annotation).ok()?;
        Some((id, found.as_dict().ok()?))
    };
    let found = annotations.iter().filter_map(dictionary);
    let widgets = found.filter(|(_, annotation)| is_a(annotation, b"Widget"));
    widgets.map(|place| highest(document, place)).collect()
}

fn highest<'d>(
    document: &'d Document,
    place: (Option<ObjectId>, &'d Dictionary),
) -> (Option<ObjectId>, &'d Dictionary) {
    let (mut highest, mut at) = (place, place.1);
    for _ in 0..DEPTH {
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
