//! `DELETE /jobs/{jobId}`.

use std::sync::Arc;

use contract::code::ErrorCode;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Jobs, Ports, owned_job};

/// Cancels and refunds. The event waits in the outbox for `sweep`, so that this function needs no right to the bus.
pub(crate) async fn cancel_job<P: Ports>(
    jobs: Arc<Jobs<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let job = owned_job(jobs.ports.as_ref(), &call).await?;
    let too_late = || {
        Refusal::new(
            ErrorCode::JobNotCancellable,
            "a job can be cancelled only while it is queued or retrying",
        )
    };
    let transition = job.cancel(call.now).ok_or_else(too_late)?;
    if !jobs.ports.apply(&transition).await? {
        return Err(too_late());
    }
    tracing::info!(job_id = %job.id, "job cancelled");
    tracing::info!(target: "metrics", JobsFailed = 1_u64, operation = job.operation());
    Ok(Answer::empty(204))
}
