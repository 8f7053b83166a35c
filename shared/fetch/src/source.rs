//! A fetch: what is asked for, its limits, and what is known of the document that came.

use std::fmt;
use std::time::Duration;

use domain::filename::Filename;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

use crate::body::Stored;
use crate::filename::filename;
use crate::remote_url::RemoteUrl;

/// A URL and the headers that the customer gave for it, if any.
///
/// The headers go to the URL's own origin only: a redirect to another origin drops them for good.
#[derive(Clone)]
pub struct Source {
    /// Where the document is.
    pub url: RemoteUrl,
    /// Sent along; those that frame the message, name the host or choose an encoding are left out.
    pub headers: HeaderMap,
}

impl From<RemoteUrl> for Source {
    fn from(url: RemoteUrl) -> Self {
        Self {
            url,
            headers: HeaderMap::new(),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Source")
            .field("url", &self.url)
            .field("headers", &"***")
            .finish()
    }
}

/// The bounds of one fetch.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For resolving, connecting and the TLS handshake, anew for each redirect.
    pub connect: Duration,
    /// From the request to the end of the response's head, anew for each redirect.
    pub headers: Duration,
    /// For everything, redirects and writing to the sink included.
    pub total: Duration,
    /// Of the body, counted after decompression.
    pub bytes: u64,
}

impl Limits {
    /// At most `bytes` within `total`, with ten seconds for each connection and each response's head.
    #[must_use]
    pub fn new(bytes: u64, total: Duration) -> Self {
        let step = Duration::from_secs(10).min(total);
        Self {
            connect: step,
            headers: step,
            total,
            bytes,
        }
    }
}

/// The facts about a document that is now in the sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Its size after decompression.
    pub bytes: u64,
    /// SHA-256 of these bytes.
    pub sha256: [u8; 32],
    /// What the server or the last URL's path calls it, cleaned; `None` if neither names it.
    pub filename: Option<Filename>,
    /// The media type that the server claims, in lower case, without parameters. Nothing but a claim.
    pub content_type: Option<String>,
}

impl Fetched {
    pub(crate) fn new(url: &RemoteUrl, headers: &HeaderMap, stored: &Stored) -> Self {
        Self {
            bytes: stored.bytes,
            sha256: stored.sha256,
            filename: filename(headers, url.url()),
            content_type: content_type(headers),
        }
    }
}

fn content_type(headers: &HeaderMap) -> Option<String> {
    let header = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = header.split(';').next()?.trim().to_ascii_lowercase();
    let (kind, subtype) = essence.split_once('/')?;
    (essence.len() <= 127 && is_token(kind) && is_token(subtype)).then_some(essence)
}

/// [RFC 9110, section 5.6.2]
fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::content_type;
    use http::HeaderMap;

    #[test]
    fn a_content_type_is_a_media_type_or_nothing() {
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("content-type", value.parse().unwrap());
            content_type(&headers)
        };
        assert_eq!(of("Text/HTML; charset=utf-8").as_deref(), Some("text/html"));
        assert_eq!(of("application/pdf").as_deref(), Some("application/pdf"));
        for nothing in ["", "pdf", "a/b/c", "/pdf", "text/", "text/<script>"] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
        assert_eq!(of(&format!("a/{}", "b".repeat(126))), None);
        assert_eq!(content_type(&HeaderMap::new()), None);
    }
}
