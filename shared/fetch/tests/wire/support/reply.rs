//! What a server says, byte by byte.

use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Bytes(Vec<u8>),
    Pause(Duration),
    /// The same bytes until the client is gone, with a pause after each.
    Forever(Vec<u8>, Duration),
    /// Nothing more, but the connection stays open.
    Hang,
    /// The connection ends without TLS saying so.
    Cut,
    /// The connection is reset.
    Reset,
}

pub(crate) type Reply = Vec<Step>;

/// An answer whose length is stated.
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
