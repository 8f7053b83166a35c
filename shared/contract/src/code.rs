//! The table of error codes. Codes are never renamed.

use domain::job::JobErrorCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

macro_rules! codes {
    ($($variant:ident = $name:literal, $status:literal, $retryable:literal, $title:literal;)*) => {
        /// Why a request failed: a stable, machine-readable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, IntoStaticStr, VariantArray)]
        pub enum ErrorCode {
            $(#[doc = $title] #[serde(rename = $name)] #[strum(serialize = $name)] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = Self::VARIANTS;

            /// Returns the code as text.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.into()
            }

            /// Returns the HTTP status; [`crate::route::Route::status_of`] has the exceptions of routes.
            #[must_use]
            pub fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }

            /// Whether the same request may succeed later.
            #[must_use]
            pub fn is_retryable(self) -> bool {
                match self { $(Self::$variant => $retryable,)* }
            }

            /// Returns the title, the same for every error with this code.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

codes! {
    InvalidRequest = "invalid_request", 400, false, "The request is malformed";
    InvalidCursor = "invalid_cursor", 400, false, "The cursor does not belong to this list";
    IdempotencyKeyRequired = "idempotency_key_required", 400, false, "An Idempotency-Key header is required";
    IdempotencyKeyInvalid = "idempotency_key_invalid", 400, false, "The Idempotency-Key header is malformed";
    InvalidUrl = "invalid_url", 400, false, "The URL is malformed or its scheme is not supported";
    AuthenticationRequired = "authentication_required", 401, false, "Authentication is required";
    InvalidApiKey = "invalid_api_key", 401, false, "The API key is not valid";
    CreditsExhausted = "credits_exhausted", 402, true, "The credits of the plan are used up";
    QuotaExceeded = "quota_exceeded", 402, true, "The requests of the plan are used up";
    InsufficientScope = "insufficient_scope", 403, false, "The credential lacks a required scope";
    AccountTokenRequired = "account_token_required", 403, false, "An account token is required";
    SourceForbidden = "source_forbidden", 403, false, "The source does not belong to the account";
    OriginForbidden = "origin_forbidden", 403, false, "Only this service's own page may call this route";
    PlanRequired = "plan_required", 403, false, "The plan does not include this feature";
    JobNotFound = "job_not_found", 404, false, "The job does not exist";
    DocumentNotFound = "document_not_found", 404, false, "The document does not exist";
    PageNotFound = "page_not_found", 404, false, "The document does not have this page";
    VersionNotFound = "version_not_found", 404, false, "The document does not have this version";
    KeyNotFound = "key_not_found", 404, false, "The API key does not exist";
    WebhookNotFound = "webhook_not_found", 404, false, "The webhook does not exist";
    DeliveryNotFound = "delivery_not_found", 404, false, "The delivery does not exist";
    RouteNotFound = "route_not_found", 404, false, "The route does not exist";
    MethodNotAllowed = "method_not_allowed", 405, false, "The route does not support this method";
    JobNotCompleted = "job_not_completed", 409, true, "The job has no result";
    JobNotCancellable = "job_not_cancellable", 409, false, "The job can no longer be cancelled";
    WebhookDisabled = "webhook_disabled", 409, false, "The webhook is disabled";
    NoCurrentVersion = "no_current_version", 409, false, "The document has no content";
    PageSourceUnavailable = "page_source_unavailable", 409, false, "The page has no content";
    ResultExpired = "result_expired", 410, false, "The result has expired";
    PayloadTooLarge = "payload_too_large", 413, false, "The payload is too large";
    UnsupportedMediaType = "unsupported_media_type", 415, false, "The media type is not supported";
    UnsupportedConversion = "unsupported_conversion", 422, false, "The conversion is not supported";
    UnsupportedOperation = "unsupported_operation", 422, false, "The operation is not supported";
    InvalidStep = "invalid_step", 422, false, "A processing step is invalid";
    UnsupportedLanguage = "unsupported_language", 422, false, "The language is not installed";
    IdempotencyKeyReused = "idempotency_key_reused", 422, false, "The Idempotency-Key was used with a different request";
    UrlBlocked = "url_blocked", 422, false, "The URL is not allowed";
    SourceUnavailable = "source_unavailable", 422, false, "The source is not available";
    OutputTooLarge = "output_too_large", 422, false, "The output would exceed the limits of the plan";
    InputCorrupt = "input_corrupt", 422, false, "The document is damaged";
    InputEmpty = "input_empty", 422, false, "The document is empty";
    ContentMismatch = "content_mismatch", 422, false, "The content does not match the declared format";
    InputTooLarge = "input_too_large", 422, false, "The document is too large";
    TooManyPages = "too_many_pages", 422, false, "The document has too many pages";
    PasswordRequired = "password_required", 422, false, "The document requires a password";
    PasswordIncorrect = "password_incorrect", 422, false, "The password does not open the document";
    PermissionDenied = "permission_denied", 422, false, "The permissions of the document do not allow the operation";
    InvalidPageRange = "page_range_invalid", 422, false, "The document does not have the requested pages";
    FieldsInvalid = "fields_invalid", 422, false, "The form does not accept the given fields or values";
    SourceMissing = "source_missing", 422, false, "The source no longer exists";
    FetchFailed = "fetch_failed", 422, true, "The source could not be fetched";
    FetchBlocked = "fetch_blocked", 422, false, "The URL of the source is not allowed";
    EngineTimeout = "engine_timeout", 422, false, "Processing exceeded the time limit";
    EngineCrashed = "engine_crashed", 422, false, "Processing failed on this document";
    EngineOutOfMemory = "engine_out_of_memory", 422, false, "Processing exceeded the memory limit";
    OutputInvalid = "output_invalid", 422, false, "The result did not pass verification";
    OutputIncomplete = "output_incomplete", 422, false, "The result misses content of the source";
    Cancelled = "cancelled", 422, false, "The job was cancelled";
    RateLimited = "rate_limited", 429, true, "Too many requests";
    InternalError = "internal_error", 500, true, "The service failed";
    RenderFailed = "render_failed", 502, true, "The page could not be rendered";
    ProcessorUnavailable = "processor_unavailable", 503, true, "The service is not available";
}

impl From<JobErrorCode> for ErrorCode {
    /// Maps the error of a failed job to the error of a request that waited for its result.
    fn from(code: JobErrorCode) -> Self {
        match code {
            JobErrorCode::InputCorrupt => Self::InputCorrupt,
            JobErrorCode::InputEmpty => Self::InputEmpty,
            JobErrorCode::ContentMismatch => Self::ContentMismatch,
            JobErrorCode::InputTooLarge => Self::InputTooLarge,
            JobErrorCode::TooManyPages => Self::TooManyPages,
            JobErrorCode::PasswordRequired => Self::PasswordRequired,
            JobErrorCode::PasswordIncorrect => Self::PasswordIncorrect,
            JobErrorCode::PermissionDenied => Self::PermissionDenied,
            JobErrorCode::PageRangeInvalid => Self::InvalidPageRange,
            JobErrorCode::FieldsInvalid => Self::FieldsInvalid,
            JobErrorCode::SourceMissing => Self::SourceMissing,
            JobErrorCode::FetchFailed => Self::FetchFailed,
            JobErrorCode::FetchBlocked => Self::FetchBlocked,
            JobErrorCode::EngineTimeout => Self::EngineTimeout,
            JobErrorCode::EngineCrashed => Self::EngineCrashed,
            JobErrorCode::EngineOutOfMemory => Self::EngineOutOfMemory,
            JobErrorCode::OutputInvalid => Self::OutputInvalid,
            JobErrorCode::OutputIncomplete => Self::OutputIncomplete,
            JobErrorCode::OutputTooLarge => Self::OutputTooLarge,
            JobErrorCode::Cancelled => Self::Cancelled,
            JobErrorCode::InternalError => Self::InternalError,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_snake_case_and_agree_with_their_json() {
        let mut names: Vec<_> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
            assert!(
                code.name()
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            );
            assert!((400..600).contains(&code.status()));
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ErrorCode::ALL.len());
    }
}
