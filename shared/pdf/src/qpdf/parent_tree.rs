//! The parent tree, which maps marked content to structure elements [ISO 32000-1, 14.7.4.4].

use std::collections::HashSet;
use std::ffi::{CStr, c_int};

use qpdf_sys::{
    qpdf_data, qpdf_get_root, qpdf_oh, qpdf_oh_get_array_item, qpdf_oh_get_array_n_items,
    qpdf_oh_get_key, qpdf_oh_get_object_id, qpdf_oh_is_array, qpdf_oh_is_dictionary,
};

use super::QpdfDocument;

/// Maximum depth.
const MAX_DEPTH: u32 = 32;
/// Maximum number of nodes.
const MAX_NODES: usize = 100_000;

impl QpdfDocument {
    /// Whether the parent tree is free of cycles and within limits. PDFium does not check that and would recurse until the
    /// stack overflows.
    pub fn has_finite_parent_tree(&self) -> bool {
        let tags = get(self.handle, root(self.handle), c"/StructTreeRoot");
        let tree = tags.and_then(|tags| get(self.handle, tags, c"/ParentTree"));
        let (mut seen, mut looked_at) = (HashSet::new(), 0);
        let mut left = Vec::from_iter(tree.map(|tree| (tree, 0)));
        while let Some((node, depth)) = left.pop() {
            let number = number(self.handle, node);
            looked_at += 1;
            // A node with two parents would be visited once per path to it, which can be exponential.
            let is_known = number != 0 && !seen.insert(number);
            if is_known || depth > MAX_DEPTH || looked_at + left.len() > MAX_NODES {
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
    reason = "the caller's handle is that of a `QpdfDocument`, which has a document as long as it exists"
)]
fn root(handle: qpdf_data) -> qpdf_oh {
    unsafe { qpdf_get_root(handle) }
}

/// The object number; 0 for a direct object.
#[expect(
    unsafe_code,
    reason = "the object belongs to the document, and its handle is valid: none is released during the walk"
)]
fn number(handle: qpdf_data, object: qpdf_oh) -> c_int {
    unsafe { qpdf_oh_get_object_id(handle, object) }
}

/// Returns a member of a dictionary; `None` for other types.
#[expect(
    unsafe_code,
    reason = "the object belongs to the document, and its handle is valid: none is released during the walk; a missing member is null there"
)]
fn get(handle: qpdf_data, object: qpdf_oh, key: &CStr) -> Option<qpdf_oh> {
    unsafe {
        let is_dictionary = qpdf_oh_is_dictionary(handle, object) != 0;
        is_dictionary.then(|| qpdf_oh_get_key(handle, object, key.as_ptr()))
    }
}

#[expect(
    unsafe_code,
    reason = "the array belongs to the document, and its handle is valid as above; indexes are below the length read just before, and nothing changes the array in between"
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
        let most = c_int::try_from(MAX_NODES)
            .unwrap_or(c_int::MAX)
            .saturating_add(1);
        (0..count.min(most))
            .map(|index| qpdf_oh_get_array_item(handle, kids, index))
            .collect()
    }
}
