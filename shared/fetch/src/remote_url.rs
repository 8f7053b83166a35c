//! A URL that the policy has admitted.

use std::fmt;

use domain::filename::Filename;
use url::{Host, Url};

use crate::filename::from_path;

/// An absolute `http` or `https` URL that a [`Policy`](crate::Policy) admitted by its text.
///
/// What its name resolves to is judged when it is used. `Debug` prints origin and `***`: path and query may hold
/// secrets. Names carry no trailing dot.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteUrl(Url);

impl RemoteUrl {
    /// The whole URL: a secret, if its query is one.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The host: a name in lower case and punycode, or an address (IPv6 in brackets).
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, by default that of the scheme.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// What the last part of the path names, cleaned: what a file there is called until its server tells.
    #[must_use]
    pub fn filename(&self) -> Option<Filename> {
        from_path(&self.0)
    }

    /// Only the policy makes one.
    pub(crate) fn admitted(url: Url) -> Self {
        Self(url)
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// Scheme, host and port agree.
    pub(crate) fn same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    pub(crate) fn parsed_host(&self) -> Option<Host<&str>> {
        self.0.host()
    }

    /// What the request line asks for: path and query.
    pub(crate) fn request_target(&self) -> String {
        match self.0.query() {
            Some(query) => format!("{}?{query}", self.0.path()),
            None => self.0.path().to_owned(),
        }
    }

    /// The `Host` header: without the default port.
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
