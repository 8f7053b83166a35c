//! Refusals: the one place where errors of the rules become codes, statuses and headers of the API.

use domain::burst::Burst;
use domain::field::FieldError;
use domain::format::Format;
use domain::plan::Unit;
use domain::ports::PortError;
use domain::scope::Scope;
use domain::source::{UrlRefusal, unavailable};
use domain::submit::NotSubmitted;
use domain::timestamp::Timestamp;
use domain::usage::Spent;
use domain::work_plan::Unplannable;

use contract::code::ErrorCode;
use contract::route::Header;

use crate::clock;

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A code of the closed list.
    pub code: ErrorCode,
    /// The status, where the route decides another than the code's own.
    pub status: Option<u16>,
    /// What happened and what to do about it.
    pub detail: String,
    /// The members at fault.
    pub errors: Vec<FieldError>,
    /// When the plan's counter starts anew.
    pub resets_at: Option<Timestamp>,
    /// Headers that go with it.
    pub headers: Vec<(Header, String)>,
}

impl Refusal {
    /// A refusal with this code.
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

    /// A body or query whose members are wrong.
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

    /// A request without a credential.
    #[must_use]
    pub fn unauthenticated() -> Self {
        Self::new(
            ErrorCode::AuthenticationRequired,
            "send your API key or account token as `Authorization: Bearer …`",
        )
        .with(Header::WwwAuthenticate, "Bearer error=\"invalid_token\"")
    }

    /// A key that is malformed, unknown or revoked, or a token that is malformed, expired or another issuer's: never
    /// told apart.
    #[must_use]
    pub fn invalid_key() -> Self {
        Self::new(
            ErrorCode::InvalidApiKey,
            "the API key or account token is not valid; send a key as it was shown, or sign in again",
        )
        .with(Header::WwwAuthenticate, "Bearer error=\"invalid_token\"")
    }

    /// A key where only the account itself may act.
    #[must_use]
    pub fn token_required() -> Self {
        let detail =
            "API keys are managed with the token of a signed-in account, not with an API key";
        Self::new(ErrorCode::AccountTokenRequired, detail).with(
            Header::WwwAuthenticate,
            "Bearer error=\"insufficient_scope\"",
        )
    }

    /// What the account's plan does not include.
    #[must_use]
    pub fn plan_required(detail: String) -> Self {
        Self::new(ErrorCode::PlanRequired, detail).with(
            Header::WwwAuthenticate,
            "Bearer error=\"insufficient_scope\"",
        )
    }

    /// A key without the scope of the route.
    #[must_use]
    pub fn lacks(scope: Scope) -> Self {
        Self::new(
            ErrorCode::InsufficientScope,
            format!("the key lacks the scope {scope}"),
        )
        .with(
            Header::WwwAuthenticate,
            format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""),
        )
    }

    /// A key that is used too often.
    #[must_use]
    pub fn too_fast(burst: Burst) -> Self {
        let detail = format!("the plan allows {} requests a second and key", burst.limit);
        Self::new(ErrorCode::RateLimited, detail).with(Header::RetryAfter, "1")
    }

    /// What a request names is not there. Another account's is not told apart from none.
    #[must_use]
    pub fn not_found(code: ErrorCode) -> Self {
        let detail = match code {
            ErrorCode::DeliveryNotFound => "the webhook has no such delivery",
            ErrorCode::DocumentNotFound => "there is no such document in this account",
            ErrorCode::JobNotFound => "there is no such job in this account",
            ErrorCode::KeyNotFound => "there is no such API key in this account",
            ErrorCode::PageNotFound => "the document has no such page",
            ErrorCode::VersionNotFound => "the document has no such version",
            ErrorCode::WebhookNotFound => "there is no such webhook in this account",
            _ => code.title(),
        };
        Self::new(code, detail)
    }

    /// The member at `path` holds no URL that could be fetched or called.
    #[must_use]
    pub fn invalid_url(path: &str) -> Self {
        let message = "must be an https URL of at most 2048 characters";
        Self::of_member(ErrorCode::InvalidUrl, path, message)
    }

    /// The URL of the member at `path` leads, or may lead, to an address that is not public.
    #[must_use]
    pub fn url_blocked(path: &str) -> Self {
        let message = "must be a public https address";
        Self::of_member(ErrorCode::UrlBlocked, path, message)
    }

    /// The member at `path` holds a URL that the guard of outgoing requests refuses.
    #[must_use]
    pub fn url(refusal: UrlRefusal, path: &str) -> Self {
        match refusal {
            UrlRefusal::Invalid => Self::invalid_url(path),
            UrlRefusal::Blocked => Self::url_blocked(path),
        }
    }

    /// A refusal about the member at `path`, whose error has the same code.
    #[must_use]
    pub fn of_member(code: ErrorCode, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::about(code, FieldError::new(path, code.name(), message))
    }

    /// The service is at fault, and the log has the reason.
    #[must_use]
    pub fn internal() -> Self {
        let detail = "the service failed; try again, and name the request id if it stays so";
        Self::new(ErrorCode::InternalError, detail)
    }

    /// Adds a header.
    #[must_use]
    pub fn with(mut self, header: Header, value: impl Into<String>) -> Self {
        self.headers.push((header, value.into()));
        self
    }

    /// The source key at `path` is unknown, another account's, or was never uploaded.
    #[must_use]
    pub fn source_unavailable(path: &str) -> Self {
        Self::about(ErrorCode::SourceUnavailable, unavailable(path))
    }

    /// A refusal about one member.
    #[must_use]
    pub fn about(code: ErrorCode, error: FieldError) -> Self {
        let detail = format!("{} {}", error.path, error.message);
        Self {
            errors: vec![error],
            ..Self::new(code, detail)
        }
    }
}

