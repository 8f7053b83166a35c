//! How an invocation ends: the response, and whether the next document needs a fresh process.

use domain::job::{JobError, JobErrorCode};
use engine::EngineError;
use invocation::{Interruption, Response};
use runtime::invocation::{Next, Reply};

/// An invocation without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    response: Response,
    next: Next,
}

impl Failure {
    /// The response.
    pub(crate) fn response(&self) -> &Response {
        &self.response
    }

    /// A failure of this process; the next document needs a fresh one.
    pub(crate) fn service(reason: impl Into<String>) -> Self {
        EngineError::Service(reason.into()).into()
    }

    /// The same failure, after which a fresh process removes what is left on disk.
    pub(crate) fn ending_the_process(self) -> Self {
        Self {
            next: Next::End,
            ..self
        }
    }

    /// The result is larger than its upload may be.
    pub(crate) fn output_too_large() -> Self {
        let message = "The result exceeds the size limit.";
        Self {
            response: Response::Rejected(JobError::new(JobErrorCode::OutputTooLarge, message)),
            next: Next::Serve,
        }
    }
}

impl From<Interruption> for Failure {
    fn from(interruption: Interruption) -> Self {
        Self {
            response: Response::Interrupted(interruption),
            next: Next::Serve,
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let next = match error.is_abnormal() {
            true => Next::End,
            false => Next::Serve,
        };
        let response = match error {
            EngineError::Document(error) => Response::Rejected(error),
            EngineError::TooLong(ranges) => Response::TooLong(ranges),
            EngineError::Service(reason) => {
                tracing::error!(%reason, "the engine failed");
                Response::Interrupted(Interruption::Service(reason))
            }
            EngineError::Stopped => Response::Interrupted(Interruption::TimedOut),
        };
        Self { response, next }
    }
}

/// The reply of a process whose engines cannot be started. The next one tries again.
pub(crate) fn cannot_serve() -> Reply<Response> {
    Reply {
        response: Response::Interrupted(Interruption::Unsupported),
        next: Next::End,
    }
}

/// The reply to an invocation, with texts that fit a response.
pub(crate) fn reply(outcome: Result<Response, Failure>) -> Reply<Response> {
    let (response, next) = match outcome {
        Ok(response) => (response, Next::Serve),
        Err(Failure { response, next }) => (response, next),
    };
    Reply {
        response: response.within_limits(),
        next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_ends_after_crashes_limits_stops_and_internal_failures_only() {
        let rejected = |code| EngineError::Document(JobError::new(code, "m"));
        for (error, next) in [
            (rejected(JobErrorCode::InputCorrupt), Next::Serve),
            (rejected(JobErrorCode::FetchBlocked), Next::Serve),
            (rejected(JobErrorCode::EngineCrashed), Next::End),
            (rejected(JobErrorCode::EngineTimeout), Next::End),
            (rejected(JobErrorCode::EngineOutOfMemory), Next::End),
            (rejected(JobErrorCode::OutputTooLarge), Next::End),
            (EngineError::Service("s".to_owned()), Next::End),
            (EngineError::Stopped, Next::End),
        ] {
            let reply = reply(Err(error.clone().into()));
            assert_eq!(reply.next, next, "{error:?}");
        }
        let lost = Failure::from(Interruption::Upload);
        assert_eq!(reply(Err(lost)).next, Next::Serve);
    }
}
