//! Merges the catalog entries of appended documents, which libqpdf drops: outlines, named destinations, structure tags,
//! optional content, and link destinations.

use std::collections::{BTreeMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId, StringFormat};

use super::appended::AppendedDocument;
use super::changes::Changes;
use super::fields;
use super::optional_content::OptionalContent;
use super::tags::Tags;
use crate::destinations::Destinations;
use crate::object_copier::ObjectCopier;
use crate::patch::Patch;

/// Maximum number of outline entries.
const MAX_ENTRIES: usize = 100_000;
/// Maximum depth of an outline.
const MAX_DEPTH: u32 = 50;

/// Merges catalog entries into a merged document.
pub(crate) struct CatalogMerge<'a> {
    merged: &'a Document,
    patch: Patch,
    /// Changes of objects that libqpdf has copied.
    changes: Changes<'a>,
    tags: Tags,
    optional_content: OptionalContent,
    language: Option<Object>,
    /// New top-level outline entries.
    entries: Vec<(ObjectId, Dictionary)>,
    /// New named destinations.
    strings: BTreeMap<Vec<u8>, Object>,
    names: BTreeMap<Vec<u8>, Object>,
}

impl<'a> CatalogMerge<'a> {
    /// Creates a merge without appended documents. The first document has `first_pages` pages.
    pub(crate) fn into(merged: &'a Document, first_pages: usize) -> Self {
        let (mut patch, mut changes) = (Patch::of(merged), Changes::to(merged));
        Self {
            merged,
            tags: Tags::of(first_pages, &mut changes, &mut patch),
            changes,
            patch,
            optional_content: OptionalContent::default(),
            language: None,
            entries: Vec::new(),
            strings: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }

    /// Merges the entries of a document.
    pub(super) fn add(&mut self, appended: &AppendedDocument<'_>) {
        self.add_without_tags(appended);
        fields::merge_fields(appended, self.merged, &mut self.changes);
        self.tags.add(appended, &mut self.changes, &mut self.patch);
    }

    /// Merges the entries of a document except for structure tags.
    pub(crate) fn add_without_tags(&mut self, appended: &AppendedDocument<'_>) {
        let mut object_copier = ObjectCopier::new(appended.document, appended.pages.clone());
        self.merge_outline(appended, &mut object_copier);
        self.merge_named_destinations(appended, &mut object_copier);
        self.make_links_explicit(appended, &mut object_copier);
        self.optional_content.add(appended, self.merged);
    }

    /// Sets the natural language, unless the merged document has one.
    pub(crate) fn set_language(&mut self, language: &Object) {
        self.language = Some(language.clone());
    }

    /// Returns all changes.
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
        let joined = self.write_outline(&mut catalog);
        let named = self.write_named_destinations(&mut catalog);
        let tagged = self.tags.join(&mut catalog, self.merged, &mut self.patch);
        let layered = std::mem::take(&mut self.optional_content).join(&mut catalog, self.merged);
        let language = self.language.take().filter(|_| !catalog.has(b"Lang"));
        let spoken = language.map(|language| catalog.set("Lang", language));
        if joined || named || tagged || layered || spoken.is_some() {
            self.patch.set(root, &catalog.into());
        }
        self.patch
    }

    fn merge_outline(
        &mut self,
        appended: &AppendedDocument<'_>,
        object_copier: &mut ObjectCopier<'_>,
    ) {
        let outline = appended.document.catalog();
        let outline = outline.and_then(|catalog| catalog.get_deref(b"Outlines", appended.document));
        let Ok(outline) = outline.and_then(Object::as_dict) else {
            return;
        };
        let mut seen = HashSet::new();
        let entries = self.entries_below(appended, object_copier, outline, (&mut seen, 0));
        self.entries.extend(entries);
    }

