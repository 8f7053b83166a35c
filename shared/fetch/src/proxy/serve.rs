//! Serves the browser's connections: forwards plain HTTP requests and opens CONNECT tunnels.

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex};

use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::either::Either;
use url::Url;

use super::forward::{Body, empty, forward};
use super::metered_stream::MeteredStream;
use super::tls_interceptor::TlsInterceptor;
use super::traffic_log::TrafficLog;
use super::{MAX_HEAD_BYTES, MAX_HEADERS, STEP_TIMEOUT};
use crate::client::Client;
use crate::error::{FailedStep, FetchError};
use crate::remote_url::RemoteUrl;

/// Maximum number of concurrent connections: twice as many as a browser opens to one proxy.
const MAX_CONNECTIONS: usize = 64;

/// Checks every request and tunnel of a page before it connects (SSRF guard).
#[derive(Clone)]
pub(super) struct ConnectGuard {
    pub(super) client: Client,
    pub(super) traffic_log: Arc<TrafficLog>,
    pub(super) tls_interceptor: Option<TlsInterceptor>,
}

/// Serves until the future is dropped, which closes every connection.
pub(super) async fn serve(listener: TcpListener, guard: ConnectGuard) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        while connections.try_join_next().is_some() {}
        // Above the limit the connection is closed; the browser retries later.
        if connections.len() < MAX_CONNECTIONS {
            connections.spawn(serve_connection(stream, guard.clone()));
        }
    }
}

/// A CONNECT tunnel. Relaying begins after the response to CONNECT was sent.
struct Tunnel {
    browser: OnUpgrade,
    server: Either<MeteredStream, TlsStream<MeteredStream>>,
    /// Terminates the browser's TLS, for trusted hosts with their own authority.
    tls_interceptor: Option<TlsInterceptor>,
}

/// Serves one connection of the browser: sequential requests, or one tunnel.
async fn serve_connection(stream: TcpStream, guard: ConnectGuard) {
    stream.set_nodelay(true).ok();
    let tunnel = Mutex::new(None);
    let service =
        service_fn(async |request| Ok::<_, Infallible>(guard.respond(request, &tunnel).await));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(STEP_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // The browser sees a broken connection itself.
    connection.await.ok();
    let tunnel = tunnel.into_inner().ok().flatten();
    if let Some(tunnel) = tunnel {
        tunnel.relay().await.ok();
    }
}

impl Tunnel {
    async fn relay(mut self) -> io::Result<()> {
        let browser = self.browser.await.map_err(io::Error::other)?;
        let mut browser = TokioIo::new(browser);
        match self.tls_interceptor {
            None => copy_bidirectional(&mut browser, &mut self.server).await?,
            Some(tls_interceptor) => {
                let accepted =
                    timeout(STEP_TIMEOUT, tls_interceptor.acceptor.accept(browser)).await;
                let mut browser = accepted.map_err(io::Error::other)??;
                copy_bidirectional(&mut browser, &mut self.server).await?
            }
        };
        Ok(())
    }
}

impl ConnectGuard {
    async fn respond(
        &self,
        request: Request<Incoming>,
        tunnel: &Mutex<Option<Tunnel>>,
    ) -> Response<Body> {
        let is_tunnel = request.method() == Method::CONNECT;
        let Some(url) = target(&request) else {
            return empty(StatusCode::BAD_REQUEST);
        };
        let (checked, server) = match self.connect(&url).await {
            Ok(connected) => connected,
            Err(status) => return empty(status),
        };
        if !is_tunnel {
            return forward(request, &checked, server).await;
        }
        match self.tunnel(request, &checked, server).await {
            Ok(opened) => accept_tunnel(tunnel, opened),
            Err(_) => empty(StatusCode::BAD_GATEWAY),
        }
    }

    /// Checks the URL and connects, or records that the guard blocked it.
    async fn connect(&self, url: &Url) -> Result<(RemoteUrl, MeteredStream), StatusCode> {
        if self.traffic_log.is_exceeded() {
            return Err(StatusCode::INSUFFICIENT_STORAGE);
        }
        match self.dial(url).await {
            Ok((checked, stream)) => Ok((
                checked,
                MeteredStream::new(stream, Arc::clone(&self.traffic_log)),
            )),
            Err(FetchError::Blocked | FetchError::InvalidUrl) => {
                self.traffic_log.record_blocked(url);
                Err(StatusCode::FORBIDDEN)
            }
            Err(FetchError::TimedOut) => Err(StatusCode::GATEWAY_TIMEOUT),
            Err(_) => Err(StatusCode::BAD_GATEWAY),
        }
    }

    async fn dial(&self, url: &Url) -> Result<(RemoteUrl, TcpStream), FetchError> {
        let checked = self.client.policy().check(url.clone())?;
        let stream = self.client.connect(&checked, STEP_TIMEOUT).await?;
        Ok((checked, stream))
    }

    /// Opens a tunnel. For trusted hosts with their own authority, the server's certificate is verified before the response
    /// to CONNECT, because the browser cannot verify it.
    async fn tunnel(
        &self,
        request: Request<Incoming>,
        checked: &RemoteUrl,
        server: MeteredStream,
    ) -> Result<Tunnel, FetchError> {
        let trusted = self.client.policy().trusted_address(checked).is_some();
        let tls_interceptor = self.tls_interceptor.clone().filter(|_| trusted);
        let server = match tls_interceptor {
            Some(_) => Either::Right(self.secure(checked, server).await?),
            None => Either::Left(server),
        };
        Ok(Tunnel {
            browser: hyper::upgrade::on(request),
            server,
            tls_interceptor,
        })
    }

    /// Does the TLS handshake with a trusted host and verifies its certificate against the trust store.
    async fn secure(
        &self,
        checked: &RemoteUrl,
        server: MeteredStream,
    ) -> Result<TlsStream<MeteredStream>, FetchError> {
        let name = ServerName::try_from(checked.host().to_owned());
        let name = name.map_err(|_| FetchError::InvalidUrl)?;
        let tls = TlsConnector::from(self.client.trust().configuration(true));
        let secured = timeout(STEP_TIMEOUT, tls.connect(name, server)).await;
        secured
            .map_err(|_| FetchError::TimedOut)?
            .map_err(|_| FetchError::Failed(FailedStep::Tls))
    }
}

fn accept_tunnel(tunnel: &Mutex<Option<Tunnel>>, opened: Tunnel) -> Response<Body> {
    match tunnel.lock() {
        Ok(mut tunnel) => {
            *tunnel = Some(opened);
            empty(StatusCode::OK)
        }
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// The target URL of a request. CONNECT contains host and port only; the scheme is assumed to be `https`.
fn target(request: &Request<Incoming>) -> Option<Url> {
    if request.method() != Method::CONNECT {
        // A request in origin form is not meant for a proxy.
        request.uri().host()?;
        return Url::parse(&request.uri().to_string()).ok();
    }
    let authority = request.uri().authority()?;
    let port = authority.port_u16()?;
    Url::parse(&format!("https://{}:{port}/", authority.host())).ok()
}
