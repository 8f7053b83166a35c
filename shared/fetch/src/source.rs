//! A fetch: its source, its limits, and the metadata of the fetched document.

use std::fmt;
use std::time::Duration;

use domain::filename::Filename;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

use crate::body::StoredBody;
use crate::filename::filename;
use crate::remote_url::RemoteUrl;

/// A URL and the request headers that the customer supplied for it.
///
/// The headers are sent to the URL's own origin only. A redirect to another origin drops them for the rest of the chain.
#[derive(Clone)]
pub struct Source {
    /// Where the document is.
    pub url: RemoteUrl,
    /// Additional request headers. Those that control framing, host or encoding are ignored.
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

/// Limits of one fetch.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time for name resolution, TCP connect and TLS handshake; restarts with each redirect.
    pub connect: Duration,
    /// Time from the request to the end of the response headers; restarts with each redirect.
    pub headers: Duration,
    /// Time for the whole fetch, including redirects and writing to the sink.
    pub total: Duration,
    /// Maximum size of the body after decompression, in bytes.
    pub bytes: u64,
}

impl Limits {
    /// At most `bytes` within `total`, with ten seconds for each connection and for the headers of each response.
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

/// Metadata of a document that was written to the sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedDocument {
    /// Size after decompression, in bytes.
    pub bytes: u64,
    /// SHA-256 of the decompressed bytes.
    pub sha256: [u8; 32],
    /// The sanitized filename from `Content-Disposition` or the path of the last URL; `None` if both have none.
    pub filename: Option<Filename>,
    /// The media type from `Content-Type`, in lower case and without parameters. Unverified.
    pub content_type: Option<String>,
}

impl FetchedDocument {
    pub(crate) fn new(url: &RemoteUrl, headers: &HeaderMap, stored: &StoredBody) -> Self {
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
    let (main_type, subtype) = essence.split_once('/')?;
    (essence.len() <= 127 && is_token(main_type) && is_token(subtype)).then_some(essence)
}

/// Whether the text is a token [RFC 9110, section 5.6.2].
fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::content_type;
    use http::HeaderMap;

    #[test]
    fn an_invalid_content_type_is_ignored() {
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
