//! HTTP proxy on loopback (CONNECT and plain HTTP) that applies the client's SSRF guard to a headless browser.
//!
//! A browser resolves names and opens connections itself, so the guard has to be in the proxy that the browser connects to.
//! Each page gets its own proxy on a random port, so that traffic and blocked requests are counted per page and no other page's
//! browser can use it. Every request and every tunnel is checked, including those after a redirect, and only checked
//! addresses are connected to.

mod forward;
mod metered_stream;
mod serve;
mod tls_interceptor;
mod traffic_log;

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener as StdTcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use self::serve::ConnectGuard;
use self::tls_interceptor::TlsInterceptor;
use self::traffic_log::TrafficLog;
use crate::client::Client;
use crate::trust::TrustStoreError;

/// Maximum time for resolving and connecting, and for each message head.
const STEP_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum length of a message head, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Maximum number of headers of a message.
const MAX_HEADERS: usize = 100;

/// Opens one proxy per page.
#[derive(Clone)]
pub struct PageProxies {
    client: Client,
    runtime: Handle,
    tls_interceptor: Option<TlsInterceptor>,
}

/// Limits of one page.
#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// Bytes on the wire in both directions; may be exceeded by one buffer per connection.
    pub bytes: u64,
    /// Lifetime of the proxy.
    pub total: Duration,
}

/// Traffic counters of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Requests and tunnels that the guard blocked.
    pub blocked: u32,
    /// Bytes transferred in both directions.
    pub bytes: u64,
    /// Whether the byte limit was exceeded; the proxy then rejects all requests.
    pub exceeded: bool,
}

/// The proxy of one page. Dropping it stops the proxy and closes its connections.
pub struct PageProxy {
    port: u16,
    traffic_log: Arc<TrafficLog>,
    task: AbortHandle,
}

impl PageProxies {
    /// Proxies that use the guard of `client` and run on `runtime`. If the client's policy allows only `https`, plain HTTP
    /// requests are blocked.
    ///
    /// # Errors
    /// Trusted hosts have their own certificate authority, and generating the interception certificate failed.
    pub fn new(client: Client, runtime: Handle) -> Result<Self, TrustStoreError> {
        let needed = client.trust().has_trusted_host_authorities();
        let tls_interceptor = needed.then(TlsInterceptor::generate).transpose()?;
        Ok(Self {
            client,
            runtime,
            tls_interceptor,
        })
    }

    /// Base64 SHA-256 of the public key (SPKI) of the certificate that the proxy presents for trusted hosts whose authority
    /// is not in the browser's trust store. `None` if there are no such hosts.
    #[must_use]
    pub fn interception_key_hash(&self) -> Option<&str> {
        self.tls_interceptor
            .as_ref()
            .map(|interceptor| interceptor.key_hash.as_str())
    }

    /// Opens a proxy. Does not block; may be called on any thread.
    ///
    /// # Errors
    /// No port or file descriptor is available.
    pub fn open(&self, limits: &PageLimits) -> io::Result<PageProxy> {
        let listener = StdTcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        listener.set_nonblocking(true)?;
        let traffic_log = Arc::new(TrafficLog::new(limits.bytes));
        let entered = self.runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        let serving = serve::serve(
            listener,
            ConnectGuard {
                client: self.client.clone(),
                traffic_log: Arc::clone(&traffic_log),
                tls_interceptor: self.tls_interceptor.clone(),
            },
        );
        let serving = self.runtime.spawn(timeout(limits.total, serving));
        drop(entered);
        Ok(PageProxy {
            port,
            traffic_log,
            task: serving.abort_handle(),
        })
    }
}

impl PageProxy {
    /// The proxy's port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the guard blocked a connection to this URL's host and port.
    #[must_use]
    pub fn has_blocked(&self, url: &str) -> bool {
        self.traffic_log.has_blocked(url)
    }

    /// The traffic so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.traffic_log.traffic()
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
