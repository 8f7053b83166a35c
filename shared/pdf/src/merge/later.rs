//! A document whose pages, or some of them, are in a merged one.

use std::collections::HashMap;

use lopdf::{Document, Object, ObjectId};

use crate::destinations::Destinations;
use crate::graft::Graft;
use crate::patch::Patch;

/// A document whose pages, or some of them, are in the merged one.
pub(crate) struct Later<'a> {
    pub(super) document: &'a Document,
    pub(super) destinations: Destinations<'a>,
    /// Its own pages, in order.
    pub(super) own: Vec<ObjectId>,
    /// What they are in the merged document, as far as they are there.
    pub(super) pages: HashMap<ObjectId, ObjectId>,
}

impl<'a> Later<'a> {
    /// A document of whose pages none is in the merged one yet.
    pub(crate) fn of(document: &'a Document) -> Self {
        Self {
            document,
            destinations: Destinations::of(document),
            own: document.get_pages().into_values().collect(),
            pages: HashMap::new(),
        }
    }

    /// The same whose pages from `first` on are these in the merged one, and no others.
    pub(crate) fn lie(&mut self, first: usize, merged: &[ObjectId]) {
        let own = self.own.iter().skip(first).copied();
        self.pages = own.zip(merged.iter().copied()).collect();
    }

    /// Its own pages that are in the merged document, in order, with what they are there.
    pub(super) fn placed(&self) -> impl Iterator<Item = (ObjectId, ObjectId)> {
        let own = self.own.iter().copied();
        own.filter_map(|page| Some((page, *self.pages.get(&page)?)))
    }

    /// The language that the document says it is in.
    pub(crate) fn language(&self) -> Option<&'a Object> {
        let language = self
            .document
            .catalog()
            .ok()?
            .get_deref(b"Lang", self.document);
        language.ok().filter(|language| language.as_str().is_ok())
    }

    /// Whether a place is on a page that is not in the merged document.
    pub(super) fn is_gone(&self, place: Option<&[Object]>) -> bool {
        let page = match place.and_then(<[Object]>::first) {
            Some(Object::Reference(page)) => Some(*page),
            Some(Object::Integer(number)) => self.numbered(*number),
            _ => return false,
        };
        page.is_none_or(|page| !self.pages.contains_key(&page))
    }

    /// The page that a number from 0 stands for, where a page should be.
    fn numbered(&self, number: i64) -> Option<ObjectId> {
        self.own.get(usize::try_from(number).ok()?).copied()
    }

    /// A place of this document as it is in the merged one.
    pub(super) fn explicit(
        &self,
        place: &[Object],
        graft: &mut Graft<'_>,
        patch: &mut Patch,
    ) -> Object {
        let mut items = place.iter().map(|item| graft.copy(item, patch));
        let page = match items.next() {
            Some(Object::Integer(number)) => self
                .numbered(number)
                .and_then(|page| self.pages.get(&page))
                .map_or(Object::Null, |page| Object::Reference(*page)),
            Some(page) => page,
            None => Object::Null,
        };
        Object::Array([page].into_iter().chain(items).collect())
    }
}
