//! Takes the browser's connections: requests for `http` pages are forwarded, tunnels for everything else are opened.

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
use super::ledger::Ledger;
use super::meter::Metered;
use super::stand_in::StandIn;
use super::{MAX_HEAD_BYTES, MAX_HEADERS, STEP};
use crate::client::Client;
use crate::error::{Failure, FetchError};
use crate::remote_url::RemoteUrl;

/// Connections at once: twice what a browser opens to one proxy.
const CONNECTIONS: usize = 64;

/// What every connection of a page passes.
#[derive(Clone)]
pub(super) struct ConnectGuard {
    pub(super) client: Client,
    pub(super) ledger: Arc<Ledger>,
    pub(super) stand_in: Option<StandIn>,
}

/// Serves until it is dropped, and with it every connection.
pub(super) async fn serve(listener: TcpListener, guard: ConnectGuard) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        while connections.try_join_next().is_some() {}
        // The browser tries anew when another connection is done.
        if connections.len() < CONNECTIONS {
            connections.spawn(converse(stream, guard.clone()));
        }
    }
}

/// A tunnel that begins when the browser has been told so.
struct Tunnel {
    browser: OnUpgrade,
    server: Either<Metered, TlsStream<Metered>>,
    /// Speaks TLS with the browser, where the server's own is not what it gets.
    stand_in: Option<StandIn>,
}

/// One connection of the browser: requests one after the other, or one tunnel.
async fn converse(stream: TcpStream, guard: ConnectGuard) {
    stream.set_nodelay(true).ok();
    let tunnel = Mutex::new(None);
    let answer =
        service_fn(async |request| Ok::<_, Infallible>(guard.answer(request, &tunnel).await));
    let conversation = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(STEP)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), answer)
        .with_upgrades();
    // However it ends, the browser knows as much.
    conversation.await.ok();
    let tunnel = tunnel.into_inner().ok().flatten();
    if let Some(tunnel) = tunnel {
        // As above: a tunnel that breaks is a connection that breaks.
        tunnel.carry().await.ok();
    }
}

impl Tunnel {
    async fn carry(mut self) -> io::Result<()> {
        let browser = self.browser.await.map_err(io::Error::other)?;
        let mut browser = TokioIo::new(browser);
        match self.stand_in {
            None => copy_bidirectional(&mut browser, &mut self.server).await?,
            Some(stand_in) => {
                let accepted = timeout(STEP, stand_in.acceptor.accept(browser)).await;
                let mut browser = accepted.map_err(io::Error::other)??;
                copy_bidirectional(&mut browser, &mut self.server).await?
            }
        };
        Ok(())
    }
}

impl ConnectGuard {
    async fn answer(
        &self,
        request: Request<Incoming>,
        tunnel: &Mutex<Option<Tunnel>>,
    ) -> Response<Body> {
        let is_tunnel = request.method() == Method::CONNECT;
        let Some(url) = target(&request) else {
            return empty(StatusCode::BAD_REQUEST);
        };
        let (judged, server) = match self.connect(&url).await {
            Ok(connected) => connected,
            Err(status) => return empty(status),
        };
        if !is_tunnel {
            return forward(request, &judged, server).await;
        }
        match self.tunnel(request, &judged, server).await {
            Ok(opened) => answer_tunnel(tunnel, opened),
            Err(_) => empty(StatusCode::BAD_GATEWAY),
        }
    }

    /// The guarded step, with its refusals kept.
    async fn connect(&self, url: &Url) -> Result<(RemoteUrl, Metered), StatusCode> {
        if self.ledger.is_exceeded() {
            return Err(StatusCode::INSUFFICIENT_STORAGE);
        }
        match self.dial(url).await {
            Ok((judged, stream)) => Ok((judged, Metered::new(stream, Arc::clone(&self.ledger)))),
            Err(FetchError::Blocked | FetchError::InvalidUrl) => {
                self.ledger.note_refusal(url);
                Err(StatusCode::FORBIDDEN)
            }
            Err(FetchError::TimedOut) => Err(StatusCode::GATEWAY_TIMEOUT),
            Err(_) => Err(StatusCode::BAD_GATEWAY),
        }
    }

    async fn dial(&self, url: &Url) -> Result<(RemoteUrl, TcpStream), FetchError> {
        let judged = self.client.policy().judge(url.clone())?;
        let stream = self.client.connect(&judged, STEP).await?;
        Ok((judged, stream))
    }

    /// The server's certificate is checked before the browser hears of the tunnel, where it cannot check it itself.
    async fn tunnel(
        &self,
        request: Request<Incoming>,
        judged: &RemoteUrl,
        server: Metered,
    ) -> Result<Tunnel, FetchError> {
        let trusted = self.client.policy().trusted_address(judged).is_some();
        let stand_in = self.stand_in.clone().filter(|_| trusted);
        let server = match stand_in {
            Some(_) => Either::Right(self.secure(judged, server).await?),
            None => Either::Left(server),
        };
        Ok(Tunnel {
            browser: hyper::upgrade::on(request),
            server,
            stand_in,
        })
    }

    /// TLS to a trusted host, by the client's own rules.
    async fn secure(
        &self,
        judged: &RemoteUrl,
        server: Metered,
    ) -> Result<TlsStream<Metered>, FetchError> {
        let name = ServerName::try_from(judged.host().to_owned());
        let name = name.map_err(|_| FetchError::InvalidUrl)?;
        let tls = TlsConnector::from(self.client.trust().configuration(true));
        let secured = timeout(STEP, tls.connect(name, server)).await;
        secured
            .map_err(|_| FetchError::TimedOut)?
            .map_err(|_| FetchError::Failed(Failure::Tls))
    }
}

fn answer_tunnel(tunnel: &Mutex<Option<Tunnel>>, opened: Tunnel) -> Response<Body> {
    match tunnel.lock() {
        Ok(mut tunnel) => {
            *tunnel = Some(opened);
            empty(StatusCode::OK)
        }
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// Where a request is to go. A tunnel names host and port alone; what is spoken in it is TLS, as a rule.
fn target(request: &Request<Incoming>) -> Option<Url> {
    if request.method() != Method::CONNECT {
        // Requests that are not meant for a proxy name no host.
        request.uri().host()?;
        return Url::parse(&request.uri().to_string()).ok();
    }
    let authority = request.uri().authority()?;
    let port = authority.port_u16()?;
    Url::parse(&format!("https://{}:{port}/", authority.host())).ok()
}
