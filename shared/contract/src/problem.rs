//! The body of every refusal: `application/problem+json` [RFC 9457].

use domain::field::FieldError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code::ErrorCode;

/// The media type of [`Problem`].
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A refusal, in one shape for all routes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Names the kind of problem: `urn:octavo:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the code means; the same for every refusal with it.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened here and what to do about it.
    pub detail: String,
    /// The path that was asked for.
    pub instance: String,
    /// A code of the closed list.
    pub code: ErrorCode,
    /// Names this answer in the service's logs.
    pub request_id: String,
    /// Whether the very same request may succeed later.
    pub retryable: bool,
    /// When the plan's counter starts anew, in Unix milliseconds; with 402 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets_at: Option<i64>,
    /// The members at fault; empty when it is not about one.
    pub errors: Vec<FieldError>,
    /// The same object that a failed job carries.
    pub error: ProblemError,
}

/// Code and message in the shape of a job's error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemError {
    /// A code of the closed list.
    pub code: ErrorCode,
    /// The same text as `detail`.
    pub message: String,
}

impl Problem {
    /// The problem with this code; `status` is the code's own unless the route says otherwise.
    #[must_use]
    pub fn new(
        code: ErrorCode,
        status: u16,
        detail: String,
        instance: String,
        request_id: String,
    ) -> Self {
        Self {
            kind: format!("urn:octavo:problem:{}", code.name()),
            title: code.title().to_owned(),
            status,
            instance,
            code,
            request_id,
            retryable: code.is_retryable(),
            resets_at: None,
            errors: Vec::new(),
            error: ProblemError {
                code,
                message: detail.clone(),
            },
            detail,
        }
    }
}
