//! Pages for people, beside the routes of the API: they load nothing from elsewhere and cannot be framed.

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{Method, Response};

/// Everything comes from this very origin; nothing is inline, framed or sent elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A page or a file that it needs.
#[derive(Clone, Debug)]
pub struct Page {
    /// The media type.
    pub content_type: &'static str,
    /// The bytes.
    pub body: Bytes,
    /// Whether anybody may keep it for a while; not what holds a token.
    pub is_public: bool,
}

/// The response on the wire; to HEAD without the body.
pub(super) fn into_response(page: Page, method: &Method) -> Response<Bytes> {
    let body = match *method {
        Method::HEAD => Bytes::new(),
        _ => page.body,
    };
    let mut response = Response::new(body);
    let cache = match page.is_public {
        true => "public, max-age=300",
        false => "no-store",
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, page.content_type),
        (CACHE_CONTROL, cache),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
