//! `POST /jobs`.

use std::sync::Arc;

use contract::job::{CreateJob, JobCreated};
use domain::idempotency::body_hash;
use domain::operation::Operation;
use domain::source::{SourceUrl, unavailable};
use domain::submit::{NotSubmitted, RequestedSource, Submission, Terms, submit};
use domain::work_plan::Work;
use fetch::Policy;
use runtime::api::{Answer, Call};
use runtime::refusal::{Refusal, format_at};
use serde_json::Value;

use crate::{Ports, State};

pub(crate) async fn create_job<P: Ports>(
    jobs: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let submission = submission(&jobs.guard.with_own(call.own_hosts()), &call)?;
    let random = runtime::clock::random();
    let ports = jobs.ports.as_ref();
    let submitted = submit(ports, submission, jobs.retention, call.now, random).await?;
    Ok(Answer::submitted(&submitted, JobCreated::of))
}

fn submission(guard: &Policy, call: &Call) -> Result<Submission, Refusal> {
    let idempotency_key = call.required_idempotency_key()?;
    let body = call.json()?;
    let request = CreateJob::read(&body).map_err(|faults| call.malformed(faults))?;
    Ok(Submission {
        caller: call.caller()?.clone(),
        route: "POST /jobs",
        idempotency_key: Some(idempotency_key),
        body_hash: body_hash(&body),
        work: Work {
            target: Some(format_at("$.format", &request.format)?),
            ..Work::steps(
                Operation::read_all(&request.operations.unwrap_or_default(), "operations")?,
                "operations",
            )
        },
        input_format: request
            .input_format
            .map(|name| format_at("$.inputFormat", &name))
            .transpose()?
            .into(),
        source: source(guard, request.source_key, request.url)?,
        attachments: Vec::new(),
        document: None,
        terms: Terms::Plan,
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
        .map_err(|_| NotSubmitted::SourceUnavailable(unavailable("$.sourceKey")))
}
