//! How long and how large a fetch may be.

use std::time::Duration;

/// How many redirects are followed.
pub const MAX_REDIRECTS: usize = 5;

/// The bounds of one fetch.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For resolving, connecting and the TLS handshake, anew for each redirect.
    pub connect: Duration,
    /// From the request to the end of the answer's head, anew for each redirect.
    pub headers: Duration,
    /// For everything, redirects and writing to the sink included.
    pub total: Duration,
    /// Of the body, counted after decompression.
    pub bytes: u64,
}

impl Limits {
    /// At most `bytes` within `total`, with ten seconds for each connection and each answer's head.
    #[must_use]
    pub fn new(bytes: u64, total: Duration) -> Self {
        let step = Duration::from_secs(10).min(total);
        Self {
            connect: step,
            headers: step,
            total,
            bytes,
        }
    }
}
