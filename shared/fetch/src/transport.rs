//! One request through reqwest: to checked addresses only, over a connection of its own, by HTTP/1.1.
//!
//! A client is built for each request: reqwest takes resolver and connect time-out per client only, and nothing is kept
//! in it that a second request could use.

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

use crate::error::{Failure, FetchError};
use crate::remote_url::RemoteUrl;

/// The most that the head of a response may take, in bytes and in lines.
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_HEADERS: usize = 100;

/// The headers that only this client sets.
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

/// What is sent: everything but where to.
pub(crate) struct Message<'a> {
    pub(crate) method: Method,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) accept_encoding: &'static str,
    pub(crate) body: Bytes,
}

/// How to reach the host of a URL.
pub(crate) struct Reach {
    /// Checked addresses, in the order in which they are tried; each has an equal share of the time to connect.
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) tls: Arc<ClientConfig>,
    /// For the TCP connection and the TLS handshake.
    pub(crate) connect: Duration,
    /// From the end of the handshake to the end of the response's head.
    pub(crate) headers: Duration,
}

/// Sends the message and waits for the head of the response. Redirects are not followed, bodies not decoded.
pub(crate) async fn exchange(
    url: &RemoteUrl,
    message: Message<'_>,
    reach: Reach,
) -> Result<Response, FetchError> {
    let request = request(url, message, &reach.addresses)?;
    let connected = Arc::new(Notify::new());
    let late = async {
        connected.notified().await;
        sleep(reach.headers).await;
    };
    let client = client(url, &reach, Arc::clone(&connected)).map_err(|error| fault(&error))?;
    let response = tokio::select! {
        response = client.execute(request) => response.map_err(|error| fault(&error))?,
        () = late => return Err(FetchError::TimedOut),
    };
    match head_bytes(response.headers()) <= MAX_HEAD_BYTES {
        true => Ok(response),
        false => Err(FetchError::Failed(Failure::Head)),
    }
}

fn client(url: &RemoteUrl, reach: &Reach, connected: Arc<Notify>) -> reqwest::Result<Client> {
    Client::builder()
        .tls_backend_preconfigured(ClientConfig::clone(&reach.tls))
        .dns_resolver(Checked {
            host: url.host().to_owned(),
            addresses: reach.addresses.clone(),
        })
        .connect_timeout(reach.connect)
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

/// Resolves one host to its checked addresses, and no other name to anything.
struct Checked {
    host: String,
    addresses: Vec<SocketAddr>,
}

impl Resolve for Checked {
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
    message: Message<'_>,
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

/// The URL as reqwest gets it: of a name without its port, so that the port is that of the checked addresses, too.
/// An address in the URL is connected to without a look-up, so it has to be the one checked address itself.
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

/// The step that failed. What reqwest says of it names the URL and goes no further.
fn fault(error: &reqwest::Error) -> FetchError {
    if error.is_timeout() {
        FetchError::TimedOut
    } else if error.is_builder() {
        FetchError::InvalidUrl
    } else if !error.is_connect() {
        FetchError::Failed(Failure::Head)
    } else if iter::successors(error.source(), |error| cause(*error)).any(is_tls) {
        FetchError::Failed(Failure::Tls)
    } else {
        FetchError::Failed(Failure::Connection)
    }
}

/// The source of an error; an `io::Error` skips the one that it wraps.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match wrapped {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

/// rustls reports what it refuses as invalid data, and a peer that leaves during the handshake as an early end.
fn is_tls(error: &(dyn Error + 'static)) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    matches!(
        kind,
        Some(io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
    )
}

#[cfg(test)]
mod tests;
