//! Wire log of the local stack: every request to the AWS emulator.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek as _, SeekFrom, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::stack::stack;

/// A request to the emulator.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    pub time: f64,
    pub service: String,
    pub operation: String,
    #[serde(default)]
    pub function: Option<String>,
    pub status: u16,
    /// Whether the response was injected.
    #[serde(default)]
    pub fault: bool,
}

impl Request {
    /// Whether `function` made it.
    pub fn is_of(&self, function: &str) -> bool {
        self.function.as_ref() == Some(&stack().resources.functions[function])
    }
}

/// State directory of the running stack.
pub fn state_directory() -> PathBuf {
    let address = stack().aws.endpoint_url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let head =
        format!("GET /_octavo/state HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    PathBuf::from(response.split_once("\r\n\r\n").unwrap().1)
}

/// A position in the log.
#[derive(Clone, Copy, Debug)]
pub struct Position(u64);

/// Returns the end of the log, before every later request.
pub fn now() -> Position {
    Position(log().metadata().unwrap().len())
}

/// Returns every request since the stack started, oldest first.
pub fn requests() -> Vec<Request> {
    requests_since(Position(0))
}

/// Returns the requests after a position, oldest first. The log of a whole test run is long.
fn requests_since(position: Position) -> Vec<Request> {
    let (mut log, mut text) = (log(), String::new());
    log.seek(SeekFrom::Start(position.0)).unwrap();
    log.read_to_string(&mut text).unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn log() -> File {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    File::open(PATH.get_or_init(|| state_directory().join("wire.jsonl"))).unwrap()
}

/// Waits until `count` of the requests after a position are `expected`.
pub async fn wait_for_requests(
    since: Position,
    count: usize,
    timeout: Duration,
    expected: impl Fn(&Request) -> bool,
) {
    let deadline = Instant::now() + timeout;
    loop {
        let found = requests_since(since).into_iter();
        let found = found.filter(|request| expected(request)).count();
        if found >= count {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "{found} of {count} requests within {timeout:?}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Maximum number of requests per service; for other services it is 0. If it is not empty, at least one request is required, so
/// that an empty log fails.
pub type RequestLimits = [(&'static str, usize)];

/// Counts `requests` by service.
fn count_by_service(requests: &[Request]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for request in requests {
        *counts.entry(request.service.as_str()).or_default() += 1;
    }
    counts
}

/// Returns the AWS requests of `function` while `call` runs.
pub async fn during<T>(function: &str, call: impl Future<Output = T>) -> (T, Vec<Request>) {
    let before = now();
    let response = call.await;
    let own = requests_since(before).into_iter();
    let own = own.filter(|request| request.is_of(function));
    (response, own.collect())
}

/// Fails if `requests` exceed `limits`, or if there are none although some are allowed.
pub fn assert_at_most(requests: &[Request], limits: &RequestLimits, about: &str) {
    assert!(
        limits.is_empty() || !requests.is_empty(),
        "{about}: no request was logged"
    );
    for (service, count) in count_by_service(requests) {
        let allowed = limits.iter().find(|(name, _)| *name == service);
        let allowed = allowed.map_or(0, |(_, allowed)| *allowed);
        assert!(
            count <= allowed,
            "{about}: {count} requests to {service}, at most {allowed} are allowed: {requests:?}"
        );
    }
}
