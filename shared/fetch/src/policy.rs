//! Checks the text of a URL: syntax, scheme, userinfo, port, host, own and reserved names (SSRF policy).

use std::net::{IpAddr, SocketAddr};

use domain::source::{SourceUrl, UrlError};
use url::{Host, Url};

use crate::address::is_public;
use crate::remote_url::RemoteUrl;
use crate::reserved_name::is_reserved;
use crate::trusted_hosts::{TrustedHosts, is_host_name};

/// Maximum length of a URL from a client, in characters.
pub const MAX_URL_LENGTH: usize = 2048;

/// Maximum length of a redirect target, in bytes. Presigned URLs are long.
const MAX_REDIRECT_LENGTH: usize = 8192;

/// The bad ports of the Fetch Standard from 1024 on: services there could misinterpret an HTTP request as their own protocol.
const BAD_PORTS: &[u16] = &[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
    6679, 6697, 10080,
];

/// Which URLs the service may request on a customer's behalf.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Whether `http` is allowed in addition to `https`.
    pub plain_http: bool,
    /// Names and addresses of the service itself, which are blocked. Case-insensitive, without port.
    pub own_hosts: Vec<String>,
    /// Endpoints of the service itself that are blocked even where a trusted host has their address.
    pub own_endpoints: Vec<SocketAddr>,
    /// Internal hosts that are allowed.
    pub trusted_hosts: TrustedHosts,
}

impl Policy {
    /// `https` only: for sources of jobs, imports, webhooks and automation hooks.
    #[must_use]
    pub fn https(own_hosts: Vec<String>, trusted_hosts: TrustedHosts) -> Self {
        Self {
            plain_http: false,
            own_hosts,
            own_endpoints: Vec::new(),
            trusted_hosts,
        }
    }

    /// `https` and `http`: for rendering web pages.
    #[must_use]
    pub fn https_or_http(own_hosts: Vec<String>, trusted_hosts: TrustedHosts) -> Self {
        Self {
            plain_http: true,
            ..Self::https(own_hosts, trusted_hosts)
        }
    }

    /// The same policy with additional own hosts.
    #[must_use]
    pub fn with_own_hosts(&self, hosts: &[String]) -> Self {
        let mut policy = self.clone();
        policy.own_hosts.extend_from_slice(hosts);
        policy
    }

    /// The same policy, which also blocks an endpoint of the platform, written as `host:port`: the Lambda runtime API, which
    /// needs no authentication and whose address changes. Empty text blocks nothing.
    #[must_use]
    pub fn with_own_endpoint(&self, endpoint: &str) -> Self {
        let mut policy = self.clone();
        match endpoint.parse::<SocketAddr>() {
            Ok(address) => {
                policy.own_endpoints.push(address);
                policy.own_hosts.push(address.ip().to_string());
            }
            Err(_) => {
                let host = endpoint.rsplit_once(':').map_or(endpoint, |(host, _)| host);
                let host = Some(host.trim_end_matches('.')).filter(|host| !host.is_empty());
                policy.own_hosts.extend(host.map(str::to_owned));
            }
        }
        policy
    }

    /// Parses `text` once, as browsers do [WHATWG URL Standard], and checks it. Does not resolve the host.
    ///
    /// Text that the standard's parser would silently repair is rejected, because other parsers read it as a different URL.
    /// So the text must start with scheme, `://` and host, and contain no backslash, white space or control character.
    ///
    /// Octal, hexadecimal, short and decimal IPv4 notations, full-width characters and percent-encoded host names are
    /// normalized before the check. To check a URL again later, store `text`: the normalized form may exceed
    /// [`MAX_URL_LENGTH`].
    ///
    /// # Errors
    /// [`UrlError::Invalid`] for syntax, length and scheme, [`UrlError::Blocked`] for everything else.
    pub fn admit(&self, text: &str) -> Result<RemoteUrl, UrlError> {
        let authority = written_authority(text).ok_or(UrlError::Invalid)?;
        let url = self.check(Url::parse(text).map_err(|_| UrlError::Invalid)?)?;
        // Empty userinfo (`https://@host`) is not visible in the parsed URL.
        if authority.contains('@') {
            return Err(UrlError::Blocked);
        }
        Ok(url)
    }

