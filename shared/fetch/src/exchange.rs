//! One request over one connection: connect to a judged address, TLS under the host's own name, HTTP/1.1.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRAILER, TRANSFER_ENCODING,
    UPGRADE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use url::Host;

use crate::connector::{Connector, Stream};
use crate::error::{Failure, FetchError};
use crate::remote_url::RemoteUrl;
use crate::route::Route;
use crate::trust::Trust;

/// The most that the head of an answer may take, in bytes and in lines.
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_HEADERS: usize = 100;

/// What only this client may say about a message.
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

/// An answer whose body is still on its way. Dropping it closes the connection.
pub(crate) struct Exchange {
    pub(crate) head: response::Parts,
    pub(crate) body: Incoming,
    /// Moves bytes between connection and body; dies with this value, so nothing outlives a handler.
    _driver: JoinSet<()>,
}

/// What is sent: everything but where to.
pub(crate) struct Message<'a> {
    pub(crate) method: Method,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) accept_encoding: HeaderValue,
    pub(crate) body: Bytes,
}

/// Sends the message over `stream` and waits for the head of the answer, no longer than `within`.
pub(crate) async fn exchange(
    stream: Box<dyn Stream>,
    url: &RemoteUrl,
    message: Message<'_>,
    within: Duration,
) -> Result<Exchange, FetchError> {
    let request = request(url, message)?;
    let answer = timeout(within, send(stream, request)).await;
    answer
        .map_err(|_| FetchError::TimedOut)?
        .map_err(|_| FetchError::Failed(Failure::Head))
}

/// Connects to the first address of the route that accepts; each has an equal share of the time.
pub(crate) async fn dial(
    connector: &dyn Connector,
    addresses: &[SocketAddr],
    within: Duration,
) -> Result<Box<dyn Stream>, FetchError> {
    let share = within / u32::try_from(addresses.len()).unwrap_or(1).max(1);
    let mut failed = FetchError::Failed(Failure::Connection);
    for address in addresses {
        match timeout(share, connector.connect(*address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(_)) => {}
            Err(_) => failed = FetchError::TimedOut,
        }
    }
    Err(failed)
}

/// Lays TLS over the connection if the URL asks for it.
pub(crate) async fn secure(
    stream: Box<dyn Stream>,
    url: &RemoteUrl,
    route: &Route,
    trust: &Trust,
) -> Result<Box<dyn Stream>, FetchError> {
    if !url.is_tls() {
        return Ok(stream);
    }
    let name = server_name(url).ok_or(FetchError::InvalidUrl)?;
    let tls = TlsConnector::from(trust.configuration(route.trusted_host));
    match tls.connect(name, stream).await {
        Ok(stream) => Ok(Box::new(stream)),
        Err(_) => Err(FetchError::Failed(Failure::Tls)),
    }
}

fn server_name(url: &RemoteUrl) -> Option<ServerName<'static>> {
    match url.parsed_host()? {
        Host::Domain(name) => ServerName::try_from(name.to_owned()).ok(),
        Host::Ipv4(address) => Some(IpAddr::V4(address).into()),
        Host::Ipv6(address) => Some(IpAddr::V6(address).into()),
    }
}

async fn send(
    stream: Box<dyn Stream>,
    request: Request<Full<Bytes>>,
) -> Result<Exchange, hyper::Error> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(MAX_HEAD_BYTES)
        .max_header_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .handshake(TokioIo::new(stream))
        .await?;
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        // Whatever befalls the connection shows in the answer or its body.
        connection.await.ok();
    });
    let (head, body) = sender.send_request(request).await?.into_parts();
    Ok(Exchange {
        head,
        body,
        _driver: driver,
    })
}

fn request(url: &RemoteUrl, message: Message<'_>) -> Result<Request<Full<Bytes>>, FetchError> {
    let host = HeaderValue::try_from(url.authority()).map_err(|_| FetchError::InvalidUrl)?;
    let mut request = Request::builder()
        .method(message.method)
        .uri(url.request_target())
        .body(Full::new(message.body))
        .map_err(|_| FetchError::InvalidUrl)?;
    let headers = request.headers_mut();
    headers.insert(USER_AGENT, user_agent());
    headers.extend(message.headers.clone());
    for name in OWN_HEADERS {
        headers.remove(name);
    }
    headers.insert(HOST, host);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    headers.insert(ACCEPT_ENCODING, message.accept_encoding);
    Ok(request)
}

fn user_agent() -> HeaderValue {
    HeaderValue::from_static(concat!("Octavo/", env!("CARGO_PKG_VERSION")))
}
