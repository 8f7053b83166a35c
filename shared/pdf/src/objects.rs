//! What is often asked of the objects of a PDF, through references [ISO 32000-1, 7.3].

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

/// Most nodes of a tree that stand above one another.
const DEPTH: usize = 100;

/// A member that is a dictionary.
pub fn member<'d>(
    document: &'d Document,
    of: &'d Dictionary,
    key: &[u8],
) -> Option<&'d Dictionary> {
    of.get_deref(key, document).ok()?.as_dict().ok()
}

/// The items of a member that is an array; none of any other.
pub fn items<'d>(document: &'d Document, of: &'d Dictionary, key: &[u8]) -> &'d [Object] {
    let items = of.get_deref(key, document);
    items.and_then(Object::as_array).map_or(&[], Vec::as_slice)
}

/// An attribute of a page or a field, or of a node above it [ISO 32000-1, 7.7.3.4 and 12.7.3.1].
pub fn inherited<'d>(
    document: &'d Document,
    node: &'d Dictionary,
    key: &[u8],
) -> Option<&'d Object> {
    let mut node = node;
    for _ in 0..DEPTH {
        match node.get_deref(key, document) {
            Ok(found) if !found.is_null() => return Some(found),
            _ => node = member(document, node, b"Parent")?,
        }
    }
    None
}

/// The resources of a page.
pub fn resources<'d>(document: &'d Document, page: &'d Dictionary) -> Option<&'d Dictionary> {
    inherited(document, page, b"Resources")?.as_dict().ok()
}

/// A stream among resources of a kind.
pub fn resource<'d>(
    document: &'d Document,
    resources: Option<&'d Dictionary>,
    kind: &[u8],
    name: &[u8],
) -> Option<(ObjectId, &'d Stream)> {
    let id = member(document, resources?, kind)?.get(name).ok()?;
    let id = id.as_reference().ok()?;
    Some((id, document.get_object(id).ok()?.as_stream().ok()?))
}

/// Whether a dictionary says that it is of a subtype.
pub fn is_a(dictionary: &Dictionary, subtype: &[u8]) -> bool {
    let own = dictionary.get(b"Subtype").and_then(Object::as_name);
    own.is_ok_and(|own| own == subtype)
}
