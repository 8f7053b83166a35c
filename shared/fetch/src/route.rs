//! Resolves the host of a URL and checks every address (defense against SSRF and DNS rebinding).

use std::io;
use std::net::{IpAddr, SocketAddr};

use async_trait::async_trait;
use url::Host;

use crate::address::is_public;
use crate::error::{FailedStep, FetchError};
use crate::policy::Policy;
use crate::remote_url::RemoteUrl;

/// Maximum number of addresses of a name that are tried.
const MAX_ADDRESSES: usize = 4;

/// Resolves host names. A request resolves each host once.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// All addresses of `name`, which has no trailing dot.
    ///
    /// # Errors
    /// The name does not exist or could not be resolved.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;

    /// The endpoint to connect to for a checked address: the address itself. Tests map made-up public addresses to their
    /// servers on loopback.
    fn endpoint(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

/// The system's resolver (getaddrinfo), on tokio's blocking threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        // The trailing dot makes the name absolute, so that no search domain is appended.
        let answers = tokio::net::lookup_host((format!("{name}."), 0)).await?;
        Ok(answers.map(|answer| answer.ip()).collect())
    }
}

/// The checked addresses of a host, and whether it is a trusted host.
pub(crate) struct Route {
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) trusted_host: bool,
}

/// Resolves the host once. One address that is not public blocks the request: with a mixed answer, an attacker could steer
/// the connection into the internal network.
pub(crate) async fn resolve(
    policy: &Policy,
    resolver: &dyn Resolver,
    url: &RemoteUrl,
) -> Result<Route, FetchError> {
    let trusted = policy.trusted_address(url);
    let mut addresses = match trusted {
        Some(address) => vec![address],
        None => lookup(resolver, url).await?,
    };
    if trusted.is_none() && !addresses.iter().all(|address| is_public(*address)) {
        return Err(FetchError::Blocked);
    }
    // A Lambda function outside a VPC has no IPv6.
    addresses.sort_by_key(IpAddr::is_ipv6);
    let with_port = |address| SocketAddr::new(address, url.port());
    let addresses: Vec<_> = addresses.into_iter().map(with_port).collect();
    if addresses
        .iter()
        .any(|address| policy.is_own_endpoint(*address))
    {
        return Err(FetchError::Blocked);
    }
    Ok(Route {
        addresses: addresses.into_iter().take(MAX_ADDRESSES).collect(),
        trusted_host: trusted.is_some(),
    })
}

async fn lookup(resolver: &dyn Resolver, url: &RemoteUrl) -> Result<Vec<IpAddr>, FetchError> {
    let failed = FetchError::Failed(FailedStep::Resolution);
    let addresses = match url.parsed_host() {
        Some(Host::Ipv4(address)) => Ok(vec![address.into()]),
        Some(Host::Ipv6(address)) => Ok(vec![address.into()]),
        Some(Host::Domain(name)) => resolver.resolve(name).await,
        None => return Err(FetchError::InvalidUrl),
    };
    match addresses {
        Ok(addresses) if !addresses.is_empty() => Ok(addresses),
        Ok(_) | Err(_) => Err(failed),
    }
}
