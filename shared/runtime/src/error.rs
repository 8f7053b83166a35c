//! API errors: maps errors of the domain to codes, statuses and headers of problem details.

use domain::burst::Burst;
use domain::field::FieldError;
use domain::format::Format;
use domain::plan::Unit;
use domain::ports::PortError;
use domain::scope::Scope;
use domain::source::{UrlError, unavailable};
use domain::submit::SubmitError;
use domain::timestamp::Timestamp;
use domain::usage::QuotaExceeded;
use domain::work_plan::WorkPlanError;

use contract::code::ErrorCode;
use contract::route::Header;

use crate::clock;

/// An error response, returned as problem details [RFC 9457].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The error code.
    pub code: ErrorCode,
    /// The status, if the route overrides that of the code.
    pub status: Option<u16>,
    /// What happened and what to do about it.
    pub detail: String,
    /// The invalid members of the request.
    pub errors: Vec<FieldError>,
    /// When the plan's quota resets.
    pub resets_at: Option<Timestamp>,
    /// Response headers.
    pub headers: Vec<(Header, String)>,
}

impl ApiError {
    /// Creates an error.
    #[must_use]
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            status: None,
            detail: detail.into(),
            errors: Vec::new(),
            resets_at: None,
            headers: Vec::new(),
        }
    }

    /// Creates the error for a body or query with invalid members.
    #[must_use]
    pub fn malformed(status: u16, errors: Vec<FieldError>) -> Self {
        let detail = errors
            .iter()
            .map(|error| format!("{} {}", error.path, error.message))
            .collect::<Vec<_>>()
            .join("; ");
        Self {
            status: Some(status),
            errors,
            ..Self::new(ErrorCode::InvalidRequest, detail)
        }
    }

    /// The request has no credential.
    #[must_use]
    pub fn unauthenticated() -> Self {
        Self::new(
            ErrorCode::AuthenticationRequired,
            "The request has no credential. Send an API key or account token as `Authorization: Bearer …`.",
        )
        .with_header(Header::WwwAuthenticate, "Bearer error=\"invalid_token\"")
    }

    /// The API key is malformed, unknown or revoked, or the token is malformed, expired or of another issuer. One error for
    /// all, so that attackers cannot distinguish the cases.
    #[must_use]
    pub fn invalid_credential() -> Self {
        Self::new(
            ErrorCode::InvalidApiKey,
            "The API key or account token is invalid, expired or revoked. Check the key, or sign in again.",
        )
        .with_header(Header::WwwAuthenticate, "Bearer error=\"invalid_token\"")
    }

    /// The route requires an account token, and the request has an API key.
    #[must_use]
    pub fn token_required() -> Self {
        let detail = "API keys cannot manage API keys. Send the token of a signed-in account.";
        Self::new(ErrorCode::AccountTokenRequired, detail).with_header(
            Header::WwwAuthenticate,
            "Bearer error=\"insufficient_scope\"",
        )
    }

    /// The account's plan does not include the feature.
    #[must_use]
    pub fn plan_required(detail: String) -> Self {
        Self::new(ErrorCode::PlanRequired, detail).with_header(
            Header::WwwAuthenticate,
            "Bearer error=\"insufficient_scope\"",
        )
    }

    /// The API key lacks the scope of the route.
    #[must_use]
    pub fn insufficient_scope(scope: Scope) -> Self {
        Self::new(
            ErrorCode::InsufficientScope,
            format!("The API key lacks the scope {scope}. Use a key that has it."),
        )
        .with_header(
            Header::WwwAuthenticate,
            format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""),
        )
    }

    /// The API key exceeds the plan's rate limit.
    #[must_use]
    pub fn rate_limited(burst: Burst) -> Self {
        let detail = format!(
            "The plan's rate limit of {} requests per second and API key is exceeded. Retry in a second.",
            burst.limit
        );
        Self::new(ErrorCode::RateLimited, detail).with_header(Header::RetryAfter, "1")
    }

    /// The resource does not exist, or belongs to another account: one error for both, so that IDs cannot be probed.
    #[must_use]
    pub fn not_found(code: ErrorCode) -> Self {
        let detail = match code {
            ErrorCode::DeliveryNotFound => "The webhook has no delivery with this id.",
            ErrorCode::DocumentNotFound => "The account has no document with this id.",
            ErrorCode::JobNotFound => "The account has no job with this id.",
            ErrorCode::KeyNotFound => "The account has no API key with this id.",
            ErrorCode::PageNotFound => "The document has no page with this id.",
            ErrorCode::VersionNotFound => "The document has no version with this id.",
            ErrorCode::WebhookNotFound => "The account has no webhook with this id.",
            _ => code.title(),
        };
        Self::new(code, detail)
    }

    /// The URL of the member at `path` is malformed or not https.
    #[must_use]
    pub fn invalid_url(path: &str) -> Self {
        let message = "must be an https URL of at most 2048 characters";
        Self::for_field(ErrorCode::InvalidUrl, path, message)
    }

    /// The URL of the member at `path` resolves, or may resolve, to an address that is not public (SSRF).
    #[must_use]
    pub fn url_blocked(path: &str) -> Self {
        let message = "must be a public https address";
        Self::for_field(ErrorCode::UrlBlocked, path, message)
    }

    /// The URL guard rejected the URL of the member at `path`.
    #[must_use]
    pub fn for_url(error: UrlError, path: &str) -> Self {
        match error {
            UrlError::Invalid => Self::invalid_url(path),
            UrlError::Blocked => Self::url_blocked(path),
        }
    }

    /// Creates an error for the member at `path`; its field error has the same code.
    #[must_use]
    pub fn for_field(code: ErrorCode, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::from_field_error(code, FieldError::new(path, code.name(), message))
    }

    /// An internal error. The cause is logged, never returned.
    #[must_use]
    pub fn internal() -> Self {
        let detail =
            "An internal error occurred. Try again; if it persists, report the request id.";
        Self::new(ErrorCode::InternalError, detail)
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, header: Header, value: impl Into<String>) -> Self {
        self.headers.push((header, value.into()));
        self
    }

    /// The source key at `path` is unknown, belongs to another account, or its file was never uploaded.
    #[must_use]
    pub fn source_unavailable(path: &str) -> Self {
        Self::from_field_error(ErrorCode::SourceUnavailable, unavailable(path))
    }

    /// Creates an error with one field error.
    #[must_use]
    pub fn from_field_error(code: ErrorCode, error: FieldError) -> Self {
        let detail = format!("{} {}", error.path, error.message);
        Self {
            errors: vec![error],
            ..Self::new(code, detail)
        }
    }
}

