//! Responses with a job, its result or its error.

use std::time::Duration;

use bytes::Bytes;
use contract::code::ErrorCode;
use contract::compat::{MAX_INLINE_RESULT_BYTES, RecognizedText};
use contract::job::{JobCreated, status_url};
use contract::route::Header;
use domain::job::{Job, JobErrorCode, JobStatus, JobWarning, Output};
use domain::operation::Languages;
use domain::ports::{Objects, PortError};
use domain::source::result_object;
use domain::timestamp::Timestamp;
use runtime::api::Response;
use runtime::error::ApiError;
use tokio::time::timeout;

/// Timeout for reading a result from S3. After it the response redirects to the result's URL.
const READ_TIMEOUT: Duration = Duration::from_secs(3);

/// How the result is returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResultBody {
    /// The file itself.
    File,
    /// The recognized text in a JSON object.
    Text {
        /// The OCR languages as in the request; otherwise those that the job detected are returned.
        language: Option<String>,
    },
}

/// Creates the response with the job, for clients that do not wait or whose wait timed out.
pub(crate) fn job(status: u16, job: &Job, replayed: bool) -> Response {
    let response = Response::json(status, &JobCreated::of(job, !replayed))
        .with_header(Header::Location, status_url(&job.id));
    match status {
        202 => response.with_retry_after(),
        _ => response,
    }
}

/// Creates the response for a finished job: result or error.
pub(crate) async fn finished<P: Objects>(
    ports: &P,
    job: &Job,
    result_body: &ResultBody,
    now: Timestamp,
) -> Result<Response, ApiError> {
    match (job.status, &job.output) {
        (JobStatus::Completed, Some(output)) if output.expires_at > now => {
            result(ports, job, output, result_body).await
        }
        (JobStatus::Completed, _) => {
            let detail = "The result of the earlier request with this Idempotency-Key has expired. Use a new key.";
            Err(ApiError::new(ErrorCode::ResultExpired, detail))
        }
        _ => Err(failure(job)),
    }
}

/// Creates the response with a small result, or a 303 redirect to a large one.
pub(crate) async fn result<P: Objects>(
    ports: &P,
    job: &Job,
    output: &Output,
    result_body: &ResultBody,
) -> Result<Response, ApiError> {
    let object = result_object(&job.account_id, &job.id, job.attempt, &output.object);
    if output.size_bytes <= MAX_INLINE_RESULT_BYTES
        && let Some(bytes) = read(ports, &object).await?
        && let Some(response) = inline(job, output, result_body, bytes)?
    {
        return Ok(response);
    }
    let url = ports
        .download_url(&object, &output.content_type, &output.filename)
        .await?;
    Ok(Response::empty(303).with_header(Header::Location, url))
}

async fn read<P: Objects>(ports: &P, object: &str) -> Result<Option<Vec<u8>>, PortError> {
    let read = ports.content(object, MAX_INLINE_RESULT_BYTES);
    timeout(READ_TIMEOUT, read).await.unwrap_or(Ok(None))
}

/// Creates the response with the result in its body; `None` if it exceeds the size limit.
fn inline(
    job: &Job,
    output: &Output,
    result_body: &ResultBody,
    bytes: Vec<u8>,
) -> Result<Option<Response>, ApiError> {
    let ResultBody::Text { language } = result_body else {
        let bytes = Bytes::from(bytes);
        let (content_type, filename) = (&output.content_type, &output.filename);
        return Ok(Some(Response::file(200, content_type, filename, bytes)));
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        tracing::error!(object = output.object, "recognized text is not UTF-8");
        ApiError::internal()
    })?;
    let body = RecognizedText {
        text,
        pages: output.pages,
        language: language.clone().unwrap_or_else(|| detected(&job.warnings)),
    };
    let response = Response::json(200, &body);
    Ok((response.size() as u64 <= MAX_INLINE_RESULT_BYTES).then_some(response))
}

/// Returns the languages that OCR used, joined by `+`: English if it recognized nothing.
fn detected(warnings: &[JobWarning]) -> String {
    let recognized = warnings
        .iter()
        .find_map(|warning| warning.data.get("languages")?.as_array());
    let codes: Vec<&str> = recognized
        .into_iter()
        .flatten()
        .filter_map(|code| code.as_str())
        .collect();
    Languages::try_from(codes.join("+"))
        .unwrap_or_default()
        .into()
}

/// Maps the job's error to an API error; internal errors become 500.
fn failure(job: &Job) -> ApiError {
    let error = job.error.as_ref().filter(|error| {
        job.status == JobStatus::Failed && error.code != JobErrorCode::InternalError
    });
    match error {
        Some(error) => ApiError {
            status: Some(422),
            ..ApiError::new(error.code.into(), &error.message)
        },
        None => ApiError::new(
            ErrorCode::InternalError,
            "The job failed because of an internal error. It is not charged. Try again with a new Idempotency-Key.",
        ),
    }
}
