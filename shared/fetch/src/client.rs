//! The guarded HTTP client: check the URL, resolve once, check the addresses, connect to a checked address.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::LOCATION;
use http::{HeaderMap, Method, StatusCode};
use reqwest::Response;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use crate::body;
use crate::encoding::{ACCEPTED, Encoding};
use crate::error::{FailedStep, FetchError};
use crate::policy::Policy;
use crate::remote_url::RemoteUrl;
use crate::route::{self, Resolver, Route, SystemResolver};
use crate::source::{FetchedDocument, Limits, Source};
use crate::transport::{self, ConnectOptions, OutgoingRequest};
use crate::trust::TrustStore;

/// Maximum number of redirects followed.
pub const MAX_REDIRECTS: usize = 5;

/// An HTTP client guarded against SSRF. It stores no cookies, credentials or connections and ignores proxy variables.
#[derive(Clone)]
pub struct Client {
    policy: Policy,
    trust: TrustStore,
    resolver: Arc<dyn Resolver>,
}

impl Client {
    /// A client with the given resolver.
    #[must_use]
    pub fn new(policy: Policy, trust: TrustStore, resolver: impl Resolver + 'static) -> Self {
        Self {
            policy,
            trust,
            resolver: Arc::new(resolver),
        }
    }

    /// A client with the system's resolver.
    #[must_use]
    pub fn system(policy: Policy, trust: TrustStore) -> Self {
        Self::new(policy, trust, SystemResolver)
    }

    /// The same client, which also accepts `http`: for rendering web pages.
    #[must_use]
    pub fn with_plain_http(mut self) -> Self {
        self.policy.plain_http = true;
        self
    }

    /// The same client, which also treats these hosts as the service's own.
    #[must_use]
    pub fn with_own_hosts(mut self, hosts: &[String]) -> Self {
        self.policy = self.policy.with_own_hosts(hosts);
        self
    }

    /// The policy; its [`Policy::admit`] creates the URLs that this client accepts.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn trust(&self) -> &TrustStore {
        &self.trust
    }

    /// Streams the document at the URL into `sink` and follows redirects. Only status 200 and 203 count as success.
    ///
    /// # Errors
    /// See [`FetchError`]. The sink may then contain a part of the document, at most [`Limits::bytes`]; discard it.
    pub async fn fetch(
        &self,
        source: &Source,
        limits: &Limits,
        sink: &mut (impl AsyncWrite + Unpin + ?Sized),
    ) -> Result<FetchedDocument, FetchError> {
        let document = async {
            let (url, response) = self.follow(source, limits).await?;
            let status = response.status();
            if !matches!(
                status,
                StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION
            ) {
                return Err(FetchError::Failed(FailedStep::Status(status.as_u16())));
            }
            let encoding = Encoding::of(response.headers());
            let encoding = encoding.ok_or(FetchError::Failed(FailedStep::Encoding))?;
            let headers = response.headers().clone();
            let stored = body::store(response, encoding, limits.bytes, sink).await?;
            Ok(FetchedDocument::new(&url, &headers, &stored))
        };
        let document = timeout(limits.total, document).await;
        document.map_err(|_| FetchError::TimedOut)?
    }

    /// Opens a TCP connection to the URL's host, without TLS: for a proxy whose client does the TLS handshake.
    ///
    /// # Errors
    /// The URL or a resolved address is blocked, or no address accepts the connection in time.
    pub async fn connect(
        &self,
        url: &RemoteUrl,
        time_limit: Duration,
    ) -> Result<TcpStream, FetchError> {
        let url = self.policy.check(url.url().clone())?;
        let connection = async {
            let route = self.route(&url).await?;
            self.dial(&route, time_limit).await
        };
        let connection = timeout(time_limit, connection).await;
        connection.map_err(|_| FetchError::TimedOut)?
    }

    /// Sends one request over a new connection. Does not follow redirects.
    pub(crate) async fn exchange(
        &self,
        url: &RemoteUrl,
        message: OutgoingRequest<'_>,
        limits: &Limits,
    ) -> Result<Response, FetchError> {
        let connect_by = Instant::now() + limits.connect;
        let route = timeout_at(connect_by, self.route(url)).await;
        let route = route.map_err(|_| FetchError::TimedOut)??;
        let endpoint = |address: &_| self.resolver.endpoint(*address);
        let options = ConnectOptions {
            addresses: route.addresses.iter().map(endpoint).collect(),
            tls: self.trust.configuration(route.trusted_host),
            connect: connect_by.saturating_duration_since(Instant::now()),
            headers: limits.headers,
        };
        transport::exchange(url, message, options).await
    }

    /// Resolves the host of a checked URL once and checks the addresses.
    async fn route(&self, url: &RemoteUrl) -> Result<Route, FetchError> {
        route::resolve(&self.policy, self.resolver.as_ref(), url).await
    }

    /// Connects to the first address that accepts; each gets an equal share of the time.
    async fn dial(&self, route: &Route, time_limit: Duration) -> Result<TcpStream, FetchError> {
        let share = time_limit / u32::try_from(route.addresses.len()).unwrap_or(1).max(1);
        let mut failed = FetchError::Failed(FailedStep::Connection);
        for address in &route.addresses {
            let stream = TcpStream::connect(self.resolver.endpoint(*address));
            match timeout(share, stream).await {
                Ok(Ok(stream)) => {
                    // A failure only means that small packets are delayed (Nagle's algorithm).
                    stream.set_nodelay(true).ok();
                    return Ok(stream);
                }
                Ok(Err(_)) => {}
                Err(_) => failed = FetchError::TimedOut,
            }
        }
        Err(failed)
    }

    async fn follow(
        &self,
        source: &Source,
        limits: &Limits,
    ) -> Result<(RemoteUrl, Response), FetchError> {
        let mut url = self.policy.check(source.url.url().clone())?;
        let mut headers = &source.headers;
        let none = HeaderMap::new();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.exchange(&url, get(headers), limits).await?;
            let Some(target) = self.redirect(&url, &response)? else {
                return Ok((url, response));
            };
            if !target.same_origin(&url) {
                headers = &none;
            }
            url = target;
        }
        Err(FetchError::Failed(FailedStep::Redirect))
    }

    /// The checked redirect target of the response; `None` if it is not a redirect.
    fn redirect(
        &self,
        from: &RemoteUrl,
        response: &Response,
    ) -> Result<Option<RemoteUrl>, FetchError> {
        if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let location = response.headers().get(LOCATION);
        let location = location
            .and_then(|location| std::str::from_utf8(location.as_bytes()).ok())
            .ok_or(FetchError::Failed(FailedStep::Redirect))?;
        Ok(Some(self.policy.admit_redirect(from, location)?))
    }
}

fn get(headers: &HeaderMap) -> OutgoingRequest<'_> {
    OutgoingRequest {
        method: Method::GET,
        headers,
        accept_encoding: ACCEPTED,
        body: Bytes::new(),
    }
}
