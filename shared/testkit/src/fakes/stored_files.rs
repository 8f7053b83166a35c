//! Objects as files of a directory: writing, reading, metadata.

use std::path::Path;

use domain::key::hex;
use domain::ports::ObjectMetadata;
use sha2::{Digest, Sha256};

use super::state::{Object, State};

/// Separates the parts of a fake URL: occurs in no key or media type, and is allowed in a header.
pub(super) const SEPARATOR: char = '\t';

/// The metadata of an object.
pub(super) fn metadata_of(object: &Object) -> ObjectMetadata {
    ObjectMetadata {
        size_bytes: object.size_bytes,
        content_type: object.content_type.clone(),
        etag: object.etag.clone(),
    }
}

/// Stores an object and returns its ETag.
pub(super) fn put(
    state: &mut State,
    directory: &Path,
    name: &str,
    content_type: &str,
    body: &[u8],
) -> String {
    let etag = format!("\"{}\"", hex(&Sha256::digest(body)));
    let path = directory.join(hex(&Sha256::digest(name.as_bytes())));
    std::fs::write(&path, body).expect("a writable directory");
    let object = Object {
        path,
        content_type: content_type.to_owned(),
        etag: etag.clone(),
        size_bytes: body.len() as u64,
    };
    state.objects.insert(name.to_owned(), object);
    etag
}

/// As [`read`], if the object has this entity tag.
pub(super) fn read_if_match(state: &State, name: &str, etag: &str) -> Option<(String, Vec<u8>)> {
    let object = state.objects.get(name)?;
    (object.etag == etag).then(|| read(state, name)).flatten()
}

/// The media type and the bytes of an object.
pub(super) fn read(state: &State, name: &str) -> Option<(String, Vec<u8>)> {
    let object = state.objects.get(name)?;
    let body = std::fs::read(&object.path).expect("an existing object");
    Some((object.content_type.clone(), body))
}
