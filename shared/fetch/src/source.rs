//! What a fetch asks for.

use std::fmt;

use http::HeaderMap;

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
