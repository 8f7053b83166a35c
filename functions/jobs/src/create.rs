//! `POST /jobs`.

use std::sync::Arc;

use contract::job::{CreateJob, JobCreated};
use domain::idempotency::job_request_hash;
use domain::operation::Operation;
use domain::source::{SourceUrl, unavailable};
use domain::submit::{RequestedSource, Submission, SubmissionTerms, SubmitError, submit};
use domain::work_plan::Work;
use fetch::Policy;
use runtime::api::{Request, Response};
use runtime::error::{ApiError, format_at, input_format};
use serde_json::Value;

use crate::{Ports, State};

pub(crate) async fn create_job<P: Ports>(
    jobs: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let submission = submission(&jobs.guard.with_own_hosts(request.own_hosts()), &request)?;
    let random = runtime::clock::random();
    let ports = jobs.ports.as_ref();
    let submitted = submit(ports, submission, jobs.retention, request.now, random).await?;
    Ok(Response::submitted(&submitted, JobCreated::of))
}

fn submission(guard: &Policy, request: &Request) -> Result<Submission, ApiError> {
    let idempotency_key = request.required_idempotency_key()?;
    let body = request.json()?;
    let input = CreateJob::read(&body).map_err(|errors| request.malformed(errors))?;
    let strict = request.is_strict()?;
    Ok(Submission {
        caller: request.caller()?.clone(),
        route: "POST /jobs",
        idempotency_key: Some(idempotency_key),
        body_hash: job_request_hash(&body, strict),
        work: Work {
            target: Some(format_at("$.format", &input.format)?),
            ..Work::steps(
                Operation::read_all(&input.operations.unwrap_or_default(), "operations")?,
                "operations",
            )
        },
        input_format: input
            .input_format
            .map(|name| input_format(&name))
            .transpose()?
            .into(),
        source: source(guard, input.source_key, input.url)?,
        attachments: Vec::new(),
        document: None,
        terms: SubmissionTerms::Plan,
        strict,
        metadata: input.metadata.map(Value::Object),
        filename: input.filename,
        traceparent: Some(request.traceparent.clone()),
    })
}

/// Returns the requested source. [`CreateJob::read`] guarantees that exactly one of `key` and `url` is present.
fn source(
    guard: &Policy,
    key: Option<String>,
    url: Option<SourceUrl>,
) -> Result<RequestedSource, SubmitError> {
    if let Some(url) = url {
        let admitted = guard.admit(url.reveal());
        admitted.map_err(|_| SubmitError::UrlBlocked)?;
        // The URL as the client sent it: its normalized form may exceed the guard's length limit.
        return Ok(RequestedSource::Remote(url));
    }
    let key = key.unwrap_or_default().parse();
    key.map(RequestedSource::Upload)
        .map_err(|_| SubmitError::SourceUnavailable(unavailable("$.sourceKey")))
}
