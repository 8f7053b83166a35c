//! `POST /jobs`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::job::{CreateJob, JobCreated, status_url};
use contract::route::Header;
use domain::field::FieldError;
use domain::format::Format;
use domain::idempotency::body_hash;
use domain::job::Job;
use domain::operation::Operation;
use domain::source::SourceUrl;
use domain::submit::{NotSubmitted, RequestedSource, Submission, Submitted, submit};
use fetch::Policy;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;
use serde_json::Value;

use crate::{Jobs, Ports};

/// Seconds after which a first look at a new job is worth it.
pub(crate) const POLL_AFTER: &str = "1";

pub(crate) async fn create_job<P: Ports>(
    jobs: Arc<Jobs<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let submission = submission(&jobs.guard.with_own(call.header("host")), &call)?;
    let random = runtime::clock::random();
    match submit(
        jobs.ports.as_ref(),
        submission,
        jobs.retention,
        call.now,
        random,
    )
    .await?
    {
        Submitted::New(job) => {
            measure(&job);
            let answer =
                Answer::json(202, &JobCreated::of(&job, true)).with(Header::RetryAfter, POLL_AFTER);
            Ok(answer.with(Header::Location, status_url(&job.id)))
        }
        Submitted::Replayed(job) => {
            let answer = Answer::json(200, &JobCreated::of(&job, false))
                .with(Header::IdempotencyReplayed, "true");
            Ok(answer.with(Header::Location, status_url(&job.id)))
        }
    }
}

fn submission(guard: &Policy, call: &Call) -> Result<Submission, Refusal> {
    let idempotency_key = call.required_idempotency_key()?;
    let body = call.json()?;
    let request = CreateJob::read(&body).map_err(|faults| call.malformed(faults))?;
    Ok(Submission {
        caller: call.caller()?.clone(),
        route: "POST /jobs",
        idempotency_key,
        body_hash: body_hash(&body),
        format: format("format", &request.format)?,
        input_format: request
            .input_format
            .map(|name| format("inputFormat", &name))
            .transpose()?,
        operations: operations(request.operations.unwrap_or_default())?,
        source: source(guard, request.source_key, request.url)?,
        metadata: request.metadata.map(Value::Object),
        filename: request.filename,
        traceparent: Some(call.traceparent.clone()),
    })
}

/// The contract lets exactly one of the two through.
fn source(
    guard: &Policy,
    key: Option<String>,
    url: Option<SourceUrl>,
) -> Result<RequestedSource, NotSubmitted> {
    if let Some(url) = url {
        let admitted = guard.admit(url.reveal());
        admitted.map_err(|_| NotSubmitted::UrlBlocked)?;
        // The client's own text: written out, an address may be longer than the guard admits.
        return Ok(RequestedSource::Remote(url));
    }
    let key = key.unwrap_or_default().parse();
    key.map(RequestedSource::Upload)
        .map_err(|_| NotSubmitted::SourceUnavailable)
}

fn format(member: &str, name: &str) -> Result<Format, Refusal> {
    name.parse().map_err(|message: String| {
        let fault = FieldError::new(format!("$.{member}"), "unsupported_conversion", message);
        Refusal::about(ErrorCode::UnsupportedConversion, fault)
    })
}

fn operations(items: Vec<Value>) -> Result<Vec<Operation>, Refusal> {
    let read = |(index, item)| Operation::read(item, &format!("$.operations[{index}]"));
    items
        .iter()
        .enumerate()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(Refusal::from)
}

fn measure(job: &Job) {
    tracing::info!(
        target: "metrics",
        JobsAccepted = 1_u64,
        Credits = u64::from(job.charge.credits),
        operation = job.operation(),
    );
    tracing::info!(job_id = %job.id, "job accepted");
}
