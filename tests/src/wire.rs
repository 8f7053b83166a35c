//! The wire log of the local stack: every request that reached the emulator.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

use serde::Deserialize;

use crate::stack::stack;

/// One request to the emulator.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    pub time: f64,
    pub service: String,
    pub operation: String,
    #[serde(default)]
    pub function: Option<String>,
    pub status: u16,
}

/// The directory of the running stack, by its own word.
pub fn state_directory() -> PathBuf {
    let address = stack().aws.endpoint_url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let head =
        format!("GET /_octavo/state HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    PathBuf::from(answer.split_once("\r\n\r\n").unwrap().1)
}

/// Every request since the stack was started, oldest first.
pub fn requests() -> Vec<Request> {
    let text = std::fs::read_to_string(state_directory().join("wire.jsonl")).unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// How many requests to each service a call may make; none to a service that is not named. Where any is named, the call
/// makes at least one request, so that a log that lacks them all is noticed.
pub type Most = [(&'static str, usize)];

/// How many of `requests` went to each service.
fn counted(requests: &[Request]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for request in requests {
        *counts.entry(request.service.as_str()).or_default() += 1;
    }
    counts
}

/// What `function` asks of AWS while `call` runs.
pub async fn during<T>(function: &str, call: impl Future<Output = T>) -> (T, Vec<Request>) {
    let before = requests().len();
    let answer = call.await;
    let name = &stack().resources.functions[function];
    let own = requests().split_off(before).into_iter();
    let own = own.filter(|request| request.function.as_ref() == Some(name));
    (answer, own.collect())
}

/// Fails where `requests` are more than `most` allows, or none at all though it allows some.
pub fn assert_at_most(requests: &[Request], most: &Most, about: &str) {
    assert!(
        most.is_empty() || !requests.is_empty(),
        "{about}: no request was logged"
    );
    for (service, count) in counted(requests) {
        let allowed = most.iter().find(|(named, _)| *named == service);
        let allowed = allowed.map_or(0, |(_, allowed)| *allowed);
        assert!(
            count <= allowed,
            "{about}: {count} requests to {service}, at most {allowed} are allowed: {requests:?}"
        );
    }
}
