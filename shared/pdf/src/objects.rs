//! Frequent queries of PDF objects that follow references [ISO 32000-1, 7.3].

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

/// Maximum number of ancestors that are searched.
const MAX_DEPTH: usize = 100;

/// Returns a member that is a dictionary.
pub fn member<'d>(
    document: &'d Document,
    of: &'d Dictionary,
    key: &[u8],
) -> Option<&'d Dictionary> {
    of.get_deref(key, document).ok()?.as_dict().ok()
}

/// Returns the items of a member that is an array; none for other types.
pub fn items<'d>(document: &'d Document, of: &'d Dictionary, key: &[u8]) -> &'d [Object] {
    let items = of.get_deref(key, document);
    items.and_then(Object::as_array).map_or(&[], Vec::as_slice)
}

/// Returns an inheritable attribute of a page or a field [ISO 32000-1, 7.7.3.4 and 12.7.3.1].
pub fn inherited<'d>(
    document: &'d Document,
    node: &'d Dictionary,
    key: &[u8],
) -> Option<&'d Object> {
    let mut node = node;
    for _ in 0..MAX_DEPTH {
        match node.get_deref(key, document) {
            Ok(found) if !found.is_null() => return Some(found),
            _ => node = member(document, node, b"Parent")?,
        }
    }
    None
}

/// Returns the resources of a page.
pub fn resources<'d>(document: &'d Document, page: &'d Dictionary) -> Option<&'d Dictionary> {
    inherited(document, page, b"Resources")?.as_dict().ok()
}

/// Returns a stream resource by its category, such as `XObject`, and its name.
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

/// Whether a dictionary has this `Subtype`.
pub fn is_a(dictionary: &Dictionary, subtype: &[u8]) -> bool {
    let own = dictionary.get(b"Subtype").and_then(Object::as_name);
    own.is_ok_and(|own| own == subtype)
}
