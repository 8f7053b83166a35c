//! Static files of the website, with a Content Security Policy that forbids other origins and framing.

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{Method, Response};

/// Content Security Policy: same origin only; no inline code, no framing, no forms.
const SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// An HTML page, style sheet, script or image.
#[derive(Clone, Debug)]
pub struct StaticFile {
    /// The media type.
    pub content_type: &'static str,
    /// The content.
    pub body: Bytes,
    /// Whether shared caches may store it. False for pages that contain a token.
    pub is_public: bool,
}

/// Returns the HTTP response; for HEAD without the body.
pub(super) fn into_response(static_file: StaticFile, method: &Method) -> Response<Bytes> {
    let body = match *method {
        Method::HEAD => Bytes::new(),
        _ => static_file.body,
    };
    let mut response = Response::new(body);
    let cache = match static_file.is_public {
        true => "public, max-age=300",
        false => "no-store",
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, static_file.content_type),
        (CACHE_CONTROL, cache),
        (CONTENT_SECURITY_POLICY, SECURITY_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
