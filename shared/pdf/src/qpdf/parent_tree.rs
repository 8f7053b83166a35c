//! The tree that leads from what pages show to its tags [ISO 32000-1, 14.7.4.4].

use std::collections::HashSet;
use std::ffi::{CStr, c_int};

use qpdf_sys::{
    qpdf_data, qpdf_get_root, qpdf_oh, qpdf_oh_get_array_item, qpdf_oh_get_array_n_items,
    qpdf_oh_get_key, qpdf_oh_get_object_id, qpdf_oh_is_array, qpdf_oh_is_dictionary,
};

use super::Held;

/// Deepest nesting that is followed.
const DEPTH: u32 = 32;
/// Most nodes that are looked at.
const NODES: usize = 100_000;

impl Held {
    /// Whether the tree ends. The library that reads PDF takes it for granted, and goes down by calling itself.
    pub fn has_parent_tree_that_ends(&self) -> bool {
        let tags = get(self.handle, root(self.handle), c"/StructTreeRoot");
        let tree = tags.and_then(|tags| get(self.handle, tags, c"/ParentTree"));
        let (mut seen, mut looked_at) = (HashSet::new(), 0);
        let mut left = Vec::from_iter(tree.map(|tree| (tree, 0)));
        while let Some((node, depth)) = left.pop() {
            let number = number(self.handle, node);
            looked_at += 1;
            // Met again, within itself or elsewhere, it would be gone through as often as there are ways to it.
            let is_known = number != 0 && !seen.insert(number);
            if is_known || depth > DEPTH || looked_at + left.len() > NODES {
                return false;
            }
            let kids = kids(self.handle, node).into_iter();
            left.extend(kids.map(|kid| (kid, depth + 1)));
        }
        true
    }
}

#[expect(
    unsafe_code,
    reason = "the caller's handle is that of a `Held`, which has a document as long as it is there"
)]
fn root(handle: qpdf_data) -> qpdf_oh {
    unsafe { qpdf_get_root(handle) }
}

/// The number of an object; 0 of one that is part of another.
#[expect(
    unsafe_code,
    reason = "the object is one of the document, and its handle holds: none is released while the tree is gone through"
)]
fn number(handle: qpdf_data, object: qpdf_oh) -> c_int {
    unsafe { qpdf_oh_get_object_id(handle, object) }
}

/// A member of what is a dictionary.
#[expect(
    unsafe_code,
    reason = "the object is one of the document, and its handle holds: none is released while the tree is gone through; a missing member is null there"
)]
fn get(handle: qpdf_data, object: qpdf_oh, key: &CStr) -> Option<qpdf_oh> {
    unsafe {
        let is_dictionary = qpdf_oh_is_dictionary(handle, object) != 0;
        is_dictionary.then(|| qpdf_oh_get_key(handle, object, key.as_ptr()))
    }
}

#[expect(
    unsafe_code,
    reason = "the array is one of the document, and its handle holds as above; indexes are below the length asked for just before, and nothing changes the array in between"
)]
fn kids(handle: qpdf_data, node: qpdf_oh) -> Vec<qpdf_oh> {
    let Some(kids) = get(handle, node, c"/Kids") else {
        return Vec::new();
    };
    unsafe {
        let count = match qpdf_oh_is_array(handle, kids) {
            0 => 0,
            _ => qpdf_oh_get_array_n_items(handle, kids),
        };
        let most = c_int::try_from(NODES)
            .unwrap_or(c_int::MAX)
            .saturating_add(1);
        (0..count.min(most))
            .map(|index| qpdf_oh_get_array_item(handle, kids, index))
            .collect()
    }
}
