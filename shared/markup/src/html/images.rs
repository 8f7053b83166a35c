//! Pictures. Only `data:` URLs are decoded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;

/// The source of a picture.
pub(super) enum Source {
    Data(Vec<u8>),
    /// The `data:` URL of an image that cannot be decoded.
    Unreadable,
    /// An external picture, which is never fetched.
    External,
    Nothing,
}

/// Classifies a `src` attribute and decodes `data:` URLs.
pub(super) fn source(address: Option<&str>) -> Source {
    let Some(address) = address.map(str::trim).filter(|address| !address.is_empty()) else {
        return Source::Nothing;
    };
    let is_data = address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    if !is_data {
        return Source::External;
    }
    let (head, data) = address.split_once(',').unwrap_or((address, ""));
    let head = head.to_ascii_lowercase();
    if !head.starts_with("data:image/") {
        return Source::Nothing;
    }
    let mut bytes: Vec<u8> = percent_decode_str(data).collect();
    if head.ends_with(";base64") {
        bytes.retain(|byte| !byte.is_ascii_whitespace());
        bytes = STANDARD.decode(bytes).unwrap_or_default();
    }
    match bytes.is_empty() {
        true => Source::Unreadable,
        false => Source::Data(bytes),
    }
}
