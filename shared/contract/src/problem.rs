//! Error responses: `application/problem+json` [RFC 9457].

use domain::field::FieldError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code::ErrorCode;

/// Media type of [`Problem`].
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A problem details object (RFC 9457): the body of every error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Type of the problem: `urn:octavo:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// Title of the code, the same for every error with it.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// What happened and what to do.
    pub detail: String,
    /// Path of the request.
    pub instance: String,
    /// Stable, machine-readable code.
    pub code: ErrorCode,
    /// Identifier of the request in the logs of the service. Include it when you report a problem.
    pub request_id: String,
    /// Whether the same request may succeed later.
    pub retryable: bool,
    /// Time at which the quota resets, in Unix milliseconds; only with status 402.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets_at: Option<i64>,
    /// Errors of individual members of the request; may be empty.
    pub errors: Vec<FieldError>,
    /// Code and message in the form of a job's `error`.
    pub error: ProblemError,
}

/// Code and message in the form of a job's `error`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemError {
    /// Stable, machine-readable code.
    pub code: ErrorCode,
    /// Same text as `detail`.
    pub message: String,
}

impl Problem {
    /// Creates the problem of a code. `status` is the status of the code, unless the route has an exception.
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
