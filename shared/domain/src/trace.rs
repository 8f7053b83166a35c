//! The span that everything said about a job is logged under, wherever in the service it is said.

use tracing::Span;
use tracing::field::Empty;

use crate::id::JobId;
use crate::job::Job;

/// The span of one job, as far as its ticket tells. It is open at every log level, so that errors always carry it.
#[must_use]
pub fn job_span(id: &JobId, traceparent: Option<&str>) -> Span {
    tracing::error_span!(
        "job",
        job_id = %id,
        account_id = Empty,
        attempt = Empty,
        traceparent,
    )
}

/// Writes down that a job was accepted, whichever route asked for it.
pub(crate) fn accepted(job: &Job) {
    tracing::info!(
        target: "metrics",
        JobsAccepted = 1_u64,
        Credits = u64::from(job.charge.credits),
        operation = job.operation(),
    );
    tracing::info!(job_id = %job.id, "job accepted");
}

/// Completes the span that is open with what the job's record tells.
pub fn identify(job: &Job) {
    let span = Span::current();
    span.record("account_id", job.account_id.as_str())
        .record("attempt", job.attempt);
    if let Some(traceparent) = &job.traceparent {
        span.record("traceparent", traceparent.as_str());
    }
}
