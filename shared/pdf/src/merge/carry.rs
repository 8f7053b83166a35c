//! Carries over what libqpdf leaves behind of the documents after the first: their outlines, their named places, where
//! their links lead by such names, their tags, and which of their layers are shown.

use std::collections::{BTreeMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, StringFormat};

use super::changes::Changes;
use super::fields;
use super::later::Later;
use super::layers::Layers;
use super::tags::Tags;
use crate::destinations::Destinations;
use crate::graft::Graft;
use crate::patch::Patch;

/// Most entries of an outline that are carried over.
const ENTRIES: usize = 100_000;
/// Deepest nesting of an outline.
const DEPTH: u32 = 50;

/// What is carried over into a merged document.
pub(crate) struct Carry<'a> {
    merged: &'a Document,
    patch: Patch,
    /// What becomes of objects that libqpdf has copied.
    changes: Changes<'a>,
    tags: Tags,
    layers: Layers,
    language: Option<Object>,
    /// The entries that join the outline, at its top.
    entries: Vec<(ObjectId, Dictionary)>,
    /// Named places that are new.
    strings: BTreeMap<Vec<u8>, Object>,
    names: BTreeMap<Vec<u8>, Object>,
}

impl<'a> Carry<'a> {
    /// Nothing yet, into a merged document whose first document has so many pages.
    pub(crate) fn into(merged: &'a Document, first_pages: usize) -> Self {
        let (mut patch, mut changes) = (Patch::of(merged), Changes::to(merged));
        Self {
            merged,
            tags: Tags::of(first_pages, &mut changes, &mut patch),
            changes,
            patch,
            layers: Layers::default(),
            language: None,
            entries: Vec::new(),
            strings: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }

    /// Carries over what a document has.
    pub(super) fn add(&mut self, later: &Later<'_>) {
        self.add_without_tags(later);
        fields::rejoin(later, self.merged, &mut self.changes);
        self.tags.add(later, &mut self.changes, &mut self.patch);
    }

    /// Carries over what a document has, but for its tags.
    pub(crate) fn add_without_tags(&mut self, later: &Later<'_>) {
        let mut graft = Graft::new(later.document, later.pages.clone());
        self.add_outline(later, &mut graft);
        self.add_places(later, &mut graft);
        self.lead_links(later, &mut graft);
        self.layers.add(later, self.merged);
    }

    /// Says which language a document is in that says nothing of it.
    pub(crate) fn speak(&mut self, language: &Object) {
        self.language = Some(language.clone());
    }

    /// All changes to the merged document.
    pub(crate) fn finish(mut self) -> Patch {
        let root = self
            .merged
            .trailer
            .get(b"Root")
            .and_then(Object::as_reference);
        let (Ok(root), Ok(catalog)) = (root, self.merged.catalog()) else {
            return self.patch;
        };
        self.changes.write(&mut self.patch);
        let mut catalog = catalog.clone();
        let joined = self.join_outline(&mut catalog);
        let named = self.join_places(&mut catalog);
        let tagged = self.tags.join(&mut catalog, self.merged, &mut self.patch);
        let layered = std::mem::take(&mut self.layers).join(&mut catalog, self.merged);
        let language = self.language.take().filter(|_| !catalog.has(b"Lang"));
        let spoken = language.map(|language| catalog.set("Lang", language));
        if joined || named || tagged || layered || spoken.is_some() {
            self.patch.set(root, &catalog.into());
        }
        self.patch
    }

    fn add_outline(&mut self, later: &Later<'_>, graft: &mut Graft<'_>) {
        let outline = later.document.catalog();
        let outline = outline.and_then(|catalog| catalog.get_deref(b"Outlines", later.document));
        let Ok(outline) = outline.and_then(Object::as_dict) else {
            return;
        };
        let mut seen = HashSet::new();
        let entries = self.entries_below(later, graft, outline, (&mut seen, 0));
        self.entries.extend(entries);
    }

    /// Copies the entries below one; those below them are finished, they themselves are not yet tied to one another.
    fn entries_below(
        &mut self,
        later: &Later<'_>,
        graft: &mut Graft<'_>,
        parent: &Dictionary,
        (seen, depth): (&mut HashSet<ObjectId>, u32),
    ) -> Vec<(ObjectId, Dictionary)> {
        let mut copies = Vec::new();
        let mut next = parent.get(b"First").and_then(Object::as_reference).ok();
        while let Some(id) = next {
            if depth > DEPTH || seen.len() > ENTRIES || !seen.insert(id) {
                break;
            }
            let Ok(entry) = later.document.get_dictionary(id) else {
                break;
            };
            next = entry.get(b"Next").and_then(Object::as_reference).ok();
            let is_gone = later.is_gone(place_of(later, entry));
            if is_gone && !entry.has(b"First") {
                continue;
            }
            let copy = self.patch.new_id();
            let below = self.entries_below(later, graft, entry, (seen, depth + 1));
            let mut about = self.entry(later, graft, entry);
            if is_gone {
                // It leads to what stays below it.
                let Some((_, first)) = below.first() else {
                    continue;
                };
                about.remove(b"Dest");
                if let Ok(place) = first.get(b"Dest") {
                    about.set("Dest", place.clone());
                }
            }
            if let (Some((first, _)), Some((last, _))) = (below.first(), below.last()) {
                about.set("First", *first);
                about.set("Last", *last);
                // Closed, whatever it was: what is open has to be counted up to the top.
                about.set("Count", -i64::try_from(below.len()).unwrap_or(i64::MAX));
                self.tie(below, copy, None);
            }
            copies.push((copy, about));
        }
        copies
    }

    fn entry(
        &mut self,
        later: &Later<'_>,
        graft: &mut Graft<'_>,
        entry: &Dictionary,
    ) -> Dictionary {
        let mut copy = Dictionary::new();
        for key in [b"Title" as &[u8], b"C", b"F"] {
            if let Ok(value) = entry.get(key) {
                copy.set(key, graft.copy(value, &mut self.patch));
            }
        }
        match place_of(later, entry) {
            Some(place) => copy.set("Dest", later.explicit(place, graft, &mut self.patch)),
            None => {
                if let Ok(action) = entry.get(b"A") {
                    copy.set("A", graft.copy(action, &mut self.patch));
                }
            }
        }
        copy
    }

    /// Ties neighbours to one another and to what is above them, the first to what stands before it, and writes them.
    fn tie(
        &mut self,
        entries: Vec<(ObjectId, Dictionary)>,
        parent: ObjectId,
        before: Option<ObjectId>,
    ) {
        let ids: Vec<ObjectId> = entries.iter().map(|(id, _)| *id).collect();
        let following = ids.iter().skip(1).copied().map(Some).chain([None]);
        let mut before = before;
        for ((id, mut entry), next) in entries.into_iter().zip(following) {
            entry.set("Parent", parent);
            if let Some(before) = before {
                entry.set("Prev", before);
            }
            if let Some(next) = next {
                entry.set("Next", next);
            }
            before = Some(id);
            self.patch.set(id, &entry.into());
        }
    }

    /// Puts the new entries behind those that the first document has.
    fn join_outline(&mut self, catalog: &mut Dictionary) -> bool {
        let entries = std::mem::take(&mut self.entries);
        let (Some((first, _)), Some((last, _))) = (entries.first(), entries.last()) else {
            return false;
        };
        let (first, last) = (*first, *last);
        let known = catalog.get(b"Outlines").and_then(Object::as_reference).ok();
        let id = known.unwrap_or_else(|| self.patch.new_id());
        let outline = self.merged.get_dictionary(id).cloned();
        let mut outline = outline.unwrap_or_else(|_| lopdf::dictionary! { "Type" => "Outlines" });
        let before = outline.get(b"Last").and_then(Object::as_reference).ok();
        if let Some(before) = before
            && let Ok(entry) = self.merged.get_dictionary(before)
        {
            let mut entry = entry.clone();
            entry.set("Next", first);
            self.patch.set(before, &entry.into());
        } else {
            outline.set("First", first);
        }
        outline.set("Last", last);
        let open = outline
            .get(b"Count")
            .and_then(Object::as_i64)
            .unwrap_or(0)
            .max(0);
        outline.set("Count", open + i64::try_from(entries.len()).unwrap_or(0));
        self.tie(entries, id, before);
        self.patch.set(id, &outline.into());
        catalog.set("Outlines", id);
        true
    }

    /// A name that a document before has already keeps its place there.
    fn add_places(&mut self, later: &Later<'_>, graft: &mut Graft<'_>) {
        for (name, place) in &later.destinations.strings {
            let place = later.destinations.resolve(later.document, place);
            if let Some(place) = place.filter(|place| !later.is_gone(Some(place))) {
                let place = later.explicit(place, graft, &mut self.patch);
                self.strings.entry(name.clone()).or_insert(place);
            }
        }
        for (name, place) in &later.destinations.names {
            let place = later.destinations.resolve(later.document, place);
            if let Some(place) = place.filter(|place| !later.is_gone(Some(place))) {
                let place = later.explicit(place, graft, &mut self.patch);
                self.names.entry(name.clone()).or_insert(place);
            }
        }
    }

    fn join_places(&mut self, catalog: &mut Dictionary) -> bool {
        let known = Destinations::of(self.merged);
        let strings = std::mem::take(&mut self.strings);
        let names = std::mem::take(&mut self.names);
        if !strings.is_empty() {
            let mut all = strings;
            all.extend(
                known
                    .strings
                    .iter()
                    .map(|(name, place)| (name.clone(), (*place).clone())),
            );
            let pairs = all
                .into_iter()
                .flat_map(|(name, place)| [Object::String(name, StringFormat::Hexadecimal), place]);
            let pairs: Vec<Object> = pairs.collect();
            let tree = self
                .patch
                .add(&lopdf::dictionary! { "Names" => pairs }.into());
            let other = catalog.get_deref(b"Names", self.merged);
            let other = other.and_then(Object::as_dict).cloned();
            let mut other = other.unwrap_or_default();
            other.set("Dests", tree);
            catalog.set("Names", other);
        } else if names.is_empty() {
            return false;
        }
        if !names.is_empty() {
            let mut all = names;
            all.extend(
                known
                    .names
                    .iter()
                    .map(|(name, place)| (name.clone(), (*place).clone())),
            );
            let all: Dictionary = all.into_iter().collect();
            catalog.set("Dests", self.patch.add(&all.into()));
        }
        true
    }

    /// Links lead to the places themselves, since another document's places may have the same names.
    fn lead_links(&mut self, later: &Later<'_>, graft: &mut Graft<'_>) {
        let pages = later.own.iter().filter_map(|page| later.pages.get(page));
        for page in pages {
            let Ok(page) = self.merged.get_dictionary(*page) else {
                continue;
            };
            let annotations = page.get_deref(b"Annots", self.merged);
            let annotations = annotations.and_then(Object::as_array);
            for annotation in annotations.into_iter().flatten() {
                let Ok((Some(id), Object::Dictionary(link))) = self.merged.dereference(annotation)
                else {
                    continue;
                };
                let place = self.named_place(later, link);
                let Some(place) = place.filter(|place| !later.is_gone(Some(place))) else {
                    continue;
                };
                let place = later.explicit(place, graft, &mut self.patch);
                if let Some(link) = self.changes.of(id) {
                    link.remove(b"A");
                    link.set("Dest", place);
                }
            }
        }
    }

    /// The place that a link of the merged document names, as the later document knows it.
    fn named_place<'l>(&self, later: &'l Later<'l>, link: &Dictionary) -> Option<&'l [Object]> {
        let place = match link.get_deref(b"Dest", self.merged) {
            Ok(place) => place,
            Err(_) => {
                let action = link.get_deref(b"A", self.merged).ok()?.as_dict().ok()?;
                let kind = action.get(b"S").and_then(Object::as_name).ok()?;
                if kind != b"GoTo" || action.has(b"Next") {
                    return None;
                }
                action.get_deref(b"D", self.merged).ok()?
            }
        };
        let known = match place {
            Object::String(name, _) => later.destinations.strings.get(name)?,
            Object::Name(name) => later.destinations.names.get(name)?,
            _ => return None,
        };
        later.destinations.resolve(later.document, known)
    }
}

/// Where an entry of an outline leads within its document.
fn place_of<'l>(later: &'l Later<'l>, entry: &'l Dictionary) -> Option<&'l [Object]> {
    let document = later.document;
    let place = match entry.get_deref(b"Dest", document) {
        Ok(place) => place,
        Err(_) => {
            let action = entry.get_deref(b"A", document).ok()?.as_dict().ok()?;
            let kind = action.get(b"S").and_then(Object::as_name).ok()?;
            if kind != b"GoTo" {
                return None;
            }
            action.get_deref(b"D", document).ok()?
        }
    };
    later.destinations.resolve(document, place)
}
