//! Pictures. Only `data:` URLs are decoded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The source of a picture.
pub(super) enum Source {
    Data(Vec<u8>),
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
    let Some((head, data)) = address.split_once(',') else {
        return Source::Nothing;
    };
    let head = head.to_ascii_lowercase();
    if !head.contains("image/") || !head.ends_with(";base64") {
        return Source::Nothing;
    }
    let data: String = data.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    match STANDARD.decode(
        data.replace("%2B", "+")
            .replace("%2F", "/")
            .replace("%3D", "="),
    ) {
        Ok(bytes) if !bytes.is_empty() => Source::Data(bytes),
        _ => Source::Nothing,
    }
}
