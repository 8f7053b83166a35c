//! Named destinations of a PDF [ISO 32000-1, 12.3.2].

use std::collections::BTreeMap;

use lopdf::{Document, Object};

use crate::objects::member;
use crate::trees;

/// Maximum number of names.
const MAX_NAMES: usize = 100_000;

/// The named destinations of a document.
#[derive(Default)]
pub struct Destinations<'a> {
    /// From the name tree, keyed by strings.
    pub strings: BTreeMap<Vec<u8>, &'a Object>,
    /// From the catalog, keyed by names, as in PDF 1.1.
    pub names: BTreeMap<Vec<u8>, &'a Object>,
}

impl<'a> Destinations<'a> {
    /// Reads the destinations of a document; empty without a catalog.
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
        for (name, place) in named.into_iter().flatten().take(MAX_NAMES) {
            found.strings.entry(name).or_insert(place);
        }
        found
    }

    /// Resolves an object to an explicit destination: a page and a view of it.
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
    fn a_cyclic_name_tree_terminates() {
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
