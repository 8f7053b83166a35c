//! `GET /jobs/{jobId}` and `GET /jobs/{jobId}/result`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::job::{JobResource, result_url, status_url};
use contract::route::Header;
use domain::job::{Job, JobStatus, Output};
use domain::ports::Objects;
use domain::source::result_object;
use domain::timestamp::Timestamp;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, owned_job};

pub(crate) async fn get_job<P: Ports>(
    jobs: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let job = owned_job(jobs.ports.as_ref(), &request).await?;
    let url = match live_output(&job, request.now) {
        Some(output) => Some(presigned(jobs.ports.as_ref(), &job, output).await?),
        None => None,
    };
    let response = Response::json(200, &JobResource::of(&job, url));
    if job.status.is_terminal() {
        return Ok(response);
    }
    Ok(response
        .with_retry_after()
        .with_header(Header::Location, status_url(&job.id)))
}

pub(crate) async fn get_job_result<P: Ports>(
    jobs: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let job = owned_job(jobs.ports.as_ref(), &request).await?;
    if job.status != JobStatus::Completed {
        let detail = format!(
            "The job has no result: its status is {}. See {}.",
            job.status,
            status_url(&job.id)
        );
        return Err(ApiError::new(ErrorCode::JobNotCompleted, detail));
    }
    let Some(output) = live_output(&job, request.now) else {
        let detail = format!(
            "The result expired after {} days. Create a new job.",
            job.result_days
        );
        return Err(ApiError::new(ErrorCode::ResultExpired, detail));
    };
    let url = presigned(jobs.ports.as_ref(), &job, output).await?;
    tracing::debug!(job_id = %job.id, result = result_url(&job.id), "result URL presigned");
    Ok(Response::empty(302).with_header(Header::Location, url))
}

fn live_output(job: &Job, now: Timestamp) -> Option<&Output> {
    job.output
        .as_ref()
        .filter(|output| job.status == JobStatus::Completed && output.expires_at > now)
}

async fn presigned<P: Objects>(ports: &P, job: &Job, output: &Output) -> Result<String, ApiError> {
    let object = result_object(&job.account_id, &job.id, job.attempt, &output.object);
    Ok(ports
        .download_url(&object, &output.content_type, &output.filename)
        .await?)
}
