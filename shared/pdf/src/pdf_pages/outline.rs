//! Prunes outline entries of removed pages, or redirects them to their first remaining child [ISO 32000-1, 12.3.3].

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::destinations::Destinations;
use crate::patch::Patch;

/// Maximum depth of an outline.
const MAX_DEPTH: u32 = 50;
/// Maximum number of entries.
const MAX_ENTRIES: usize = 100_000;

/// Returns the changes that prune the outline of a document; empty if there is none.
pub(super) fn pruned(document: &Document) -> Patch {
    let mut patch = Patch::of(document);
    let catalog = document.trailer.get(b"Root").and_then(Object::as_reference);
    if let Ok(catalog) = catalog {
        prune(document, catalog, &mut patch);
    }
    patch
}

fn prune(document: &Document, catalog: ObjectId, patch: &mut Patch) -> Option<()> {
    let dict = document.get_dictionary(catalog).ok()?;
    let id = dict.get(b"Outlines").ok()?.as_reference().ok()?;
    let outline = document.get_dictionary(id).ok()?;
    let mut outlines = Outlines {
        document,
        destinations: Destinations::of(document),
        pages: document.get_pages().into_values().collect(),
        seen: HashSet::new(),
        dead: 0,
    };
    let entries = outlines.below(outline, 0);
    if outlines.dead == 0 {
        return None;
    }
    if entries.is_empty() {
        let mut dict = dict.clone();
        dict.remove(b"Outlines");
        dict.remove(b"PageMode");
        patch.set(catalog, &dict.into());
        return None;
    }
    let mut outline = outline.clone();
    outline.set("Count", visible_count(&entries));
    write(&mut outline, id, entries, patch);
    patch.set(id, &outline.into());
    None
}

/// The outline of a document.
struct Outlines<'d> {
    document: &'d Document,
    destinations: Destinations<'d>,
    pages: HashSet<ObjectId>,
    seen: HashSet<ObjectId>,
    /// Number of entries whose destination is missing.
    dead: usize,
}

/// A remaining entry.
struct Entry {
    id: ObjectId,
    dict: Dictionary,
    /// The destination, if it is a page.
    place: Option<Object>,
    is_open: bool,
    below: Vec<Entry>,
}

/// Target of an entry.
enum Target {
    Page(Object),
    Gone,
    /// No page of the document, such as a URI.
    Other,
}

impl<'d> Outlines<'d> {
    /// Returns the remaining entries below a parent.
    fn below(&mut self, parent: &'d Dictionary, depth: u32) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut next = parent.get(b"First").and_then(Object::as_reference).ok();
        while let Some(id) = next {
            if depth > MAX_DEPTH || self.seen.len() > MAX_ENTRIES || !self.seen.insert(id) {
                break;
            }
            let Ok(dict) = self.document.get_dictionary(id) else {
                break;
            };
            next = dict.get(b"Next").and_then(Object::as_reference).ok();
            let below = self.below(dict, depth + 1);
            entries.extend(self.entry(id, dict, below));
        }
        entries
    }

    fn entry(&mut self, id: ObjectId, dict: &'d Dictionary, below: Vec<Entry>) -> Option<Entry> {
        let mut entry = Entry {
            id,
            dict: dict.clone(),
            place: None,
            is_open: dict.get(b"Count").and_then(Object::as_i64).unwrap_or(0) > 0,
            below,
        };
        match self.target(dict) {
            Target::Page(place) => entry.place = Some(place),
            Target::Other => {}
            Target::Gone => {
                self.dead += 1;
                let stays = entry.below.iter().find_map(|entry| entry.place.clone());
                entry.dict.remove(b"A");
                entry.dict.set("Dest", stays.clone()?);
                entry.place = stays;
            }
        }
        Some(entry)
    }

    fn target(&self, dict: &'d Dictionary) -> Target {
        let place = match dict.get(b"Dest") {
            Ok(place) => place,
            Err(_) => {
                let action = dict.get_deref(b"A", self.document);
                let Ok(action) = action.and_then(Object::as_dict) else {
                    return Target::Other;
                };
                match (action.get(b"S").and_then(Object::as_name), action.get(b"D")) {
                    (Ok(b"GoTo"), Ok(place)) => place,
                    _ => return Target::Other,
                }
            }
        };
        match self.destinations.resolve(self.document, place) {
            Some(place) => match place.first() {
                Some(Object::Reference(page)) if self.pages.contains(page) => {
                    Target::Page(Object::Array(place.to_vec()))
                }
                Some(Object::Integer(_)) => Target::Other,
                _ => Target::Gone,
            },
            None => Target::Gone,
        }
    }
}

/// Number of visible entries, including those below open ones.
fn visible_count(entries: &[Entry]) -> i64 {
    let visible_count = entries.iter().map(|entry| match entry.is_open {
        true => 1 + visible_count(&entry.below),
        false => 1,
    });
    visible_count.sum()
}

/// Links entries to their siblings and parent, and writes them.
fn write(above: &mut Dictionary, parent: ObjectId, entries: Vec<Entry>, patch: &mut Patch) {
    let ids: Vec<ObjectId> = entries.iter().map(|entry| entry.id).collect();
    if let (Some(first), Some(last)) = (ids.first(), ids.last()) {
        above.set("First", *first);
        above.set("Last", *last);
    }
    let following = ids.iter().skip(1).copied().map(Some).chain([None]);
    let mut before: Option<ObjectId> = None;
    for (entry, next) in entries.into_iter().zip(following) {
        let mut dict = entry.dict;
        for key in ["First", "Last", "Count", "Prev", "Next", "SE"] {
            dict.remove(key.as_bytes());
        }
        dict.set("Parent", parent);
        if let Some(before) = before {
            dict.set("Prev", before);
        }
        if let Some(next) = next {
            dict.set("Next", next);
        }
        if !entry.below.is_empty() {
            let count = visible_count(&entry.below);
            dict.set("Count", if entry.is_open { count } else { -count });
            write(&mut dict, entry.id, entry.below, patch);
        }
        before = Some(entry.id);
        patch.set(entry.id, &dict.into());
    }
}
