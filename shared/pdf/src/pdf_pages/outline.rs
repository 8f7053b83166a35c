//! Drops entries of an outline that lead to pages which are gone, or lets them lead to what stays below them
//! [ISO 32000-1, 12.3.3].

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::destinations::Destinations;
use crate::patch::Patch;

/// Deepest nesting of an outline.
const DEPTH: u32 = 50;
/// Most entries that are looked at.
const ENTRIES: usize = 100_000;

/// The changes that leave no dead entry in the outline of a document; none if there is none.
pub(super) fn pruned(document: &Document) -> Patch {
    let mut patch = Patch::of(document);
    let catalog = document.trailer.get(b"Root").and_then(Object::as_reference);
    if let Ok(catalog) = catalog {
        prune(document, catalog, &mut patch);
    }
    patch
}

fn prune(document: &Document, catalog: ObjectId, patch: &mut Patch) -> Option<()> {
    let about = document.get_dictionary(catalog).ok()?;
    let id = about.get(b"Outlines").ok()?.as_reference().ok()?;
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
        let mut about = about.clone();
        about.remove(b"Outlines");
        about.remove(b"PageMode");
        patch.set(catalog, &about.into());
        return None;
    }
    let mut outline = outline.clone();
    outline.set("Count", shown(&entries));
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
    /// How many entries led nowhere.
    dead: usize,
}

/// An entry that stays.
struct Entry {
    id: ObjectId,
    about: Dictionary,
    /// Where it leads, if to a page.
    place: Option<Object>,
    is_open: bool,
    below: Vec<Entry>,
}

/// Where an entry leads.
enum Target {
    Page(Object),
    Gone,
    /// Nowhere within the document, as it is meant.
    Other,
}

impl<'d> Outlines<'d> {
    /// The entries below one that stay.
    fn below(&mut self, parent: &'d Dictionary, depth: u32) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut next = parent.get(b"First").and_then(Object::as_reference).ok();
        while let Some(id) = next {
            if depth > DEPTH || self.seen.len() > ENTRIES || !self.seen.insert(id) {
                break;
            }
            let Ok(about) = self.document.get_dictionary(id) else {
                break;
            };
            next = about.get(b"Next").and_then(Object::as_reference).ok();
            let below = self.below(about, depth + 1);
            entries.extend(self.entry(id, about, below));
        }
        entries
    }

    fn entry(&mut self, id: ObjectId, about: &'d Dictionary, below: Vec<Entry>) -> Option<Entry> {
        let mut entry = Entry {
            id,
            about: about.clone(),
            place: None,
            is_open: about.get(b"Count").and_then(Object::as_i64).unwrap_or(0) > 0,
            below,
        };
        match self.target(about) {
            Target::Page(place) => entry.place = Some(place),
            Target::Other => {}
            Target::Gone => {
                self.dead += 1;
                let stays = entry.below.iter().find_map(|entry| entry.place.clone());
                entry.about.remove(b"A");
                entry.about.set("Dest", stays.clone()?);
                entry.place = stays;
            }
        }
        Some(entry)
    }

    fn target(&self, about: &'d Dictionary) -> Target {
        let place = match about.get(b"Dest") {
            Ok(place) => place,
            Err(_) => {
                let action = about.get_deref(b"A", self.document);
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

/// How many entries are shown, with those below open ones.
fn shown(entries: &[Entry]) -> i64 {
    let shown = entries.iter().map(|entry| match entry.is_open {
        true => 1 + shown(&entry.below),
        false => 1,
    });
    shown.sum()
}

/// Ties entries to one another and to what is above them, and writes them.
fn write(above: &mut Dictionary, parent: ObjectId, entries: Vec<Entry>, patch: &mut Patch) {
    let ids: Vec<ObjectId> = entries.iter().map(|entry| entry.id).collect();
    if let (Some(first), Some(last)) = (ids.first(), ids.last()) {
        above.set("First", *first);
        above.set("Last", *last);
    }
    let following = ids.iter().skip(1).copied().map(Some).chain([None]);
    let mut before: Option<ObjectId> = None;
    for (entry, next) in entries.into_iter().zip(following) {
        let mut about = entry.about;
        for key in ["First", "Last", "Count", "Prev", "Next", "SE"] {
            about.remove(key.as_bytes());
        }
        about.set("Parent", parent);
        if let Some(before) = before {
            about.set("Prev", before);
        }
        if let Some(next) = next {
            about.set("Next", next);
        }
        if !entry.below.is_empty() {
            let count = shown(&entry.below);
            about.set("Count", if entry.is_open { count } else { -count });
            write(&mut about, entry.id, entry.below, patch);
        }
        before = Some(entry.id);
        patch.set(entry.id, &about.into());
    }
}
