//! The tracing span of a job, and the log entries common to all functions.

use tracing::Span;
use tracing::field::Empty;

use crate::id::JobId;
use crate::job::Job;

/// Creates the span of a job from its ticket. The span is enabled at every log level, so that errors always include it.
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

/// Logs that a job was accepted, and its metrics.
pub(crate) fn accepted(job: &Job) {
    tracing::info!(
        target: "metrics",
        JobsAccepted = 1_u64,
        Credits = u64::from(job.charge.credits),
        operation = job.operation(),
    );
    tracing::info!(job_id = %job.id, "job accepted");
}

/// Records account, attempt and trace context of the job in the current span.
pub fn record_job(job: &Job) {
    let span = Span::current();
    span.record("account_id", job.account_id.as_str())
        .record("attempt", job.attempt);
    if let Some(traceparent) = &job.traceparent {
        span.record("traceparent", traceparent.as_str());
    }
}
