//! Places of a PDF that have names, and where they are [ISO 32000-1, 12.3.2].

use std::collections::{BTreeMap, HashSet};

use lopdf::{Dictionary, Document, Object};

/// Deepest nesting of a tree of names.
const DEPTH: u32 = 50;
/// Most names that are read.
const NAMES: usize = 100_000;

/// The named places of a document.
#[derive(Default)]
pub(crate) struct Destinations<'a> {
    /// By strings, in the tree of names.
    pub(crate) strings: BTreeMap<Vec<u8>, &'a Object>,
    /// By names, in the catalog, as documents before PDF 1.2 have them.
    pub(crate) names: BTreeMap<Vec<u8>, &'a Object>,
}

impl<'a> Destinations<'a> {
    /// Reads those of a document; none where it has no catalog.
    pub(crate) fn of(document: &'a Document) -> Self {
        let mut found = Self::default();
        let Ok(catalog) = document.catalog() else {
            return found;
        };
        if let Some(names) = member(document, catalog, b"Dests") {
            let names = names.iter();
            found.names = names.map(|(name, place)| (name.clone(), place)).collect();
        }
        let tree = member(document, catalog, b"Names");
        if let Some(root) = tree.and_then(|tree| member(document, tree, b"Dests")) {
            found.gather(document, root, (0, &mut HashSet::new()));
        }
        found
    }

    fn gather(
        &mut self,
        document: &'a Document,
        node: &'a Dictionary,
        (depth, seen): (u32, &mut HashSet<*const Dictionary>),
    ) {
        // A node that is met again, within itself or elsewhere, has nothing new.
        let is_new = seen.insert(std::ptr::from_ref(node));
        if depth > DEPTH || self.strings.len() > NAMES || !is_new {
            return;
        }
        for pair in items(document, node, b"Names").chunks_exact(2) {
            if let [name, place] = pair
                && let Ok((_, Object::String(name, _))) = document.dereference(name)
            {
                self.strings.entry(name.clone()).or_insert(place);
            }
        }
        for kid in items(document, node, b"Kids") {
            if let Ok((_, Object::Dictionary(kid))) = document.dereference(kid) {
                self.gather(document, kid, (depth + 1, &mut *seen));
            }
        }
    }

    /// The place that an object says: a page and what of it is to be seen.
    pub(crate) fn resolve(
        &self,
        document: &'a Document,
        place: &'a Object,
    ) -> Option<&'a [Object]> {
        let place = match document.dereference(place).ok()?.1 {
            Object::String(name, _) => self.strings.get(name)?,
            Object::Name(name) => self.names.get(name)?,
            other => other,
        };
        match document.dereference(place).ok()?.1 {
            Object::Array(place) => Some(place),
            Object::Dictionary(place) => {
                let place = place.get_deref(b"D", document).ok()?;
                place.as_array().ok().map(Vec::as_slice)
            }
            _ => None,
        }
    }
}

fn member<'a>(
    document: &'a Document,
    dictionary: &'a Dictionary,
    key: &[u8],
) -> Option<&'a Dictionary> {
    dictionary.get_deref(key, document).ok()?.as_dict().ok()
}

fn items<'a>(document: &'a Document, dictionary: &'a Dictionary, key: &[u8]) -> &'a [Object] {
    let items = dictionary.get_deref(key, document);
    items.and_then(Object::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn a_tree_of_names_in_a_circle_has_an_end() {
        let mut document = Document::with_version("1.7");
        let node = document.new_object_id();
        let kids = vec![Object::Reference(node); 2];
        let names = vec![Object::string_literal("a"), 1.into()];
        document.set_object(node, dictionary! { "Kids" => kids, "Names" => names });
        let names = dictionary! { "Dests" => node };
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Names" => names });
        document.trailer.set("Root", catalog);
        assert_eq!(Destinations::of(&document).strings.len(), 1);
    }
}
