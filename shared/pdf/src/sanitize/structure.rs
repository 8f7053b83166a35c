//! Removes structure elements of content that does not stay, whose texts would tell it [ISO 32000-1, 14.7].

use std::collections::HashSet;

use lopdf::{Dictionary, Object, ObjectId};

use super::walk::Walk;
use crate::objects::member;

/// Maximum depth of the structure.
const MAX_DEPTH: u32 = 200;

impl Walk<'_> {
    /// Removes references to hidden marked content and to removed objects, and the elements that have no other content.
    pub(super) fn prune_structure(&mut self) {
        let catalog = self.document.catalog().ok();
        let root = catalog.and_then(|catalog| member(&self.document, catalog, b"StructTreeRoot"));
        let Some(kids) = root.and_then(|root| root.get(b"K").ok()).cloned() else {
            return;
        };
        self.kept_kid(&kids, (None, 0), &mut HashSet::new());
    }

    /// What stays of a child of an element whose content is on `page`.
    fn kept_kid(
        &mut self,
        kid: &Object,
        (page, depth): (Option<ObjectId>, u32),
        seen: &mut HashSet<ObjectId>,
    ) -> Option<Object> {
        if depth > MAX_DEPTH {
            return Some(kid.clone());
        }
        match kid {
            Object::Integer(mark) => (!self.is_hidden_mark(page, *mark)).then(|| kid.clone()),
            Object::Array(kids) => {
                let kids = kids.iter();
                let kids = kids.filter_map(|kid| self.kept_kid(kid, (page, depth + 1), seen));
                let kids: Vec<Object> = kids.collect();
                (!kids.is_empty()).then_some(Object::Array(kids))
            }
            Object::Dictionary(element) => {
                let kept = self.kept_element(element, (page, depth), seen)?;
                Some(kept.into())
            }
            Object::Reference(id) => {
                if !seen.insert(*id) {
                    return Some(kid.clone());
                }
                match self.document.get_object(*id).cloned() {
                    Ok(Object::Dictionary(element)) => {
                        match self.kept_element(&element, (page, depth), seen) {
                            Some(kept) if kept == element => {}
                            Some(kept) => self.set(*id, kept.into()),
                            None => {
                                self.set(*id, Object::Null);
                                return None;
                            }
                        }
                    }
                    Ok(Object::Array(kids)) => {
                        return self.kept_kid(&Object::Array(kids), (page, depth + 1), seen);
                    }
                    _ => {}
                }
                Some(kid.clone())
            }
            other => Some(other.clone()),
        }
    }

    fn kept_element(
        &mut self,
        element: &Dictionary,
        (page, depth): (Option<ObjectId>, u32),
        seen: &mut HashSet<ObjectId>,
    ) -> Option<Dictionary> {
        let of = |key: &[u8]| element.get(key).and_then(Object::as_reference).ok();
        let page = of(b"Pg").or(page);
        if let Ok(mark) = element.get(b"MCID").and_then(Object::as_i64) {
            let stream = of(b"Stm");
            let visible = self.visible.as_ref();
            let is_read = |stream| visible.is_none_or(|visible| visible.read.contains(&stream));
            let is_kept = stream.is_none_or(is_read) && !self.is_hidden_mark(stream.or(page), mark);
            return is_kept.then(|| element.clone());
        }
        if let Some(object) = of(b"Obj") {
            return self.is_shown(object).then(|| element.clone());
        }
        let Ok(kids) = element.get(b"K") else {
            return Some(element.clone());
        };
        let kids = self.kept_kid(kids, (page, depth + 1), seen)?;
        let mut kept = element.clone();
        kept.set("K", kids);
        Some(kept)
    }

    fn is_hidden_mark(&self, owner: Option<ObjectId>, mark: i64) -> bool {
        let visible = self.visible.as_ref();
        let owner = visible.zip(owner);
        owner.is_some_and(|(visible, owner)| visible.marks.contains(&(owner, mark)))
    }
}
