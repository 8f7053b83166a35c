//! Maps the exit of a child to its report or to an error.

use domain::job::{JobError, JobErrorCode};
use sandbox::{FinishedChild, Outcome};
use serde::de::DeserializeOwned;
use task::Report;

use crate::error::EngineError;

/// Reads the report of an engine child.
///
/// # Errors
/// The error that the child reported, or the error for its exit status if it reported none.
pub(crate) fn report<T: DeserializeOwned>(
    finished: Result<FinishedChild, impl Into<EngineError>>,
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

/// Returns the child if it exited by itself, with any exit code.
///
/// # Errors
/// The error for any other outcome: crash, time-out, exceeded limit, stop.
pub(crate) fn exited(
    finished: Result<FinishedChild, impl Into<EngineError>>,
) -> Result<FinishedChild, EngineError> {
    let finished = finished.map_err(Into::into)?;
    match finished.outcome {
        Outcome::Exited { .. } => Ok(finished),
        Outcome::Crashed { .. } => Err(crashed()),
        Outcome::TimedOut => Err(document(
            JobErrorCode::EngineTimeout,
            "Processing the document exceeded the time limit.",
        )),
        Outcome::OutOfMemory => Err(document(
            JobErrorCode::EngineOutOfMemory,
            "Processing the document exceeded the memory limit.",
        )),
        Outcome::ScratchFull => Err(document(
            JobErrorCode::OutputTooLarge,
            "The result exceeds the size limit.",
        )),
        Outcome::Stopped => Err(EngineError::Stopped),
    }
}

/// The engine exited in a way that it never does on a valid document.
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

    fn report_for(outcome: Outcome, stdout: &str) -> Result<u32, EngineError> {
        report(Ok::<_, EngineError>(FinishedChild {
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
    fn the_report_is_the_last_line_of_stdout_after_exit_0() {
        let well = Outcome::Exited { code: 0 };
        assert_eq!(report_for(well, "noise\n{\"Done\":7}\n"), Ok(7));
        assert_eq!(
            report_for(well, "{\"Service\":\"library\"}"),
            Err(EngineError::Service("library".into()))
        );
        let refused = "{\"Document\":{\"code\":\"input_corrupt\",\"message\":\"m\"}}";
        assert_eq!(code(report_for(well, refused)), JobErrorCode::InputCorrupt);
    }

    #[test]
    fn a_child_without_a_valid_report_counts_as_crashed() {
        for (outcome, stdout) in [
            (Outcome::Exited { code: 101 }, "{\"Done\":7}"),
            (Outcome::Exited { code: 0 }, ""),
            (Outcome::Exited { code: 0 }, "{\"Done\":7}\nnoise"),
            (Outcome::Crashed { signal: 11 }, "{\"Done\":7}"),
        ] {
            assert_eq!(
                code(report_for(outcome, stdout)),
                JobErrorCode::EngineCrashed
            );
        }
    }

    #[test]
    fn each_exceeded_limit_has_its_own_error_code() {
        let cases = [
            (Outcome::TimedOut, JobErrorCode::EngineTimeout),
            (Outcome::OutOfMemory, JobErrorCode::EngineOutOfMemory),
            (Outcome::ScratchFull, JobErrorCode::OutputTooLarge),
        ];
        for (outcome, expected) in cases {
            assert_eq!(code(report_for(outcome, "")), expected);
        }
        assert_eq!(report_for(Outcome::Stopped, ""), Err(EngineError::Stopped));
    }
}
