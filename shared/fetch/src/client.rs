//! The client: every way out of the service over HTTP goes through its one guarded step.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::io::AsyncWrite;
use tokio::time::timeout;

use crate::body;
use crate::connector::{Connector, Stream, TcpConnector};
use crate::encoding::{ACCEPTED, Encoding};
use crate::error::{Failure, FetchError};
use crate::exchange::{self, Exchange, Message};
use crate::fetched::Fetched;
use crate::limits::{Limits, MAX_REDIRECTS};
use crate::policy::Policy;
use crate::redirect;
use crate::remote_url::RemoteUrl;
use crate::resolver::{Resolver, SystemResolver};
use crate::route::{self, Route};
use crate::source::Source;
use crate::trust::Trust;

/// A guarded HTTP client. It keeps no cookies, credentials or connections and reads no proxy from the environment.
#[derive(Clone)]
pub struct Client {
    policy: Policy,
    trust: Trust,
    resolver: Arc<dyn Resolver>,
    connector: Arc<dyn Connector>,
}

impl Client {
    /// A client over the given ways to resolve and to connect.
    #[must_use]
    pub fn new(
        policy: Policy,
        trust: Trust,
        resolver: impl Resolver + 'static,
        connector: impl Connector + 'static,
    ) -> Self {
        Self {
            policy,
            trust,
            resolver: Arc::new(resolver),
            connector: Arc::new(connector),
        }
    }

    /// A client over the system's resolver and plain TCP.
    #[must_use]
    pub fn system(policy: Policy, trust: Trust) -> Self {
        Self::new(policy, trust, SystemResolver, TcpConnector)
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
            let (url, answer) = self.follow(source, limits).await?;
            if !matches!(
                answer.head.status,
                StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION
            ) {
                return Err(FetchError::Failed(Failure::Status(
                    answer.head.status.as_u16(),
                )));
            }
            let encoding = Encoding::of(&answer.head.headers);
            let encoding = encoding.ok_or(FetchError::Failed(Failure::Encoding))?;
            let stored = body::store(answer.body, encoding, limits.bytes, sink).await?;
            Ok(Fetched::new(&url, &answer.head.headers, &stored))
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
    ) -> Result<Box<dyn Stream>, FetchError> {
        let url = self.policy.judge(url.url().clone())?;
        let connection = async { self.dial(&url, within).await.map(|(stream, _)| stream) };
        let connection = timeout(within, connection).await;
        connection.map_err(|_| FetchError::TimedOut)?
    }

    pub(crate) fn trust(&self) -> &Trust {
        &self.trust
    }

    /// The same connection with TLS to a trusted host laid over it.
    pub(crate) async fn connect_secured(
        &self,
        url: &RemoteUrl,
        stream: Box<dyn Stream>,
        within: Duration,
    ) -> Result<Box<dyn Stream>, FetchError> {
        let route = Route {
            addresses: Vec::new(),
            trusted_host: true,
        };
        let secured = exchange::secure(stream, url, &route, &self.trust);
        let secured = timeout(within, secured).await;
        secured.map_err(|_| FetchError::TimedOut)?
    }

    /// One message over one connection of its own; redirects are the caller's business.
    pub(crate) async fn exchange(
        &self,
        url: &RemoteUrl,
        message: Message<'_>,
        limits: &Limits,
    ) -> Result<Exchange, FetchError> {
        let connection = async {
            let (stream, route) = self.dial(url, limits.connect).await?;
            exchange::secure(stream, url, &route, &self.trust).await
        };
        let stream = timeout(limits.connect, connection).await;
        let stream = stream.map_err(|_| FetchError::TimedOut)??;
        exchange::exchange(stream, url, message, limits.headers).await
    }

    /// The guarded step: the URL was judged, its name is resolved once, and what is dialled are the judged addresses.
    async fn dial(
        &self,
        url: &RemoteUrl,
        within: Duration,
    ) -> Result<(Box<dyn Stream>, Route), FetchError> {
        let route = route::find(&self.policy, self.resolver.as_ref(), url).await?;
        let stream = exchange::dial(self.connector.as_ref(), &route.addresses, within).await?;
        Ok((stream, route))
    }

    async fn follow(
        &self,
        source: &Source,
        limits: &Limits,
    ) -> Result<(RemoteUrl, Exchange), FetchError> {
        let mut url = self.policy.judge(source.url.url().clone())?;
        let mut headers = with_accept(&source.headers);
        for _ in 0..=MAX_REDIRECTS {
            let answer = self.exchange(&url, get(&headers), limits).await?;
            let Some(target) = redirect::target(&self.policy, &url, &answer.head)? else {
                return Ok((url, answer));
            };
            if !target.same_origin(&url) {
                headers = with_accept(&HeaderMap::new());
            }
            url = target;
        }
        Err(FetchError::Failed(Failure::Redirect))
    }
}

fn get(headers: &HeaderMap) -> Message<'_> {
    Message {
        method: Method::GET,
        headers,
        accept_encoding: HeaderValue::from_static(ACCEPTED),
        body: Bytes::new(),
    }
}

fn with_accept(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    headers
        .entry(ACCEPT)
        .or_insert(HeaderValue::from_static("*/*"));
    headers
}
