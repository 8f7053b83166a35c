//! Errors of requests to URLs. Their texts never contain the URL, an address or text from the server.

use domain::source::UrlError;
use thiserror::Error;

/// Why a fetch, a delivery or a connection failed.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The URL is not valid under this client's policy.
    #[error("the URL is not valid")]
    InvalidUrl,
    /// The URL, a resolved address or a redirect target is not allowed.
    #[error("the URL is not allowed")]
    Blocked,
    /// The server could not be reached or did not return a document.
    #[error("the URL could not be fetched")]
    Failed(FailedStep),
    /// The document exceeds the size limit, by its `Content-Length` or by the bytes received.
    #[error("the document at the URL is too large")]
    TooLarge,
    /// A time limit expired.
    #[error("the request to the URL timed out")]
    TimedOut,
    /// Writing to the sink failed: an internal error.
    #[error("the fetched document could not be stored")]
    Sink(#[source] std::io::Error),
}

impl FetchError {
    /// The step that failed, for logs.
    pub(crate) fn step(&self) -> Option<FailedStep> {
        match self {
            Self::Failed(step) => Some(*step),
            _ => None,
        }
    }
}

impl From<UrlError> for FetchError {
    fn from(error: UrlError) -> Self {
        match error {
            UrlError::Invalid => Self::InvalidUrl,
            UrlError::Blocked => Self::Blocked,
        }
    }
}

/// The step at which a request failed: for logs, never for clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedStep {
    /// Name resolution failed.
    Resolution,
    /// No address accepted the connection.
    Connection,
    /// The TLS handshake or the verification of the certificate failed.
    Tls,
    /// The response head (status line and headers) was missing, too long, or not HTTP.
    Head,
    /// The response had this status.
    Status(u16),
    /// There were too many redirects, or one without a valid `Location`.
    Redirect,
    /// The body has a content encoding that was not requested.
    Encoding,
    /// The body was truncated or contradicts its length, framing or encoding.
    Body,
}
