//! Parents of the nodes of the page tree [ISO 32000-1, 7.7.3.2].

use std::collections::HashSet;

use lopdf::{Object, ObjectId};

use super::walk::Walk;
use crate::objects::items;

impl Walk<'_> {
    /// Makes each node the child of the node that lists it, and the root the child of none: programs that look for inherited
    /// attributes follow cyclic parents without end.
    pub(super) fn set_parents(&mut self, catalog: ObjectId) {
        let catalog = self.document.get_dictionary(catalog);
        let root = catalog.and_then(|catalog| catalog.get(b"Pages")?.as_reference());
        let mut due = Vec::from_iter(root.ok().map(|root| (root, None)));
        let mut seen = HashSet::new();
        while let Some((id, parent)) = due.pop() {
            let Ok(node) = self.document.get_dictionary(id) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            let kids = items(&self.document, node, b"Kids").iter();
            let kids = kids.filter_map(|kid| kid.as_reference().ok());
            due.extend(kids.map(|kid| (kid, Some(id))));
            let parent = parent.map(Object::from);
            if node.get(b"Parent").ok() != parent.as_ref() {
                let mut node = node.clone();
                node.remove(b"Parent");
                if let Some(parent) = parent {
                    node.set("Parent", parent);
                }
                self.set(id, node.into());
            }
        }
    }
}
