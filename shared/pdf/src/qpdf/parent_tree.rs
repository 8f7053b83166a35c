//! The parent tree, which maps marked content to structure elements [ISO 32000-1, 14.7.4.4].

use std::collections::HashSet;
use std::ffi::{CStr, c_int};

use super::QpdfDocument;
use super::handle::Object;

/// Maximum depth.
const MAX_DEPTH: u32 = 32;
/// Maximum number of nodes.
const MAX_NODES: usize = 100_000;

impl QpdfDocument {
    /// Whether the parent tree is free of cycles and within limits. PDFium does not check that and would recurse until the
    /// stack overflows.
    pub fn has_finite_parent_tree(&self) -> bool {
        let tags = get(&self.handle.root(), c"/StructTreeRoot");
        let tree = tags.and_then(|tags| get(&tags, c"/ParentTree"));
        let (mut seen, mut looked_at) = (HashSet::new(), 0);
        let mut left = Vec::from_iter(tree.map(|tree| (tree, 0)));
        while let Some((node, depth)) = left.pop() {
            let number = node.number();
            looked_at += 1;
            // A node with two parents would be visited once per path to it, which can be exponential.
            let is_known = number != 0 && !seen.insert(number);
            if is_known || depth > MAX_DEPTH || looked_at + left.len() > MAX_NODES {
                return false;
            }
            let kids = kids(&node).into_iter();
            left.extend(kids.map(|kid| (kid, depth + 1)));
        }
        true
    }
}

/// Returns a member of a dictionary; `None` for other types.
fn get<'d>(object: &Object<'d>, key: &CStr) -> Option<Object<'d>> {
    object.is_dictionary().then(|| object.get(key))
}

fn kids<'d>(node: &Object<'d>) -> Vec<Object<'d>> {
    let most = c_int::try_from(MAX_NODES)
        .unwrap_or(c_int::MAX)
        .saturating_add(1);
    get(node, c"/Kids").map_or_else(Vec::new, |kids| kids.items(most))
}
