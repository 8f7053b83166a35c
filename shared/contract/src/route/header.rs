//! Response headers that routes declare.

use strum::IntoStaticStr;

/// A response header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "Train-Case")]
pub enum Header {
    /// Methods that the path supports.
    Allow,
    /// File name of the body.
    ContentDisposition,
    /// Entity tag of the representation.
    #[strum(serialize = "ETag")]
    ETag,
    /// Marks the response of an earlier request with the same key.
    IdempotencyReplayed,
    /// URL of the resource or of the next request.
    Location,
    /// The applied preference of the request.
    PreferenceApplied,
    /// State of the rate limit.
    #[strum(serialize = "RateLimit")]
    RateLimit,
    /// The rate limit.
    #[strum(serialize = "RateLimit-Policy")]
    RateLimitPolicy,
    /// Seconds to wait.
    RetryAfter,
    /// Why authentication failed.
    #[strum(serialize = "WWW-Authenticate")]
    WwwAuthenticate,
}

impl Header {
    /// Returns the name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the description for API users.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Allow => "The methods that the path supports.",
            Self::ContentDisposition => "`attachment` with the file name.",
            Self::ETag => {
                "Entity tag of the response. Send it as `If-None-Match` to receive 304 if nothing changed."
            }
            Self::IdempotencyReplayed => {
                "`true` if this is the response of an earlier request with the same `Idempotency-Key`."
            }
            Self::Location => "URL of the created resource, or of the file to download.",
            Self::PreferenceApplied => {
                "`respond-async` if the request preferred it and the response is a job."
            }
            Self::RateLimit => "Remaining requests (r) and seconds until the limit resets (t).",
            Self::RateLimitPolicy => "The rate limit: requests (q) per window in seconds (w).",
            Self::RetryAfter => "Seconds to wait before the next request.",
            Self::WwwAuthenticate => "The authentication scheme, and why authentication failed.",
        }
    }
}
