//! What a form answers with the job that it made.

use std::time::Duration;

use bytes::Bytes;
use contract::code::ErrorCode;
use contract::compat::{ANSWER_BYTES, RecognisedText};
use contract::job::{JobCreated, status_url};
use contract::route::Header;
use domain::job::{Job, JobErrorCode, JobStatus, Output};
use domain::ports::{Objects, PortError};
use domain::source::result_object;
use domain::timestamp::Timestamp;
use runtime::api::Answer;
use runtime::refusal::Refusal;
use tokio::time::timeout;

/// How long reading a result may take; what takes longer is handed out by its URL.
const READ_WITHIN: Duration = Duration::from_secs(3);

/// What the result is handed out as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The file itself.
    File,
    /// Its text within JSON.
    Text {
        /// The languages, as the request named them.
        language: String,
    },
}

/// The job itself: nobody waits for its result, or not any longer.
pub(crate) fn job(status: u16, job: &Job, replayed: bool) -> Answer {
    let answer = Answer::json(status, &JobCreated::of(job, !replayed))
        .with(Header::Location, status_url(&job.id));
    match status {
        202 => answer.with_retry_after(),
        _ => answer,
    }
}

/// What became of a job that has ended.
pub(crate) async fn ended<P: Objects>(
    ports: &P,
    job: &Job,
    shape: &Shape,
    now: Timestamp,
) -> Result<Answer, Refusal> {
    match (job.status, &job.output) {
        (JobStatus::Completed, Some(output)) if output.expires_at > now => {
            result(ports, job, output, shape).await
        }
        (JobStatus::Completed, _) => {
            let detail =
                "the result of the earlier request is no longer kept; use a new Idempotency-Key";
            Err(Refusal::new(ErrorCode::ResultExpired, detail))
        }
        _ => Err(failure(job)),
    }
}

/// Small results stand in the answer, large ones where it leads to.
pub(crate) async fn result<P: Objects>(
    ports: &P,
    job: &Job,
    output: &Output,
    shape: &Shape,
) -> Result<Answer, Refusal> {
    let object = result_object(&job.account_id, &job.id, job.attempt, &output.object);
    if output.size_bytes <= ANSWER_BYTES
        && let Some(bytes) = read(ports, &object).await?
        && let Some(answer) = carried(output, shape, bytes)?
    {
        return Ok(answer);
    }
    let url = ports
        .download_url(&object, &output.content_type, &output.filename)
        .await?;
    Ok(Answer::empty(303).with(Header::Location, url))
}

async fn read<P: Objects>(ports: &P, object: &str) -> Result<Option<Vec<u8>>, PortError> {
    let read = ports.content(object, ANSWER_BYTES);
    timeout(READ_WITHIN, read).await.unwrap_or(Ok(None))
}

/// The result in an answer, unless it is too much for one.
fn carried(output: &Output, shape: &Shape, bytes: Vec<u8>) -> Result<Option<Answer>, Refusal> {
    let Shape::Text { language } = shape else {
        let bytes = Bytes::from(bytes);
        let (content_type, filename) = (&output.content_type, &output.filename);
        return Ok(Some(Answer::file(200, content_type, filename, bytes)));
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        tracing::error!(object = output.object, "a recognised text is not UTF-8");
        Refusal::internal()
    })?;
    let body = RecognisedText {
        text,
        pages: output.pages,
        language: language.clone(),
    };
    let answer = Answer::json(200, &body);
    Ok((answer.size() as u64 <= ANSWER_BYTES).then_some(answer))
}

/// The job's own error. What is the service's fault is told as such.
fn failure(job: &Job) -> Refusal {
    let error = job.error.as_ref().filter(|error| {
        job.status == JobStatus::Failed && error.code != JobErrorCode::InternalError
    });
    match error {
        Some(error) => Refusal {
            status: Some(422),
            ..Refusal::new(error.code.into(), &error.message)
        },
        None => Refusal::new(
            ErrorCode::InternalError,
            "the service failed to do this job; nothing is charged for it",
        ),
    }
}
