//! Which URLs may be used at all, judged by their text.

use std::net::IpAddr;

use domain::source::{SourceUrl, UrlRefusal};
use url::{Host, Url};

use crate::address::is_public;
use crate::remote_url::RemoteUrl;
use crate::reserved_name::is_reserved;
use crate::trusted_hosts::{TrustedHosts, is_host_name};

/// The longest URL that a client may give, in characters.
pub const MAX_URL_LENGTH: usize = 2048;

/// The longest URL that a server may redirect to, in bytes: signed URLs are long.
const MAX_REDIRECT_LENGTH: usize = 8192;

/// Ports from 1024 on that browsers refuse, because another protocol might mistake a request there [Fetch Standard, "bad
/// port"].
const BAD_PORTS: &[u16] = &[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
    6679, 6697, 10080,
];

/// Where the service may go on a customer's behalf.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Whether `http` is allowed beside `https`.
    pub plain_http: bool,
    /// Our own hosts: names or addresses that lead back to the service. In any case, without port.
    pub own_hosts: Vec<String>,
    /// Internal hosts that may be reached all the same.
    pub trusted_hosts: TrustedHosts,
}

impl Policy {
    /// `https` only: sources of jobs, imports, webhooks, hooks.
    #[must_use]
    pub fn https(own_hosts: Vec<String>, trusted_hosts: TrustedHosts) -> Self {
        Self {
            plain_http: false,
            own_hosts,
            trusted_hosts,
        }
    }

    /// `http` too: web pages that are rendered.
    #[must_use]
    pub fn https_or_http(own_hosts: Vec<String>, trusted_hosts: TrustedHosts) -> Self {
        Self {
            plain_http: true,
            ..Self::https(own_hosts, trusted_hosts)
        }
    }

    /// The same, to which these hosts are our own too.
    #[must_use]
    pub fn with_own(&self, hosts: &[String]) -> Self {
        let mut policy = self.clone();
        policy.own_hosts.extend_from_slice(hosts);
        policy
    }

    /// Parses `text` once, as browsers do [WHATWG URL Standard], and judges it. Nothing is looked up.
    ///
    /// What that standard would repair without a word is refused: other readers of the text take it for another place.
    /// So it begins with scheme, `://` and host, and holds no backslash, no white space and no control character.
    ///
    /// Octal, hexadecimal, short and decimal forms of IPv4 addresses, wide letters and percent signs in names have
    /// become plain addresses and names when they are judged. To admit a URL again later, keep `text`: what it becomes
    /// may be longer than a client may write.
    ///
    /// # Errors
    /// [`UrlRefusal::Invalid`] for syntax, length and scheme, [`UrlRefusal::Blocked`] for everything else.
    pub fn admit(&self, text: &str) -> Result<RemoteUrl, UrlRefusal> {
        let authority = written_authority(text).ok_or(UrlRefusal::Invalid)?;
        let url = self.judge(Url::parse(text).map_err(|_| UrlRefusal::Invalid)?)?;
        // An empty one leaves no trace in the parsed URL.
        if authority.contains('@') {
            return Err(UrlRefusal::Blocked);
        }
        Ok(url)
    }

    /// Checks the URL of a source by its text, and keeps it as the client wrote it.
    ///
    /// # Errors
    /// As [`Policy::admit`].
    pub fn admit_source(&self, text: &str) -> Result<SourceUrl, UrlRefusal> {
        self.admit(text).map(|_| SourceUrl::new(text))
    }

    /// Judges where a server at `from` redirects to: every reason to refuse it looks the same.
    pub(crate) fn admit_redirect(
        &self,
        from: &RemoteUrl,
        location: &str,
    ) -> Result<RemoteUrl, UrlRefusal> {
        let target = from.url().join(location).ok();
        let target = target.filter(|target| target.as_str().len() <= MAX_REDIRECT_LENGTH);
        let target = target.ok_or(UrlRefusal::Blocked)?;
        self.judge(target).map_err(|_| UrlRefusal::Blocked)
    }

    /// Every rule about the text, in the order of [`UrlRefusal`].
    pub(crate) fn judge(&self, url: Url) -> Result<RemoteUrl, UrlRefusal> {
        let url = RemoteUrl::admitted(self.well_formed(url)?);
        if self.is_own(&url) || has_userinfo(&url) {
            return Err(UrlRefusal::Blocked);
        }
        if self.trusted_address(&url).is_some() || (is_allowed_port(url.port()) && is_outside(&url))
        {
            return Ok(url);
        }
        Err(UrlRefusal::Blocked)
    }

    /// Where a trusted host is reached; `None` for every other.
    pub(crate) fn trusted_address(&self, url: &RemoteUrl) -> Option<IpAddr> {
        self.trusted_hosts.address(url.host(), url.port())
    }

    fn well_formed(&self, url: Url) -> Result<Url, UrlRefusal> {
        if url.scheme() != "https" && !(self.plain_http && url.scheme() == "http") {
            return Err(UrlRefusal::Invalid);
        }
        let url = without_trailing_dot(url).ok_or(UrlRefusal::Invalid)?;
        match url.host() {
            Some(Host::Domain(name)) if !is_host_name(name) => Err(UrlRefusal::Invalid),
            Some(_) => Ok(url),
            None => Err(UrlRefusal::Invalid),
        }
    }

    fn is_own(&self, url: &RemoteUrl) -> bool {
        self.own_hosts
            .iter()
            .any(|own| own.eq_ignore_ascii_case(url.host()))
    }
}

/// What stands between `://` and the path of a URL that needs no repair; `None` of every other text.
fn written_authority(text: &str) -> Option<&str> {
    let repaired = |letter: char| letter == '\\' || letter.is_whitespace() || letter.is_control();
    if text.chars().count() > MAX_URL_LENGTH || text.contains(repaired) {
        return None;
    }
    let (scheme, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_scheme && !authority.is_empty()).then_some(authority)
}

/// `name.` is the same host as `name`; an address may appear when the dot is gone, so the host is parsed anew.
fn without_trailing_dot(mut url: Url) -> Option<Url> {
    let name = url.host_str()?.strip_suffix('.').map(str::to_owned);
    if let Some(name) = name {
        url.set_host(Some(&name)).ok()?;
    }
    Some(url)
}

fn has_userinfo(url: &RemoteUrl) -> bool {
    !url.url().username().is_empty() || url.url().password().is_some()
}

/// The two default ports, and any from 1024 on that browsers allow. All other bad ports of the Fetch Standard are below
/// 1024, where nothing but system services listens.
fn is_allowed_port(port: u16) -> bool {
    matches!(port, 80 | 443) || (port >= 1024 && !BAD_PORTS.contains(&port))
}

/// Whether the host is a public address or a name that may have one.
fn is_outside(url: &RemoteUrl) -> bool {
    match url.parsed_host() {
        Some(Host::Domain(name)) => !is_reserved(name),
        Some(Host::Ipv4(address)) => is_public(address.into()),
        Some(Host::Ipv6(address)) => is_public(address.into()),
        None => false,
    }
}

#[cfg(test)]
mod tests;
