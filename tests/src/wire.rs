//! Wire log of the local stack: every request to the AWS emulator.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

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

/// Returns every request since the stack started, oldest first.
pub fn requests() -> Vec<Request> {
    let text = std::fs::read_to_string(state_directory().join("wire.jsonl")).unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
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
    let before = requests().len();
    let response = call.await;
    let name = &stack().resources.functions[function];
    let own = requests().split_off(before).into_iter();
    let own = own.filter(|request| request.function.as_ref() == Some(name));
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
