//! Classifies AWS errors: rejected, busy (retryable), or unknown whether the request was executed.

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use domain::ports::PortError;

/// DynamoDB error codes of write conflicts and throttling.
const BUSY: [&str; 6] = [
    "TransactionConflictException",
    "TransactionInProgressException",
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "LimitExceededException",
];

/// Class of a failed call.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Write conflict or throttling: nothing was written; retry.
    Busy,
    /// No response, or a server error: the request may have been executed.
    Unknown(PortError),
    /// The service rejected the request; nothing was written.
    Rejected(PortError),
}

impl Failure {
    /// Converts to the port's error.
    pub(crate) fn into_error(self) -> PortError {
        match self {
            Self::Busy => PortError::Contended,
            Self::Unknown(error) | Self::Rejected(error) => error,
        }
    }
}

/// Classifies a failed call to `service`.
pub(crate) fn classify<E>(service: &'static str, error: &SdkError<E, HttpResponse>) -> Failure
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let failed = failed(service, error);
    match error {
        SdkError::ServiceError(context) => {
            let busy = context
                .err()
                .code()
                .is_some_and(|code| BUSY.contains(&code));
            match context.raw().status().as_u16() {
                _ if busy => Failure::Busy,
                500.. => Failure::Unknown(failed),
                _ => Failure::Rejected(failed),
            }
        }
        SdkError::ConstructionFailure(_) => Failure::Rejected(failed),
        _ => Failure::Unknown(failed),
    }
}

/// The port's error for a failed call: status, code and message of the service, or the transport error.
pub(crate) fn failed<E>(service: &'static str, error: &SdkError<E, HttpResponse>) -> PortError
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let reason = match error {
        SdkError::ServiceError(context) => {
            let code = context.err().code().unwrap_or("no code");
            let message = context.err().message().unwrap_or("no message");
            format!("{} {code}: {message}", context.raw().status().as_u16())
        }
        SdkError::TimeoutError(_) => "timed out".to_owned(),
        SdkError::DispatchFailure(failure) if failure.is_timeout() => "timed out".to_owned(),
        SdkError::DispatchFailure(failure) if failure.is_io() => "cannot be reached".to_owned(),
        SdkError::ConstructionFailure(_) => "the request could not be built".to_owned(),
        other => root_cause(other),
    };
    unavailable(service, reason)
}

/// Builds [`PortError::Unavailable`].
pub(crate) fn unavailable(service: &'static str, reason: impl Into<String>) -> PortError {
    PortError::Unavailable {
        service,
        reason: reason.into(),
    }
}

fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
