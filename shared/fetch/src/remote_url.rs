//! A URL that the policy admitted.

use std::fmt;

use domain::filename::Filename;
use url::{Host, Url};

use crate::filename::from_path;

/// An absolute `http` or `https` URL that a [`Policy`](crate::Policy) admitted by its text.
///
/// The addresses of its host are checked when the URL is used. `Debug` prints the origin and `***`, because path and query
/// may contain secrets. The host has no trailing dot.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteUrl(Url);

impl RemoteUrl {
    /// The whole URL. Its path and query may contain secrets.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The host: a name in lower case and punycode, or an address (IPv6 in brackets).
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, or the scheme's default port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// The sanitized last segment of the path: the filename unless the server sends one.
    #[must_use]
    pub fn filename(&self) -> Option<Filename> {
        from_path(&self.0)
    }

    /// Only [`Policy`](crate::Policy) may call this, after its checks.
    pub(crate) fn admitted(url: Url) -> Self {
        Self(url)
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// Whether scheme, host and port are equal.
    pub(crate) fn same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    pub(crate) fn parsed_host(&self) -> Option<Host<&str>> {
        self.0.host()
    }

    /// The request target in origin form: path and query.
    pub(crate) fn request_target(&self) -> String {
        match self.0.query() {
            Some(query) => format!("{}?{query}", self.0.path()),
            None => self.0.path().to_owned(),
        }
    }

    /// The value of the `Host` header; the default port is omitted.
    pub(crate) fn authority(&self) -> String {
        match self.0.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }
}

impl fmt::Debug for RemoteUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}/***", self.0.scheme(), self.authority())
    }
}
