//! What an AWS error means: said no for sure, busy, or nobody knows whether it was done.

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use domain::ports::PortError;

/// Codes with which a table says that others write the same rows, or too much at once.
const BUSY: [&str; 6] = [
    "TransactionConflictException",
    "TransactionInProgressException",
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "LimitExceededException",
];

/// What is known after a call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Others write the same rows: try again soon. Nothing was written.
    Busy,
    /// No answer, or one that does not tell: it may have been done.
    Unknown(PortError),
    /// The service refused; nothing was done.
    Refused(PortError),
}

impl Failure {
    /// The error without its certainty.
    pub(crate) fn into_error(self) -> PortError {
        match self {
            Self::Busy => PortError::Contended,
            Self::Unknown(error) | Self::Refused(error) => error,
        }
    }
}

/// Judges a failed call to `service`.
pub(crate) fn judge<E>(service: &'static str, error: &SdkError<E, HttpResponse>) -> Failure
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
                _ => Failure::Refused(failed),
            }
        }
        SdkError::ConstructionFailure(_) => Failure::Refused(failed),
        _ => Failure::Unknown(failed),
    }
}

/// The port's error for a failed call: the service's code and message, or what went wrong on the way there.
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
        SdkError::TimeoutError(_) => "no answer in time".to_owned(),
        SdkError::DispatchFailure(failure) if failure.is_timeout() => {
            "no answer in time".to_owned()
        }
        SdkError::DispatchFailure(failure) if failure.is_io() => "cannot be reached".to_owned(),
        SdkError::ConstructionFailure(_) => "the request could not be built".to_owned(),
        other => root_cause(other),
    };
    unavailable(service, reason)
}

/// An error of a service that cannot be used.
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
