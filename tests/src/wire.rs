//! The wire log of the local stack: every request that reached the emulator.

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
