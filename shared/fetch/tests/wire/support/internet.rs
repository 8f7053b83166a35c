//! Maps names and public addresses to servers on loopback, and records lookups and connections.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use fetch::{
    Client, FetchError, FetchedDocument, Limits, Policy, RemoteUrl, Resolver, Source, TrustStore,
};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::{Authority, Identity, Reply, Server};

/// A megabyte within ten seconds.
pub(crate) fn limits() -> Limits {
    Limits::new(1_000_000, Duration::from_secs(10))
}

#[derive(Default)]
struct NetworkMap {
    /// The results of successive lookups of a name; the last one repeats.
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    /// The server on loopback behind each public address.
    routes: Mutex<HashMap<SocketAddr, SocketAddr>>,
    holes: Mutex<Vec<BlackHole>>,
    /// Duration of every lookup.
    delay: Mutex<Duration>,
    lookups: Mutex<Vec<String>>,
    dialed: Mutex<Vec<SocketAddr>>,
}

struct TestResolver(Arc<NetworkMap>);

/// An address without a route: nothing listens there.
const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

/// A listener whose backlog is full, so that the kernel drops further connection attempts.
struct BlackHole {
    _listener: TcpListener,
    _queue: Vec<TcpStream>,
}

pub(crate) struct Internet {
    map: Arc<NetworkMap>,
    pub(crate) authority: Authority,
    pub(crate) policy: Policy,
}

impl Internet {
    pub(crate) fn new() -> Self {
        let trusted = "".parse().unwrap();
        Self {
            map: Arc::default(),
            authority: Authority::new(),
            policy: Policy::https(vec!["api.octavo.app".to_owned()], trusted),
        }
    }

    /// Sets the results of successive lookups of a name.
    pub(crate) fn name(&self, name: &str, answers: &[&[&str]]) {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        self.map
            .answers
            .lock()
            .unwrap()
            .insert(name.to_owned(), answers);
    }

    /// Delays every lookup.
    pub(crate) fn delay_lookups(&self, delay: Duration) {
        *self.map.delay.lock().unwrap() = delay;
    }

    /// Routes a public address to a server.
    pub(crate) fn route(&self, public: &str, server: SocketAddr) {
        let public = public.parse().unwrap();
        self.map.routes.lock().unwrap().insert(public, server);
    }

    /// Makes connection attempts to a public address hang.
    pub(crate) async fn black_hole(&self, public: &str) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut queue = Vec::new();
        let brief = Duration::from_millis(100);
        while let Ok(stream) = tokio::time::timeout(brief, TcpStream::connect(address)).await {
            queue.push(stream.unwrap());
        }
        self.route(public, address);
        self.map.holes.lock().unwrap().push(BlackHole {
            _listener: listener,
            _queue: queue,
        });
    }

    /// Starts a server with a valid certificate for `name` and its own public address.
    pub(crate) async fn serve(
        &self,
        name: &str,
        respond: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Server {
        self.serve_as(name, Some(self.authority.identity(name)), respond)
            .await
    }

    /// Starts a server with this certificate, or without TLS, on the default port.
    pub(crate) async fn serve_as(
        &self,
        name: &str,
        identity: Option<Identity>,
        respond: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let port = if identity.is_some() { 443 } else { 80 };
        let server = Server::start(identity, respond).await;
        let address = format!("93.184.216.{}", 1 + self.map.answers.lock().unwrap().len());
        self.name(name, &[&[address.as_str()]]);
        self.route(&format!("{address}:{port}"), server.address);
        server
    }

    pub(crate) fn client(&self) -> Client {
        self.client_with(TrustStore::only(self.authority.pem().as_bytes()).unwrap())
    }

    pub(crate) fn client_with(&self, trust: TrustStore) -> Client {
        Client::new(
            self.policy.clone(),
            trust,
            TestResolver(Arc::clone(&self.map)),
        )
    }

    pub(crate) fn url(&self, text: &str) -> RemoteUrl {
        self.policy.admit(text).unwrap()
    }

    /// The outcome and the content of the sink.
    pub(crate) async fn fetch(&self, text: &str) -> (Result<FetchedDocument, FetchError>, Vec<u8>) {
        self.fetch_within(text, &limits()).await
    }

    pub(crate) async fn fetch_within(
        &self,
        text: &str,
        limits: &Limits,
    ) -> (Result<FetchedDocument, FetchError>, Vec<u8>) {
        let mut sink = Vec::new();
        let source = Source::from(self.url(text));
        let outcome = self.client().fetch(&source, limits, &mut sink).await;
        (outcome, sink)
    }

    /// Every address passed on for connecting so far.
    pub(crate) fn dialed(&self) -> Vec<String> {
        let dialed = self.map.dialed.lock().unwrap();
        dialed.iter().map(ToString::to_string).collect()
    }

    /// Every name looked up so far.
    pub(crate) fn lookups(&self) -> Vec<String> {
        self.map.lookups.lock().unwrap().clone()
    }
}

#[async_trait]
impl Resolver for TestResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.0.lookups.lock().unwrap().push(name.to_owned());
        let delay = *self.0.delay.lock().unwrap();
        tokio::time::sleep(delay).await;
        let mut answers = self.0.answers.lock().unwrap();
        let answers = answers.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
        let answer = answers.front().cloned().unwrap_or_default();
        if answers.len() > 1 {
            answers.pop_front();
        }
        Ok(answer)
    }

    fn endpoint(&self, address: SocketAddr) -> SocketAddr {
        self.0.dialed.lock().unwrap().push(address);
        let routes = self.0.routes.lock().unwrap();
        routes.get(&address).copied().unwrap_or(NOWHERE)
    }
}