    /// Checks the URL of a source and returns it as the client wrote it.
    ///
    /// # Errors
    /// As [`Policy::admit`].
    pub fn admit_source(&self, text: &str) -> Result<SourceUrl, UrlError> {
        self.admit(text).map(|_| SourceUrl::new(text))
    }

    /// Checks a redirect target from a server at `from`. Every failure is reported as `Blocked`.
    pub(crate) fn admit_redirect(
        &self,
        from: &RemoteUrl,
        location: &str,
    ) -> Result<RemoteUrl, UrlError> {
        let target = from.url().join(location).ok();
        let target = target.filter(|target| target.as_str().len() <= MAX_REDIRECT_LENGTH);
        let target = target.ok_or(UrlError::Blocked)?;
        self.check(target).map_err(|_| UrlError::Blocked)
    }

    /// Applies all rules to a parsed URL, in the order of [`UrlError`].
    pub(crate) fn check(&self, url: Url) -> Result<RemoteUrl, UrlError> {
        let url = RemoteUrl::admitted(self.well_formed(url)?);
        if self.is_own(&url) || has_userinfo(&url) {
            return Err(UrlError::Blocked);
        }
        if self.trusted_address(&url).is_some()
            || (is_allowed_port(url.port()) && is_public_host(&url))
        {
            return Ok(url);
        }
        Err(UrlError::Blocked)
    }

    /// The address of a trusted host; `None` for every other host.
    pub(crate) fn trusted_address(&self, url: &RemoteUrl) -> Option<IpAddr> {
        self.trusted_hosts.address(url.host(), url.port())
    }

    /// Whether a connection to this address would reach an endpoint of the service itself.
    pub(crate) fn is_own_endpoint(&self, address: SocketAddr) -> bool {
        let canonical = |address: SocketAddr| (address.ip().to_canonical(), address.port());
        self.own_endpoints
            .iter()
            .any(|own| canonical(*own) == canonical(address))
    }

    fn well_formed(&self, url: Url) -> Result<Url, UrlError> {
        if url.scheme() != "https" && !(self.plain_http && url.scheme() == "http") {
            return Err(UrlError::Invalid);
        }
        let url = without_trailing_dot(url).ok_or(UrlError::Invalid)?;
        match url.host() {
            Some(Host::Domain(name)) if !is_host_name(name) => Err(UrlError::Invalid),
            Some(_) => Ok(url),
            None => Err(UrlError::Invalid),
        }
    }

    fn is_own(&self, url: &RemoteUrl) -> bool {
        self.own_hosts
            .iter()
            .any(|own| own.eq_ignore_ascii_case(url.host()))
    }
}

/// The authority as written, between `://` and the path; `None` if the parser would have to repair the text.
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

/// Removes the trailing dot: `name.` and `name` are the same host. The host is parsed again, because the rest may be an IP
/// address.
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

/// Whether the port is 80, 443, or from 1024 on and not a bad port. Below 1024 only system services listen.
fn is_allowed_port(port: u16) -> bool {
    matches!(port, 80 | 443) || (port >= 1024 && !BAD_PORTS.contains(&port))
}

/// Whether the host is a public address or a name that is not reserved.
fn is_public_host(url: &RemoteUrl) -> bool {
    match url.parsed_host() {
        Some(Host::Domain(name)) => !is_reserved(name),
        Some(Host::Ipv4(address)) => is_public(address.into()),
        Some(Host::Ipv6(address)) => is_public(address.into()),
        None => false,
    }
}

#[cfg(test)]
mod tests;
