//! `DELETE /jobs/{jobId}`.

use std::sync::Arc;

use contract::code::ErrorCode;
use domain::outbox;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, owned_job};

/// Cancels the job, refunds its credits and publishes its events. If EventBridge is unavailable, the events stay in the outbox
/// and `sweep` publishes them.
pub(crate) async fn cancel_job<P: Ports>(
    jobs: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = jobs.ports.as_ref();
    let job = owned_job(ports, &request).await?;
    let too_late = || {
        ApiError::new(
            ErrorCode::JobNotCancellable,
            "The job has started or finished. A job can be cancelled only while it is queued or retrying.",
        )
    };
    let transition = job.cancel(request.now).ok_or_else(too_late)?;
    if !ports.apply(&transition).await? {
        return Err(too_late());
    }
    let unpublished = outbox::creation_event(&job).into_iter().collect();
    outbox::dispatch_with(ports, unpublished, &transition).await;
    tracing::info!(job_id = %job.id, "job cancelled");
    tracing::info!(target: "metrics", JobsFailed = 1_u64, operation = job.operation());
    Ok(Response::empty(204))
}