impl From<PortError> for Refusal {
    fn from(error: PortError) -> Self {
        match error {
            PortError::Contended => Self::new(
                ErrorCode::RateLimited,
                "too many requests at the same time for this account; try again",
            )
            .with(Header::RetryAfter, "1"),
            PortError::Unavailable { service, reason } => {
                tracing::error!(
                    service,
                    reason,
                    "a service that this function needs did not do its part"
                );
                Self::internal()
            }
        }
    }
}

/// The format that the member at `path` names.
///
/// # Errors
/// When the service knows no such format.
pub fn format_at(path: &str, name: &str) -> Result<Format, Refusal> {
    name.parse().map_err(|message: String| {
        Refusal::of_member(ErrorCode::UnsupportedConversion, path, message)
    })
}

impl From<NotSubmitted> for Refusal {
    fn from(refused: NotSubmitted) -> Self {
        match refused {
            NotSubmitted::SourceUnavailable(fault) => {
                Self::about(ErrorCode::SourceUnavailable, fault)
            }
            NotSubmitted::UrlBlocked => Self::url_blocked("$.url"),
            NotSubmitted::UnknownInputFormat(fault) => {
                Self::about(ErrorCode::UnsupportedConversion, fault)
            }
            NotSubmitted::Unplannable(unplannable) => unplannable.into(),
            NotSubmitted::KeyReused => Self::key_reused(),
            NotSubmitted::Spent(spent) => spent.into(),
            NotSubmitted::Port(error) => error.into(),
        }
    }
}

impl Refusal {
    /// An idempotency key that was used for another request.
    #[must_use]
    pub fn key_reused() -> Self {
        let detail =
            "this Idempotency-Key was used for another request; use a new one for each new request";
        Self::new(ErrorCode::IdempotencyKeyReused, detail)
    }
}

impl From<Unplannable> for Refusal {
    fn from(unplannable: Unplannable) -> Self {
        match unplannable {
            Unplannable::Conversion(fault) => Self::about(ErrorCode::UnsupportedConversion, fault),
            Unplannable::Step(fault) => Self::about(ErrorCode::InvalidStep, fault),
            Unplannable::OutputTooLarge(fault) => Self::about(ErrorCode::OutputTooLarge, fault),
        }
    }
}

impl From<domain::operation::InvalidOperation> for Refusal {
    fn from(invalid: domain::operation::InvalidOperation) -> Self {
        match invalid {
            domain::operation::InvalidOperation::Unknown(fault) => {
                Self::about(ErrorCode::UnsupportedOperation, fault)
            }
            domain::operation::InvalidOperation::Language(fault) => {
                Self::about(ErrorCode::UnsupportedLanguage, fault)
            }
            domain::operation::InvalidOperation::Source(fault) => {
                Self::about(ErrorCode::SourceUnavailable, fault)
            }
            domain::operation::InvalidOperation::Options(faults) => Self {
                code: ErrorCode::InvalidStep,
                ..Self::malformed(422, faults)
            },
        }
    }
}

impl From<Spent> for Refusal {
    fn from(spent: Spent) -> Self {
        let (code, what) = match spent.unit {
            Unit::Requests => (ErrorCode::QuotaExceeded, "requests"),
            Unit::Credits => (ErrorCode::CreditsExhausted, "credits"),
        };
        let seconds = spent.resets_at.since(clock::now()).as_secs() + 1;
        let detail = format!("the plan's {what} are used up until {}", spent.resets_at);
        Self {
            resets_at: Some(spent.resets_at),
            ..Self::new(code, detail)
        }
        .with(Header::RetryAfter, seconds.to_string())
    }
}
