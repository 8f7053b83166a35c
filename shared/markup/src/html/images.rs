//! Pictures: only those whose bytes stand in the page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What is behind the address of a picture.
pub(super) enum Source {
    Held(Vec<u8>),
    /// It is somewhere else, and stays there.
    Outside,
    Nothing,
}

/// What is behind the address of a picture.
pub(super) fn source(address: Option<&str>) -> Source {
    let Some(address) = address.map(str::trim).filter(|address| !address.is_empty()) else {
        return Source::Nothing;
    };
    let is_data = address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    if !is_data {
        return Source::Outside;
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
        Ok(bytes) if !bytes.is_empty() => Source::Held(bytes),
        _ => Source::Nothing,
    }
}
