//! Places of a PDF that have names, and where they are [ISO 32000-1, 12.3.2].

use std::collections::BTreeMap;

use lopdf::{Document, Object};

use crate::objects::member;
use crate::trees;

/// Most names that are read.
const NAMES: usize = 100_000;

/// The named places of a document.
#[derive(Default)]
pub struct Destinations<'a> {
    /// By strings, in the tree of names.
    pub strings: BTreeMap<Vec<u8>, &'a Object>,
    /// By names, in the catalog, as documents before PDF 1.2 have them.
    pub names: BTreeMap<Vec<u8>, &'a Object>,
}

impl<'a> Destinations<'a> {
    /// Reads those of a document; none where it has no catalog.
    pub fn of(document: &'a Document) -> Self {
        let mut found = Self::default();
        let Ok(catalog) = document.catalog() else {
            return found;
        };
        if let Some(names) = member(document, catalog, b"Dests") {
            let names = names.iter();
            found.names = names.map(|(name, place)| (name.clone(), place)).collect();
        }
        let tree = member(document, catalog, b"Names");
        let named = tree.map(|tree| trees::names(document, tree, b"Dests"));
        for (name, place) in named.into_iter().flatten().take(NAMES) {
            found.strings.entry(name).or_insert(place);
        }
        found
    }

    /// The place that an object says: a page and what of it is to be seen.
    pub fn resolve(&self, document: &'a Document, place: &'a Object) -> Option<&'a [Object]> {
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
