//! Reads and writes number trees and name trees [ISO 32000-1, 7.9.6, 7.9.7].

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::objects::{items, member};
use crate::patch::Patch;

/// Maximum depth.
const MAX_DEPTH: u32 = 50;
/// Maximum number of pairs that are read.
const MAX_PAIRS: usize = 1_000_000;
/// Maximum number of pairs in a leaf.
const MAX_LEAF: usize = 128;

/// Returns the pairs of a number tree, which is a member of a dictionary.
pub fn numbers<'d>(
    document: &'d Document,
    of: &'d Dictionary,
    key: &[u8],
) -> Vec<(i64, &'d Object)> {
    let pairs = pairs(document, of, (key, b"Nums")).into_iter();
    pairs
        .filter_map(|(key, value)| Some((key.as_i64().ok()?, value)))
        .collect()
}

/// Returns the pairs of a name tree, which is a member of a dictionary.
pub fn names<'d>(
    document: &'d Document,
    of: &'d Dictionary,
    key: &[u8],
) -> Vec<(Vec<u8>, &'d Object)> {
    let pairs = pairs(document, of, (key, b"Names")).into_iter();
    pairs
        .filter_map(|(key, value)| Some((key.as_str().ok()?.to_vec(), value)))
        .collect()
}

fn pairs<'d>(
    document: &'d Document,
    of: &'d Dictionary,
    (key, kind): (&[u8], &[u8]),
) -> Vec<(&'d Object, &'d Object)> {
    let mut found = Vec::new();
    if let Some(root) = member(document, of, key) {
        gather(document, root, kind, 0, (&mut found, &mut HashSet::new()));
    }
    found
}

fn gather<'d>(
    document: &'d Document,
    node: &'d Dictionary,
    kind: &[u8],
    depth: u32,
    (found, seen): (
        &mut Vec<(&'d Object, &'d Object)>,
        &mut HashSet<*const Dictionary>,
    ),
) {
    // A node that occurs again, as in a cycle, adds nothing.
    if depth > MAX_DEPTH || found.len() > MAX_PAIRS || !seen.insert(std::ptr::from_ref(node)) {
        return;
    }
    for pair in items(document, node, kind).chunks_exact(2) {
        if let [key, value] = pair
            && let Ok((_, key)) = document.dereference(key)
        {
            found.push((key, value));
        }
    }
    for kid in items(document, node, b"Kids") {
        if let Ok((_, Object::Dictionary(kid))) = document.dereference(kid) {
            gather(document, kid, kind, depth + 1, (&mut *found, &mut *seen));
        }
    }
}

/// Writes a tree of sorted pairs.
pub fn write(kind: &[u8], pairs: Vec<(Object, Object)>, patch: &mut Patch) -> ObjectId {
    let flat = |pairs: &[(Object, Object)]| -> Vec<Object> {
        let pairs = pairs.iter();
        pairs
            .flat_map(|(key, value)| [key.clone(), value.clone()])
            .collect()
    };
    let mut root = Dictionary::new();
    match pairs.len() {
        0..=MAX_LEAF => root.set(kind, flat(&pairs)),
        _ => {
            let leaves = pairs.chunks(MAX_LEAF).map(|leaf| {
                let mut node = Dictionary::new();
                if let ([(first, _), ..], [.., (last, _)]) = (leaf, leaf) {
                    node.set("Limits", vec![first.clone(), last.clone()]);
                }
                node.set(kind, flat(leaf));
                Object::Reference(patch.add(&node.into()))
            });
            let leaves: Vec<Object> = leaves.collect();
            root.set("Kids", leaves);
        }
    }
    patch.add(&root.into())
}
