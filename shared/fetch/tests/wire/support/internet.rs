//! Names and public addresses that lead to servers on loopback, and a record of who was asked and dialled.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use fetch::{Client, FetchError, Fetched, Limits, Policy, RemoteUrl, Resolver, Source, Trust};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::{Authority, Identity, Reply, Server};

/// A megabyte within ten seconds.
pub(crate) fn limits() -> Limits {
    Limits::new(1_000_000, Duration::from_secs(10))
}

#[derive(Default)]
struct Map {
    /// What each look-up of a name answers; the last answer stays.
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    /// Where a public address really leads.
    routes: Mutex<HashMap<SocketAddr, SocketAddr>>,
    holes: Mutex<Vec<BlackHole>>,
    /// How long every look-up takes.
    delay: Mutex<Duration>,
    asked: Mutex<Vec<String>>,
    dialled: Mutex<Vec<SocketAddr>>,
}

struct Wires(Arc<Map>);

/// An address without a route: nothing listens there.
const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

/// A listener whose queue is full, so that the system drops every further attempt to connect.
struct BlackHole {
    _listener: TcpListener,
    _queue: Vec<TcpStream>,
}

pub(crate) struct Internet {
    map: Arc<Map>,
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

    /// What the look-ups of a name answer, one after the other.
    pub(crate) fn name(&self, name: &str, answers: &[&[&str]]) {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        self.map
            .answers
            .lock()
            .unwrap()
            .insert(name.to_owned(), answers);
    }

    /// Makes every look-up take that long.
    pub(crate) fn delay_look_ups(&self, delay: Duration) {
        *self.map.delay.lock().unwrap() = delay;
    }

    /// Makes a public address lead to a server.
    pub(crate) fn route(&self, public: &str, server: SocketAddr) {
        let public = public.parse().unwrap();
        self.map.routes.lock().unwrap().insert(public, server);
    }

    /// Makes a public address swallow every attempt to connect.
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

    /// A server with a proper certificate for `name`, whose address is public and its own.
    pub(crate) async fn serve(
        &self,
        name: &str,
        answer: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Server {
        self.serve_as(name, Some(self.authority.identity(name)), answer)
            .await
    }

    /// A server of that identity, or without TLS, on the default port.
    pub(crate) async fn serve_as(
        &self,
        name: &str,
        identity: Option<Identity>,
        answer: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let port = if identity.is_some() { 443 } else { 80 };
        let server = Server::start(identity, answer).await;
        let address = format!("93.184.216.{}", 1 + self.map.answers.lock().unwrap().len());
        self.name(name, &[&[address.as_str()]]);
        self.route(&format!("{address}:{port}"), server.address);
        server
    }

    pub(crate) fn client(&self) -> Client {
        self.client_with(Trust::only(self.authority.pem().as_bytes()).unwrap())
    }

    pub(crate) fn client_with(&self, trust: Trust) -> Client {
        Client::new(self.policy.clone(), trust, Wires(Arc::clone(&self.map)))
    }

    pub(crate) fn url(&self, text: &str) -> RemoteUrl {
        self.policy.admit(text).unwrap()
    }

    /// Outcome, and what the sink holds.
    pub(crate) async fn fetch(&self, text: &str) -> (Result<Fetched, FetchError>, Vec<u8>) {
        self.fetch_within(text, &limits()).await
    }

    pub(crate) async fn fetch_within(
        &self,
        text: &str,
        limits: &Limits,
    ) -> (Result<Fetched, FetchError>, Vec<u8>) {
        let mut sink = Vec::new();
        let source = Source::from(self.url(text));
        let outcome = self.client().fetch(&source, limits, &mut sink).await;
        (outcome, sink)
    }

    /// Every address that was handed on to be connected to so far.
    pub(crate) fn dialled(&self) -> Vec<String> {
        let dialled = self.map.dialled.lock().unwrap();
        dialled.iter().map(ToString::to_string).collect()
    }

    /// Every look-up so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.map.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Resolver for Wires {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.0.asked.lock().unwrap().push(name.to_owned());
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
        self.0.dialled.lock().unwrap().push(address);
        let routes = self.0.routes.lock().unwrap();
        routes.get(&address).copied().unwrap_or(NOWHERE)
    }
}
