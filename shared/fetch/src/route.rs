//! The addresses that a URL leads to, every one of them checked.

use std::io;
use std::net::{IpAddr, SocketAddr};

use async_trait::async_trait;
use url::Host;

use crate::address::is_public;
use crate::error::{Failure, FetchError};
use crate::policy::Policy;
use crate::remote_url::RemoteUrl;

/// How many addresses of a name are tried.
const MAX_TRIED: usize = 4;

/// Looks names up. A request asks once for each host it goes to.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// All addresses of `name`, which carries no trailing dot.
    ///
    /// # Errors
    /// The name does not exist, or could not be looked up.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;

    /// Where a checked address is connected to: the address itself. Tests that invent public addresses return that of
    /// a server of theirs.
    fn endpoint(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

/// The system's resolver, on tokio's threads for blocking calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        // The dot makes the name absolute: no search domain of the machine is tried.
        let answers = tokio::net::lookup_host((format!("{name}."), 0)).await?;
        Ok(answers.map(|answer| answer.ip()).collect())
    }
}

/// Where to connect to, and whether the operator named that place as trusted.
pub(crate) struct Route {
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) trusted_host: bool,
}

/// Looks the host up once. One answer that is not public refuses them all: whoever gives a mixed answer is
/// choosing where we go.
pub(crate) async fn find(
    policy: &Policy,
    resolver: &dyn Resolver,
    url: &RemoteUrl,
) -> Result<Route, FetchError> {
    let trusted = policy.trusted_address(url);
    let mut addresses = match trusted {
        Some(address) => vec![address],
        None => look_up(resolver, url).await?,
    };
    if trusted.is_none() && !addresses.iter().all(|address| is_public(*address)) {
        return Err(FetchError::Blocked);
    }
    // A function outside of a VPC has no IPv6.
    addresses.sort_by_key(IpAddr::is_ipv6);
    let with_port = |address| SocketAddr::new(address, url.port());
    Ok(Route {
        addresses: addresses
            .into_iter()
            .take(MAX_TRIED)
            .map(with_port)
            .collect(),
        trusted_host: trusted.is_some(),
    })
}

async fn look_up(resolver: &dyn Resolver, url: &RemoteUrl) -> Result<Vec<IpAddr>, FetchError> {
    let failed = FetchError::Failed(Failure::Resolution);
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
