//! What a request over a URL may end in. No text here repeats the URL, an address or anything that a
//! server said.

use domain::source::UrlRefusal;
use thiserror::Error;

/// What a fetch, a delivery or a connection ended in instead of success.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The URL itself is not valid under this client's policy.
    #[error("the URL is not valid")]
    InvalidUrl,
    /// The URL, what its name resolves to, or a redirect is not allowed.
    #[error("the URL is not allowed")]
    Blocked,
    /// The server could not be reached or did not answer with a document.
    #[error("the URL could not be fetched")]
    Failed(Failure),
    /// There is more than the limit, by the length it stated or by what arrived.
    #[error("what the URL holds is too large")]
    TooLarge,
    /// One of the time limits passed.
    #[error("the URL took too long to answer")]
    TimedOut,
    /// The sink refused what was fetched: a fault on our side.
    #[error("what was fetched could not be stored")]
    Sink(#[source] std::io::Error),
}

impl FetchError {
    /// The step that failed, for operators' logs.
    pub(crate) fn step(&self) -> Option<Failure> {
        match self {
            Self::Failed(step) => Some(*step),
            _ => None,
        }
    }
}

impl From<UrlRefusal> for FetchError {
    fn from(refusal: UrlRefusal) -> Self {
        match refusal {
            UrlRefusal::Invalid => Self::InvalidUrl,
            UrlRefusal::Blocked => Self::Blocked,
        }
    }
}

/// At which step a request failed: for operators' logs, never for clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The name did not resolve.
    Resolution,
    /// No address accepted the connection.
    Connection,
    /// No trustworthy TLS connection came about.
    Tls,
    /// The answer's head was not HTTP, too long, or did not come.
    Head,
    /// The answer had this status.
    Status(u16),
    /// There were more redirects than are followed, or one that leads nowhere.
    Redirect,
    /// The body's encoding is not one that was asked for.
    Encoding,
    /// The body broke off, or was not what its length, framing or encoding promised.
    Body,
}