    /// Copies the entries below one. Their descendants are complete; the entries themselves are not linked to their siblings
    /// yet.
    fn entries_below(
        &mut self,
        appended: &AppendedDocument<'_>,
        object_copier: &mut ObjectCopier<'_>,
        parent: &Dictionary,
        (seen, depth): (&mut HashSet<ObjectId>, u32),
    ) -> Vec<(ObjectId, Dictionary)> {
        let mut copies = Vec::new();
        let mut next = parent.get(b"First").and_then(Object::as_reference).ok();
        while let Some(id) = next {
            if depth > MAX_DEPTH || seen.len() > MAX_ENTRIES || !seen.insert(id) {
                break;
            }
            let Ok(entry) = appended.document.get_dictionary(id) else {
                break;
            };
            next = entry.get(b"Next").and_then(Object::as_reference).ok();
            let is_gone = appended.is_gone(destination_of(appended, entry));
            if is_gone && !entry.has(b"First") {
                continue;
            }
            let copy = self.patch.new_id();
            let below = self.entries_below(appended, object_copier, entry, (seen, depth + 1));
            let mut dict = self.entry(appended, object_copier, entry);
            if is_gone {
                // It leads to the destination of its first child.
                let Some((_, first)) = below.first() else {
                    continue;
                };
                dict.remove(b"Dest");
                if let Ok(place) = first.get(b"Dest") {
                    dict.set("Dest", place.clone());
                }
            }
            if let (Some((first, _)), Some((last, _))) = (below.first(), below.last()) {
                dict.set("First", *first);
                dict.set("Last", *last);
                // Always closed: open entries would have to be counted in all ancestors.
                dict.set("Count", -i64::try_from(below.len()).unwrap_or(i64::MAX));
                self.link_siblings(below, copy, None);
            }
            copies.push((copy, dict));
        }
        copies
    }

    fn entry(
        &mut self,
        appended: &AppendedDocument<'_>,
        object_copier: &mut ObjectCopier<'_>,
        entry: &Dictionary,
    ) -> Dictionary {
        let mut copy = Dictionary::new();
        for key in [b"Title" as &[u8], b"C", b"F"] {
            if let Ok(value) = entry.get(key) {
                copy.set(key, object_copier.copy(value, &mut self.patch));
            }
        }
        match destination_of(appended, entry) {
            Some(place) => copy.set(
                "Dest",
                appended.explicit_destination(place, object_copier, &mut self.patch),
            ),
            None => {
                if let Ok(action) = entry.get(b"A") {
                    copy.set("A", object_copier.copy(action, &mut self.patch));
                }
            }
        }
        copy
    }

    /// Links entries to their parent and siblings, the first one to `before`, and writes them.
    fn link_siblings(
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

    /// Appends the new entries to the outline of the first document.
    fn write_outline(&mut self, catalog: &mut Dictionary) -> bool {
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
        self.link_siblings(entries, id, before);
        self.patch.set(id, &outline.into());
        catalog.set("Outlines", id);
        true
    }

    /// Adds named destinations. Existing names keep their destinations.
    fn merge_named_destinations(
        &mut self,
        appended: &AppendedDocument<'_>,
        object_copier: &mut ObjectCopier<'_>,
    ) {
        for (name, place) in &appended.destinations.strings {
            let place = appended.destinations.resolve(appended.document, place);
            if let Some(place) = place.filter(|place| !appended.is_gone(Some(place))) {
                let place = appended.explicit_destination(place, object_copier, &mut self.patch);
                self.strings.entry(name.clone()).or_insert(place);
            }
        }
        for (name, place) in &appended.destinations.names {
            let place = appended.destinations.resolve(appended.document, place);
            if let Some(place) = place.filter(|place| !appended.is_gone(Some(place))) {
                let place = appended.explicit_destination(place, object_copier, &mut self.patch);
                self.names.entry(name.clone()).or_insert(place);
            }
        }
    }

    fn write_named_destinations(&mut self, catalog: &mut Dictionary) -> bool {
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

    /// Replaces named destinations of links by explicit ones, because another document may use the same names.
    fn make_links_explicit(
        &mut self,
        appended: &AppendedDocument<'_>,
        object_copier: &mut ObjectCopier<'_>,
    ) {
        let pages = appended
            .own
            .iter()
            .filter_map(|page| appended.pages.get(page));
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
                let place = self.named_destination(appended, link);
                let Some(place) = place.filter(|place| !appended.is_gone(Some(place))) else {
                    continue;
                };
                let place = appended.explicit_destination(place, object_copier, &mut self.patch);
                if let Some(link) = self.changes.of(id) {
                    link.remove(b"A");
                    link.set("Dest", place);
                }
            }
        }
    }

    /// Returns the destination that a link of the merged document names, as the appended document defines it.
    fn named_destination<'l>(
        &self,
        appended: &'l AppendedDocument<'l>,
        link: &Dictionary,
    ) -> Option<&'l [Object]> {
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
            Object::String(name, _) => appended.destinations.strings.get(name)?,
            Object::Name(name) => appended.destinations.names.get(name)?,
            _ => return None,
        };
        appended.destinations.resolve(appended.document, known)
    }
}

/// Returns the destination of an outline entry in its document.
fn destination_of<'l>(
    appended: &'l AppendedDocument<'l>,
    entry: &'l Dictionary,
) -> Option<&'l [Object]> {
    let document = appended.document;
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
    appended.destinations.resolve(document, place)
}
