//! A document with pages in a merged document.

use std::collections::HashMap;

use lopdf::{Document, Object, ObjectId};

use crate::destinations::Destinations;
use crate::object_copier::ObjectCopier;
use crate::patch::Patch;

/// A document with pages in a merged document.
pub(crate) struct AppendedDocument<'a> {
    pub(super) document: &'a Document,
    pub(super) destinations: Destinations<'a>,
    /// Its pages, in order.
    pub(super) own: Vec<ObjectId>,
    /// Its pages and their object numbers in the merged document.
    pub(super) pages: HashMap<ObjectId, ObjectId>,
}

impl<'a> AppendedDocument<'a> {
    /// A document without pages in the merged one.
    pub(crate) fn of(document: &'a Document) -> Self {
        Self {
            document,
            destinations: Destinations::of(document),
            own: document.get_pages().into_values().collect(),
            pages: HashMap::new(),
        }
    }

    /// Maps the pages from `first` on to these pages of the merged document.
    pub(crate) fn map_pages(&mut self, first: usize, merged: &[ObjectId]) {
        let own = self.own.iter().skip(first).copied();
        self.pages = own.zip(merged.iter().copied()).collect();
    }

    /// Returns its pages that are in the merged document, in order, with their object numbers there.
    pub(super) fn merged_pages(&self) -> impl Iterator<Item = (ObjectId, ObjectId)> {
        let own = self.own.iter().copied();
        own.filter_map(|page| Some((page, *self.pages.get(&page)?)))
    }

    /// Returns the natural language of the document.
    pub(crate) fn language(&self) -> Option<&'a Object> {
        let language = self
            .document
            .catalog()
            .ok()?
            .get_deref(b"Lang", self.document);
        language.ok().filter(|language| language.as_str().is_ok())
    }

    /// Whether a destination is on a page that is not in the merged document.
    pub(super) fn is_gone(&self, place: Option<&[Object]>) -> bool {
        let page = match place.and_then(<[Object]>::first) {
            Some(Object::Reference(page)) => Some(*page),
            Some(Object::Integer(number)) => self.page_at(*number),
            _ => return false,
        };
        page.is_none_or(|page| !self.pages.contains_key(&page))
    }

    /// Returns the page at an index, where a destination has a number instead of a page.
    fn page_at(&self, number: i64) -> Option<ObjectId> {
        self.own.get(usize::try_from(number).ok()?).copied()
    }

    /// Converts an explicit destination to the merged document.
    pub(super) fn explicit_destination(
        &self,
        place: &[Object],
        object_copier: &mut ObjectCopier<'_>,
        patch: &mut Patch,
    ) -> Object {
        let mut items = place.iter().map(|item| object_copier.copy(item, patch));
        let page = match items.next() {
            Some(Object::Integer(number)) => self
                .page_at(number)
                .and_then(|page| self.pages.get(&page))
                .map_or(Object::Null, |page| Object::Reference(*page)),
            Some(page) => page,
            None => Object::Null,
        };
        Object::Array([page].into_iter().chain(items).collect())
    }
}
