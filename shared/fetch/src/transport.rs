//! Sends one HTTP/1.1 request through reqwest, over a new connection to a checked address.
//!
//! Each request builds its own reqwest client, because resolver and connect timeout can be set per client only, and because
//! no state may be shared between requests.

use std::error::Error;
use std::io;
use std::iter;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRAILER, TRANSFER_ENCODING,
    UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Request, Response, redirect, retry};
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_rustls::rustls::ClientConfig;
use tower::util::MapResponseLayer;
use url::{Host, Url};

use crate::error::{FailedStep, FetchError};
use crate::remote_url::RemoteUrl;

/// Maximum size of a response head, in bytes and in headers.
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_HEADERS: usize = 100;

/// Headers that only this client sets; those of callers are removed.
const OWN_HEADERS: [HeaderName; 8] = [
    HOST,
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// A request without its URL.
pub(crate) struct OutgoingRequest<'a> {
    pub(crate) method: Method,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) accept_encoding: &'static str,
    pub(crate) body: Bytes,
}

/// Addresses, TLS configuration and timeouts of a connection.
pub(crate) struct ConnectOptions {
    /// Checked addresses in the order of attempts; each gets an equal share of the connect time.
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) tls: Arc<ClientConfig>,
    /// Time for TCP connect and TLS handshake.
    pub(crate) connect: Duration,
    /// Time from the end of the handshake to the end of the response head.
    pub(crate) headers: Duration,
}

/// Sends the request and waits for the response head. Does not follow redirects or decode the body.
pub(crate) async fn exchange(
    url: &RemoteUrl,
    message: OutgoingRequest<'_>,
    options: ConnectOptions,
) -> Result<Response, FetchError> {
    let request = request(url, message, &options.addresses)?;
    let connected = Arc::new(Notify::new());
    let headers_timeout = async {
        connected.notified().await;
        sleep(options.headers).await;
    };
    let client =
        client(url, &options, Arc::clone(&connected)).map_err(|error| to_fetch_error(&error))?;
    let response = tokio::select! {
        response = client.execute(request) => response.map_err(|error| to_fetch_error(&error))?,
        () = headers_timeout => return Err(FetchError::TimedOut),
    };
    match head_bytes(response.headers()) <= MAX_HEAD_BYTES {
        true => Ok(response),
        false => Err(FetchError::Failed(FailedStep::Head)),
    }
}

fn client(
    url: &RemoteUrl,
    options: &ConnectOptions,
    connected: Arc<Notify>,
) -> reqwest::Result<Client> {
    Client::builder()
        .tls_backend_preconfigured(ClientConfig::clone(&options.tls))
        .dns_resolver(CheckedResolver {
            host: url.host().to_owned(),
            addresses: options.addresses.clone(),
        })
        .connect_timeout(options.connect)
        .connector_layer(MapResponseLayer::new(move |connection| {
            connected.notify_one();
            connection
        }))
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(retry::never())
        .pool_max_idle_per_host(0)
        .http1_only()
        .http1_max_headers(MAX_HEADERS)
        .user_agent(concat!("Octavo/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// A resolver that returns the checked addresses for one host and fails for every other name.
struct CheckedResolver {
    host: String,
    addresses: Vec<SocketAddr>,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses: Result<Addrs, _> = match name.as_str() == self.host {
            true => Ok(Box::new(self.addresses.clone().into_iter())),
            false => Err(io::Error::from(io::ErrorKind::NotFound).into()),
        };
        Box::pin(std::future::ready(addresses))
    }
}

fn request(
    url: &RemoteUrl,
    message: OutgoingRequest<'_>,
    addresses: &[SocketAddr],
) -> Result<Request, FetchError> {
    let host = HeaderValue::try_from(url.authority()).map_err(|_| FetchError::InvalidUrl)?;
    let mut request = Request::new(message.method, target(url, addresses)?);
    if !message.body.is_empty() {
        *request.body_mut() = Some(message.body.into());
    }
    let headers = request.headers_mut();
    headers.extend(message.headers.clone());
    for name in OWN_HEADERS {
        headers.remove(name);
    }
    headers.insert(HOST, host);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    headers.insert(
        ACCEPT_ENCODING,
        HeaderValue::from_static(message.accept_encoding),
    );
    Ok(request)
}

/// The URL passed to reqwest. With a host name, the port is removed so that reqwest uses the port of the checked addresses.
/// reqwest connects to an IP literal without calling the resolver, so the literal must equal the checked address.
fn target(url: &RemoteUrl, addresses: &[SocketAddr]) -> Result<Url, FetchError> {
    let mut target = url.url().clone();
    let literal = match url.parsed_host().ok_or(FetchError::InvalidUrl)? {
        Host::Domain(_) => {
            target.set_port(None).map_err(|()| FetchError::InvalidUrl)?;
            return Ok(target);
        }
        Host::Ipv4(address) => IpAddr::V4(address),
        Host::Ipv6(address) => IpAddr::V6(address),
    };
    match addresses == [SocketAddr::new(literal, url.port())] {
        true => Ok(target),
        false => Err(FetchError::Blocked),
    }
}

fn head_bytes(headers: &HeaderMap) -> usize {
    let line = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + 4;
    headers.iter().map(line).sum()
}

/// Maps a reqwest error to the failed step. Its text contains the URL and is dropped.
fn to_fetch_error(error: &reqwest::Error) -> FetchError {
    if error.is_timeout() {
        FetchError::TimedOut
    } else if error.is_builder() {
        FetchError::InvalidUrl
    } else if !error.is_connect() {
        FetchError::Failed(FailedStep::Head)
    } else if iter::successors(error.source(), |error| cause(*error)).any(is_tls) {
        FetchError::Failed(FailedStep::Tls)
    } else {
        FetchError::Failed(FailedStep::Connection)
    }
}

/// The source of an error. `io::Error::source` skips the wrapped error, so that is returned first.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match wrapped {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

/// Whether the error comes from rustls: `InvalidData` for a rejected peer, `UnexpectedEof` for a peer that disconnects during
/// the handshake.
fn is_tls(error: &(dyn Error + 'static)) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    matches!(
        kind,
        Some(io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
    )
}

#[cfg(test)]
mod tests;
