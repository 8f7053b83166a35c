//! Authenticated requests: submits a job, optionally waits for its result, and maps errors to the request's members.

use std::time::Duration;

use contract::code::ErrorCode;
use contract::route::Header;
use domain::field::FieldError;
use domain::filename::Filename;
use domain::idempotency::job_request_hash;
use domain::job::Job;
use domain::submit::{
    InputFormat, RequestedSource, Submission, SubmissionTerms, SubmitError, Submitted, submit,
};
use domain::work_plan::{Work, WorkPlanError};
use runtime::api::{Request, Response};
use runtime::error::ApiError;
use serde_json::Value;

use crate::poll::{deadline, until_finished};
use crate::response::{self, ResultBody};
use crate::{Compat, Ports};

/// How long a request waits for the result. The rest of the function's 29 seconds is for the response.
const MAX_WAIT: Duration = Duration::from_secs(25);

/// The member of `POST /jobs` that contains the operation.
const STEPS: &str = "operations";

/// The member of `POST /jobs` that contains the source.
const SOURCE: &str = "$.sourceKey";

/// A validated request.
pub(crate) struct JobRequest {
    /// The filename of the source.
    pub(crate) filename: Filename,
    /// The declared format of the source.
    pub(crate) input_format: InputFormat,
    /// The source.
    pub(crate) source: RequestedSource,
    /// Files to merge after the source.
    pub(crate) attachments: Vec<RequestedSource>,
    /// The conversion or operation.
    pub(crate) work: Work,
    /// How the result is returned; `None` if the request does not wait for it.
    pub(crate) result_body: Option<ResultBody>,
    /// The request's member with the source.
    pub(crate) source_member: &'static str,
    /// The request's member with the operation's name, if it has one.
    pub(crate) operation_member: Option<&'static str>,
}

/// Creates the work plan of a single operation.
pub(crate) fn single_operation(operation: domain::operation::Operation) -> Work {
    Work::steps(vec![operation], STEPS)
}

/// Submits the job, waits for it if requested, and creates the response. Idempotency keys are unique per `route`.
pub(crate) async fn serve<P: Ports>(
    compat: &Compat<P>,
    request: &Request,
    route: &'static str,
    body: &Value,
    job_request: JobRequest,
) -> Result<Response, ApiError> {
    let paths = FieldPaths::new(&job_request);
    let result_body = job_request.result_body.clone();
    let submission = submission(request, route, body, job_request)?;
    let (ports, random) = (compat.ports.as_ref(), runtime::clock::random());
    let submitted = submit(
        ports,
        submission,
        compat.settings.retention,
        request.now,
        random,
    );
    let (job, replayed) = match submitted.await.map_err(|error| paths.error(error))? {
        Submitted::New(job) => (job, false),
        Submitted::Replayed(job) => (job, true),
    };
    let response = job_response(compat, request, *job, replayed, result_body).await;
    Ok(match (response, replayed) {
        (response, false) => response?,
        (Ok(response), true) => response.with_header(Header::IdempotencyReplayed, "true"),
        (Err(error), true) => return Err(error.with_header(Header::IdempotencyReplayed, "true")),
    })
}

async fn job_response<P: Ports>(
    compat: &Compat<P>,
    request: &Request,
    job: Job,
    replayed: bool,
    result_body: Option<ResultBody>,
) -> Result<Response, ApiError> {
    let responds_async = prefers_no_wait(request);
    let Some(result_body) = result_body.filter(|_| !responds_async) else {
        let response = response::job(if replayed { 200 } else { 202 }, &job, replayed);
        return Ok(match responds_async {
            true => response.with_header(Header::PreferenceApplied, "respond-async"),
            false => response,
        });
    };
    let ports = compat.ports.as_ref();
    let job = until_finished(ports, job, deadline(request, MAX_WAIT)).await;
    if job.status.is_terminal() {
        return response::finished(ports, &job, &result_body, request.now).await;
    }
    // Never 200: a client that waits would take the body for the result.
    Ok(response::job(202, &job, replayed))
}

/// Returns whether the request has `Prefer: respond-async` [RFC 7240].
fn prefers_no_wait(request: &Request) -> bool {
    let preferences = request
        .header("prefer")
        .unwrap_or_default()
        .split([',', ';']);
    let mut names = preferences.map(str::trim);
    names.any(|name| name.eq_ignore_ascii_case("respond-async"))
}

fn submission(
    request: &Request,
    route: &'static str,
    body: &Value,
    job_request: JobRequest,
) -> Result<Submission, ApiError> {
    let strict = request.is_strict()?;
    Ok(Submission {
        caller: request.caller()?.clone(),
        route,
        idempotency_key: request.idempotency_key()?,
        body_hash: job_request_hash(body, strict),
        filename: job_request.filename,
        input_format: job_request.input_format,
        work: job_request.work,
        source: job_request.source,
        attachments: job_request.attachments,
        document: None,
        terms: SubmissionTerms::Plan,
        strict,
        metadata: None,
        traceparent: Some(request.traceparent.clone()),
    })
}

/// Translates member paths of `POST /jobs` to those of this request.
struct FieldPaths {
    source: String,
    operation: Option<String>,
}

impl FieldPaths {
    fn new(job_request: &JobRequest) -> Self {
        let path = |member: &str| format!("$.{member}");
        Self {
            source: path(job_request.source_member),
            operation: job_request.operation_member.map(path),
        }
    }

    /// Maps a submission error to the members of this request.
    fn error(&self, error: SubmitError) -> ApiError {
        match error {
            SubmitError::SourceUnavailable(error) => {
                ApiError::source_unavailable(&self.member(&error.path))
            }
            SubmitError::WorkPlanError(WorkPlanError::Step(error)) => self.step(error),
            SubmitError::WorkPlanError(WorkPlanError::OutputTooLarge(error)) => {
                let path = self.member(&error.path);
                WorkPlanError::OutputTooLarge(FieldError { path, ..error }).into()
            }
            other => other.into(),
        }
    }

    /// Maps a step error: `unsupported_operation` for the operation or its sources, `invalid_step` for options.
    fn step(&self, error: FieldError) -> ApiError {
        let path = self.member(&error.path);
        let operation = self.operation.as_ref().unwrap_or(&self.source);
        let (path, unsupported) = match path.as_str() {
            "$.operation" => (operation.clone(), true),
            _ => (path, is_source_path(&error.path)),
        };
        if !unsupported {
            return WorkPlanError::Step(FieldError { path, ..error }).into();
        }
        ApiError::for_field(ErrorCode::UnsupportedOperation, path, error.message)
    }

    /// Maps a path of `POST /jobs` to this request: options of the operation are members of the body, and its source keys
    /// follow the first source in `sourceKeys`.
    fn member(&self, path: &str) -> String {
        if path == SOURCE {
            return self.source.clone();
        }
        let Some(option) = path.strip_prefix(&format!("$.{STEPS}[0]")) else {
            return path.to_owned();
        };
        let index = option.strip_prefix(".sourceKeys[");
        let index = index.and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
        match index {
            Some(index) => format!("$.sourceKeys[{}]", index + 1),
            None => format!("${option}"),
        }
    }
}

/// Returns whether a member of `POST /jobs` contains a source.
fn is_source_path(path: &str) -> bool {
    path == SOURCE || path.contains(".sourceKey")
}
