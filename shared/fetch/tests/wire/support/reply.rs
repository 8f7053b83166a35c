//! Scripted responses of a test server, byte by byte.

use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Bytes(Vec<u8>),
    Pause(Duration),
    /// Sends the same bytes until the client disconnects, with a pause after each.
    Forever(Vec<u8>, Duration),
    /// Sends nothing more and keeps the connection open.
    Hang,
    /// Closes the connection without TLS `close_notify`.
    Cut,
    /// Resets the connection.
    Reset,
}

pub(crate) type Reply = Vec<Step>;

/// A response with `Content-Length`.
pub(crate) fn ok(headers: &str, body: &[u8]) -> Reply {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {length}\r\n\r\n");
    vec![Step::Bytes([head.as_bytes(), body].concat())]
}

impl From<&str> for Step {
    fn from(text: &str) -> Self {
        Self::Bytes(text.as_bytes().to_vec())
    }
}
