//! The way out of a page renderer: an HTTP proxy on the loopback address that guards as the client does.
//!
//! A browser resolves names and opens connections by itself, so the guard has to stand where it connects. Each page gets
//! a proxy of its own on a random port, which ends with it: so what counts and what was refused is one page's, and no
//! other page's browser is let through. Every request and every tunnel is judged from the start, those after a redirect
//! included, and what is connected to are the judged addresses.

mod forward;
mod ledger;
mod meter;
mod serve;
mod stand_in;

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener as StdTcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use self::ledger::Ledger;
use self::serve::ConnectGuard;
use self::stand_in::StandIn;
use crate::client::Client;
use crate::trust::TrustError;

/// Maximum time for resolving and connecting, and for each head of a message.
const STEP: Duration = Duration::from_secs(10);
/// Maximum length of the head of a message, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Maximum number of headers of a message.
const MAX_HEADERS: usize = 100;

/// Opens a proxy for each page.
#[derive(Clone)]
pub struct PageProxies {
    client: Client,
    runtime: Handle,
    stand_in: Option<StandIn>,
}

/// The bounds of one page.
#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// Bytes that pass in both directions, as they are on the wire; one buffer a connection may be added.
    pub bytes: u64,
    /// How long the proxy works, idle or not.
    pub total: Duration,
}

/// What passed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Requests and tunnels that the guard refused.
    pub refused: u32,
    /// Bytes that passed in both directions.
    pub bytes: u64,
    /// Whether there was more than allowed; then nothing passes any more.
    pub exceeded: bool,
}

/// The proxy of one page. Dropping it ends it and cuts its connections.
pub struct PageProxy {
    port: u16,
    ledger: Arc<Ledger>,
    task: AbortHandle,
}

impl PageProxies {
    /// Proxies that connect as `client` does, on `runtime`. A client whose policy takes `https` only refuses every
    /// other page.
    ///
    /// # Errors
    /// Trusted hosts have an authority of their own, and no certificate can be made that stands for it.
    pub fn new(client: Client, runtime: Handle) -> Result<Self, TrustError> {
        let needed = client.trust().has_own_authority();
        let stand_in = needed.then(StandIn::make).transpose()?;
        Ok(Self {
            client,
            runtime,
            stand_in,
        })
    }

    /// The key that stands for trusted hosts whose authority no browser knows: base64 of the SHA-256 of its public half.
    /// `None` where there are no such hosts.
    #[must_use]
    pub fn trusted_key(&self) -> Option<&str> {
        self.stand_in.as_ref().map(|stand_in| stand_in.key.as_str())
    }

    /// Opens a proxy. Does not block, and may be called on any thread.
    ///
    /// # Errors
    /// The system has no port or descriptor to give.
    pub fn open(&self, limits: &PageLimits) -> io::Result<PageProxy> {
        let listener = StdTcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        listener.set_nonblocking(true)?;
        let ledger = Arc::new(Ledger::new(limits.bytes));
        let entered = self.runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        let serving = serve::serve(
            listener,
            ConnectGuard {
                client: self.client.clone(),
                ledger: Arc::clone(&ledger),
                stand_in: self.stand_in.clone(),
            },
        );
        let serving = self.runtime.spawn(timeout(limits.total, serving));
        drop(entered);
        Ok(PageProxy {
            port,
            ledger,
            task: serving.abort_handle(),
        })
    }
}

impl PageProxy {
    /// Its port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the guard refused a way to this URL's host and port.
    #[must_use]
    pub fn refused(&self, url: &str) -> bool {
        self.ledger.has_refused(url)
    }

    /// What passed so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.ledger.traffic()
    }
}

impl Drop for PageProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for PageProxies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PageProxies")
            .field("policy", self.client.policy())
            .finish_non_exhaustive()
    }
}
