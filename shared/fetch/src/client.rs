//! The client: every way out of the service over HTTP goes through its one guarded step.

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
use crate::error::{Failure, FetchError};
use crate::policy::Policy;
use crate::remote_url::RemoteUrl;
use crate::route::{self, Resolver, Route, SystemResolver};
use crate::source::{Fetched, Limits, Source};
use crate::transport::{self, Message, Reach};
use crate::trust::Trust;

/// How many redirects are followed.
pub const MAX_REDIRECTS: usize = 5;

/// A guarded HTTP client. It keeps no cookies, credentials or connections and reads no proxy from the environment.
#[derive(Clone)]
pub struct Client {
    policy: Policy,
    trust: Trust,
    resolver: Arc<dyn Resolver>,
}

impl Client {
    /// A client over the given way to resolve.
    #[must_use]
    pub fn new(policy: Policy, trust: Trust, resolver: impl Resolver + 'static) -> Self {
        Self {
            policy,
            trust,
            resolver: Arc::new(resolver),
        }
    }

    /// A client over the system's resolver.
    #[must_use]
    pub fn system(policy: Policy, trust: Trust) -> Self {
        Self::new(policy, trust, SystemResolver)
    }

    /// The same, which takes `http` too: for web pages that are rendered.
    #[must_use]
    pub fn with_plain_http(mut self) -> Self {
        self.policy.plain_http = true;
        self
    }

    /// The same, to which these hosts are our own too.
    #[must_use]
    pub fn with_own(mut self, hosts: &[String]) -> Self {
        self.policy = self.policy.with_own(hosts);
        self
    }

    /// The policy, whose [`Policy::admit`] makes the URLs that this client takes.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Streams what the URL holds into `sink`, following redirects. Only 200 and 203 bring a document.
    ///
    /// # Errors
    /// See [`FetchError`]. The sink then holds a part of the document, at most [`Limits::bytes`]; discard it.
    pub async fn fetch(
        &self,
        source: &Source,
        limits: &Limits,
        sink: &mut (impl AsyncWrite + Unpin + ?Sized),
    ) -> Result<Fetched, FetchError> {
        let document = async {
            let (url, response) = self.follow(source, limits).await?;
            let status = response.status();
            if !matches!(
                status,
                StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION
            ) {
                return Err(FetchError::Failed(Failure::Status(status.as_u16())));
            }
            let encoding = Encoding::of(response.headers());
            let encoding = encoding.ok_or(FetchError::Failed(Failure::Encoding))?;
            let headers = response.headers().clone();
            let stored = body::store(response, encoding, limits.bytes, sink).await?;
            Ok(Fetched::new(&url, &headers, &stored))
        };
        let document = timeout(limits.total, document).await;
        document.map_err(|_| FetchError::TimedOut)?
    }

    /// A bare connection to where the URL leads, without TLS: for a proxy whose client speaks TLS itself.
    ///
    /// # Errors
    /// The URL or what its name resolves to is refused, or nothing accepts the connection in time.
    pub async fn connect(
        &self,
        url: &RemoteUrl,
        within: Duration,
    ) -> Result<TcpStream, FetchError> {
        let url = self.policy.judge(url.url().clone())?;
        let connection = async {
            let route = self.route(&url).await?;
            self.dial(&route, within).await
        };
        let connection = timeout(within, connection).await;
        connection.map_err(|_| FetchError::TimedOut)?
    }

    /// One message over one connection of its own; redirects are the caller's business.
    pub(crate) async fn exchange(
        &self,
        url: &RemoteUrl,
        message: Message<'_>,
        limits: &Limits,
    ) -> Result<Response, FetchError> {
        let connect_by = Instant::now() + limits.connect;
        let route = timeout_at(connect_by, self.route(url)).await;
        let route = route.map_err(|_| FetchError::TimedOut)??;
        let endpoint = |address: &_| self.resolver.endpoint(*address);
        let reach = Reach {
            addresses: route.addresses.iter().map(endpoint).collect(),
            tls: self.trust.configuration(route.trusted_host),
            connect: connect_by.saturating_duration_since(Instant::now()),
            headers: limits.headers,
        };
        transport::exchange(url, message, reach).await
    }

    /// The guarded step: the URL was checked, its name is resolved once, and only checked addresses are connected to.
    async fn route(&self, url: &RemoteUrl) -> Result<Route, FetchError> {
        route::find(&self.policy, self.resolver.as_ref(), url).await
    }

    /// Connects to the first address of the route that accepts; each has an equal share of the time.
    async fn dial(&self, route: &Route, within: Duration) -> Result<TcpStream, FetchError> {
        let share = within / u32::try_from(route.addresses.len()).unwrap_or(1).max(1);
        let mut failed = FetchError::Failed(Failure::Connection);
        for address in &route.addresses {
            let stream = TcpStream::connect(self.resolver.endpoint(*address));
            match timeout(share, stream).await {
                Ok(Ok(stream)) => {
                    // A connection that delays small packets is a connection all the same.
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
        let mut url = self.policy.judge(source.url.url().clone())?;
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
        Err(FetchError::Failed(Failure::Redirect))
    }

    /// Where the response redirects to, checked from the start; `None` if it does not.
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
            .ok_or(FetchError::Failed(Failure::Redirect))?;
        Ok(Some(self.policy.admit_redirect(from, location)?))
    }
}

fn get(headers: &HeaderMap) -> Message<'_> {
    Message {
        method: Method::GET,
        headers,
        accept_encoding: ACCEPTED,
        body: Bytes::new(),
    }
}
