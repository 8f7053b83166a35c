//! `GET /jobs`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::job::{JobList, JobResource};
use contract::list::ListJobs;
use domain::cursor;
use domain::id::JobId;
use domain::job::JobStatus;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State};

pub(crate) async fn list_jobs<P: Ports>(
    jobs: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        ListJobs::read(request.query()).map_err(|errors| ApiError::malformed(400, errors))?;
    let account = &request.caller()?.account_id;
    let scope = [account.as_str(), input.status.map_or("", JobStatus::name)];
    let before = match &input.cursor {
        Some(cursor) => Some(position(&jobs, &scope, cursor)?),
        None => None,
    };
    let page = jobs
        .ports
        .jobs(account, input.status, before.as_ref(), input.limit)
        .await?;
    let next_cursor = page
        .next
        .map(|job| cursor::seal(&jobs.pepper, &scope, job.as_str()));
    // DynamoDB deletes expired items with a delay; they are excluded here.
    let live = page.jobs.iter().filter(|job| job.expires_at > request.now);
    let listed = live.map(JobResource::listed).collect();
    Ok(Response::json(
        200,
        &JobList {
            jobs: listed,
            next_cursor,
        },
    ))
}

fn position<P>(jobs: &State<P>, scope: &[&str], cursor: &str) -> Result<JobId, ApiError> {
    let opened = cursor::open(&jobs.pepper, scope, cursor)
        .ok()
        .and_then(|position| position.parse().ok());
    let detail = "The cursor is invalid. Use the nextCursor of the previous page, with the same account and filters.";
    opened.ok_or_else(|| ApiError::new(ErrorCode::InvalidCursor, detail))
}
