//! `DELETE /jobs/{jobId}`.

use std::sync::Arc;

use contract::code::ErrorCode;
use domain::outbox;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State, owned_job};

/// Cancels, refunds and tells. What the bus does not take now stays in the outbox, and `sweep` tells it later.
pub(crate) async fn cancel_job<P: Ports>(
    jobs: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = jobs.ports.as_ref();
    let job = owned_job(ports, &call).await?;
    let too_late = || {
        Refusal::new(
            ErrorCode::JobNotCancellable,
            "a job can be cancelled only while it is queued or retrying",
        )
    };
    let transition = job.cancel(call.now).ok_or_else(too_late)?;
    if !ports.apply(&transition).await? {
        return Err(too_late());
    }
    let untold = outbox::creation(&job).into_iter().collect();
    outbox::deliver_after(ports, untold, &transition).await;
    tracing::info!(job_id = %job.id, "job cancelled");
    tracing::info!(target: "metrics", JobsFailed = 1_u64, operation = job.operation());
    Ok(Answer::empty(204))
}
