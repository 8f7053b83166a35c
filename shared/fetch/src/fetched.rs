//! What a fetch brought.

use domain::filename::Filename;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

use crate::body::Stored;
use crate::filename::filename;
use crate::remote_url::RemoteUrl;

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
            filename: filename(headers, url),
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
