//! Simulated internet: DNS names resolve to public addresses, which are routed to loopback servers. Records connections.

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fetch::{Client, Policy, Resolver, TrustStore};

#[derive(Clone, Default)]
pub(crate) struct Internet(Arc<Map>);

#[derive(Default)]
struct Map {
    /// Successive DNS answers by name; the last one repeats.
    names: Mutex<HashMap<String, VecDeque<IpAddr>>>,
    routes: Mutex<HashMap<SocketAddr, SocketAddr>>,
    dialed: Mutex<Vec<SocketAddr>>,
}

/// A loopback address without a listener, for addresses without a route.
const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

/// Raw HTTP responses by path.
pub(crate) type Site = fn(&str) -> Vec<u8>;

impl Internet {
    /// Creates an internet with one site, `http://site.example.com/`, at a public address.
    pub(crate) fn with_site(site: Site) -> Self {
        let internet = Self::default();
        internet.name("site.example.com", &["93.184.216.34"]);
        internet.route("93.184.216.34:80", serve(site));
        internet
    }

    /// Sets the successive DNS answers of a name.
    pub(crate) fn name(&self, name: &str, answers: &[&str]) {
        let answers = answers.iter().map(|text| text.parse().unwrap()).collect();
        self.0
            .names
            .lock()
            .unwrap()
            .insert(name.to_owned(), answers);
    }

    pub(crate) fn route(&self, public: &str, server: SocketAddr) {
        let public = public.parse().unwrap();
        self.0.routes.lock().unwrap().insert(public, server);
    }

    /// Returns the distinct addresses of all connections.
    pub(crate) fn dialed(&self) -> Vec<String> {
        let dialed = self.0.dialed.lock().unwrap();
        let mut dialed: Vec<_> = dialed.iter().map(ToString::to_string).collect();
        dialed.sort();
        dialed.dedup();
        dialed
    }

    pub(crate) fn client(&self) -> Client {
        self.client_of("", TrustStore::system().unwrap())
    }

    /// Creates a client with trusted hosts.
    pub(crate) fn client_of(&self, trusted_hosts: &str, trust: TrustStore) -> Client {
        let policy = Policy::https_or_http(Vec::new(), trusted_hosts.parse().unwrap());
        Client::new(policy, trust, self.clone())
    }
}

#[async_trait]
impl Resolver for Internet {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.0.names.lock().unwrap();
        let answers = names.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
        let answer = answers[0];
        if answers.len() > 1 {
            answers.pop_front();
        }
        Ok(vec![answer])
    }

    fn endpoint(&self, address: SocketAddr) -> SocketAddr {
        self.0.dialed.lock().unwrap().push(address);
        let routes = self.0.routes.lock().unwrap();
        routes.get(&address).copied().unwrap_or(NOWHERE)
    }
}

/// Serves until the process exits.
fn serve(site: Site) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || respond(stream, site));
        }
    });
    address
}

fn respond(mut stream: TcpStream, site: Site) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    for line in lines {
        if line.unwrap().is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap();
    stream.write_all(&site(path)).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    stream.read_to_end(&mut Vec::new()).ok();
}

/// Formats an HTTP response.
pub(crate) fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

pub(crate) fn html(body: &str) -> Vec<u8> {
    response(
        "200 OK",
        "Content-Type: text/html; charset=utf-8\r\n",
        body.as_bytes(),
    )
}

pub(crate) fn not_found() -> Vec<u8> {
    response(
        "404 Not Found",
        "Content-Type: text/html\r\n",
        b"<p>nothing here</p>",
    )
}

pub(crate) fn redirect(to: &str) -> Vec<u8> {
    response("302 Found", &format!("Location: {to}\r\n"), b"")
}
