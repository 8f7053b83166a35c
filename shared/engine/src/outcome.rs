//! From the end of a child to its report or to an error.

use domain::job::{JobError, JobErrorCode};
use sandbox::{Finished, Outcome};
use serde::de::DeserializeOwned;
use task::Report;

use crate::error::EngineError;

/// Reads the report of a child of ours.
///
/// # Errors
/// What the child reported, or what its end means if it reported nothing.
pub(crate) fn report<T: DeserializeOwned>(
    finished: Result<Finished, impl Into<EngineError>>,
) -> Result<T, EngineError> {
    let finished = exited(finished)?;
    let reported = match finished.outcome {
        Outcome::Exited { code: 0 } => last_line(&finished.stdout),
        _ => None,
    };
    match reported.and_then(|line| serde_json::from_str(line).ok()) {
        Some(Report::Done(done)) => Ok(done),
        Some(Report::Document(error)) => Err(EngineError::Document(error)),
        Some(Report::Service(reason)) => Err(EngineError::Service(reason)),
        None => Err(crashed()),
    }
}

/// Passes a child on that ended by itself, with whatever code.
///
/// # Errors
/// What any other end means.
pub(crate) fn exited(
    finished: Result<Finished, impl Into<EngineError>>,
) -> Result<Finished, EngineError> {
    let finished = finished.map_err(Into::into)?;
    match finished.outcome {
        Outcome::Exited { .. } => Ok(finished),
        Outcome::Crashed { .. } => Err(crashed()),
        Outcome::TimedOut => Err(document(
            JobErrorCode::EngineTimeout,
            "Working on the document took too long.",
        )),
        Outcome::OutOfMemory => Err(document(
            JobErrorCode::EngineOutOfMemory,
            "Working on the document needed more memory than is allowed.",
        )),
        Outcome::ScratchFull => Err(document(
            JobErrorCode::OutputTooLarge,
            "The result is larger than is allowed.",
        )),
        Outcome::Stopped => Err(EngineError::Stopped),
    }
}

/// The engine ended in a way that it never does on a sound document.
pub(crate) fn crashed() -> EngineError {
    document(
        JobErrorCode::EngineCrashed,
        "The engine crashed on the document.",
    )
}

fn document(code: JobErrorCode, message: &str) -> EngineError {
    EngineError::Document(JobError::new(code, message))
}

fn last_line(stdout: &[u8]) -> Option<&str> {
    std::str::from_utf8(stdout).ok()?.trim_end().lines().last()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ended(outcome: Outcome, stdout: &str) -> Result<u32, EngineError> {
        report(Ok::<_, EngineError>(Finished {
            outcome,
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
            peak_resident: 0,
            stdout: stdout.as_bytes().to_vec(),
            stdout_truncated: false,
            stderr_tail: String::new(),
        }))
    }

    fn code(result: Result<u32, EngineError>) -> JobErrorCode {
        match result.unwrap_err() {
            EngineError::Document(error) => error.code,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_report_is_the_last_line_of_a_child_that_ended_well() {
        let well = Outcome::Exited { code: 0 };
        assert_eq!(ended(well, "noise\n{\"Done\":7}\n"), Ok(7));
        assert_eq!(
            ended(well, "{\"Service\":\"library\"}"),
            Err(EngineError::Service("library".into()))
        );
        let refused = "{\"Document\":{\"code\":\"input_corrupt\",\"message\":\"m\"}}";
        assert_eq!(code(ended(well, refused)), JobErrorCode::InputCorrupt);
    }

    #[test]
    fn a_child_without_a_report_has_crashed_whatever_it_wrote() {
        for (outcome, stdout) in [
            (Outcome::Exited { code: 101 }, "{\"Done\":7}"),
            (Outcome::Exited { code: 0 }, ""),
            (Outcome::Exited { code: 0 }, "{\"Done\":7}\nnoise"),
            (Outcome::Crashed { signal: 11 }, "{\"Done\":7}"),
        ] {
            assert_eq!(code(ended(outcome, stdout)), JobErrorCode::EngineCrashed);
        }
    }

    #[test]
    fn every_reached_limit_has_its_own_code() {
        let cases = [
            (Outcome::TimedOut, JobErrorCode::EngineTimeout),
            (Outcome::OutOfMemory, JobErrorCode::EngineOutOfMemory),
            (Outcome::ScratchFull, JobErrorCode::OutputTooLarge),
        ];
        for (outcome, expected) in cases {
            assert_eq!(code(ended(outcome, "")), expected);
        }
        assert_eq!(ended(Outcome::Stopped, ""), Err(EngineError::Stopped));
    }
}