impl From<PortError> for ApiError {
    fn from(error: PortError) -> Self {
        match error {
            PortError::Contended => Self::new(
                ErrorCode::RateLimited,
                "Too many concurrent requests of this account modify the same resource. Retry in a second.",
            )
            .with_header(Header::RetryAfter, "1"),
            PortError::Unavailable { service, reason } => {
                tracing::error!(service, reason, "dependency unavailable");
                Self::internal()
            }
        }
    }
}

/// Parses the format in the member at `path`.
///
/// # Errors
/// When the format is unknown.
pub fn format_at(path: &str, name: &str) -> Result<Format, ApiError> {
    let format = name.parse();
    format.map_err(|message: String| unknown_format(path, message))
}

/// Parses `inputFormat`, which may also be a variant of a format, such as `docm`.
///
/// # Errors
/// When the format is unknown.
pub fn input_format(name: &str) -> Result<Format, ApiError> {
    Format::from_source_name(name).map_err(|message| unknown_format("$.inputFormat", message))
}

fn unknown_format(path: &str, message: String) -> ApiError {
    ApiError::for_field(ErrorCode::UnsupportedConversion, path, message)
}

impl From<SubmitError> for ApiError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::SourceUnavailable(error) => {
                Self::from_field_error(ErrorCode::SourceUnavailable, error)
            }
            SubmitError::UrlBlocked => Self::url_blocked("$.url"),
            SubmitError::UnknownInputFormat(error) => {
                Self::from_field_error(ErrorCode::UnsupportedConversion, error)
            }
            SubmitError::WorkPlanError(unplannable) => unplannable.into(),
            SubmitError::KeyReused => Self::key_reused(),
            SubmitError::QuotaExceeded(exceeded) => exceeded.into(),
            SubmitError::Port(error) => error.into(),
        }
    }
}

impl ApiError {
    /// The idempotency key was used for a request with other content.
    #[must_use]
    pub fn key_reused() -> Self {
        let detail = "This Idempotency-Key was used for a different request. Use a new key for each new request.";
        Self::new(ErrorCode::IdempotencyKeyReused, detail)
    }
}

impl From<WorkPlanError> for ApiError {
    fn from(unplannable: WorkPlanError) -> Self {
        match unplannable {
            WorkPlanError::Conversion(error) => {
                Self::from_field_error(ErrorCode::UnsupportedConversion, error)
            }
            WorkPlanError::Step(error) => Self::from_field_error(ErrorCode::InvalidStep, error),
            WorkPlanError::OutputTooLarge(error) => {
                Self::from_field_error(ErrorCode::OutputTooLarge, error)
            }
        }
    }
}

impl From<domain::operation::InvalidOperation> for ApiError {
    fn from(invalid: domain::operation::InvalidOperation) -> Self {
        match invalid {
            domain::operation::InvalidOperation::Unknown(error) => {
                Self::from_field_error(ErrorCode::UnsupportedOperation, error)
            }
            domain::operation::InvalidOperation::Language(error) => {
                Self::from_field_error(ErrorCode::UnsupportedLanguage, error)
            }
            domain::operation::InvalidOperation::Source(error) => {
                Self::from_field_error(ErrorCode::SourceUnavailable, error)
            }
            domain::operation::InvalidOperation::Options(errors) => Self {
                code: ErrorCode::InvalidStep,
                ..Self::malformed(422, errors)
            },
        }
    }
}

impl From<QuotaExceeded> for ApiError {
    fn from(exceeded: QuotaExceeded) -> Self {
        let (code, unit) = match exceeded.unit {
            Unit::Requests => (ErrorCode::QuotaExceeded, "requests"),
            Unit::Credits => (ErrorCode::CreditsExhausted, "credits"),
        };
        let seconds = exceeded.resets_at.since(clock::now()).as_secs() + 1;
        let detail = format!(
            "The plan's {unit} are used up. The quota resets at {}.",
            exceeded.resets_at
        );
        Self {
            resets_at: Some(exceeded.resets_at),
            ..Self::new(code, detail)
        }
        .with_header(Header::RetryAfter, seconds.to_string())
    }
}
