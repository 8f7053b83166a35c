//! `GET /jobs`.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::job::{JobList, JobResource};
use contract::list::ListJobs;
use domain::cursor;
use domain::id::JobId;
use domain::job::JobStatus;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State};

pub(crate) async fn list_jobs<P: Ports>(
    jobs: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = ListJobs::read(call.query()).map_err(|faults| Refusal::malformed(400, faults))?;
    let account = &call.caller()?.account_id;
    let scope = [account.as_str(), request.status.map_or("", JobStatus::name)];
    let before = match &request.cursor {
        Some(cursor) => Some(position(&jobs, &scope, cursor)?),
        None => None,
    };
    let page = jobs
        .ports
        .jobs(account, request.status, before.as_ref(), request.limit)
        .await?;
    let next_cursor = page
        .next
        .map(|job| cursor::seal(&jobs.pepper, &scope, job.as_str()));
    // What has expired is gone, however late the database deletes it.
    let live = page.jobs.iter().filter(|job| job.expires_at > call.now);
    let listed = live.map(JobResource::listed).collect();
    Ok(Answer::json(
        200,
        &JobList {
            jobs: listed,
            next_cursor,
        },
    ))
}

fn position<P>(jobs: &State<P>, scope: &[&str], cursor: &str) -> Result<JobId, Refusal> {
    let opened = cursor::open(&jobs.pepper, scope, cursor)
        .ok()
        .and_then(|position| position.parse().ok());
    let detail =
        "use the nextCursor of the page before, with the same account and the same filters";
    opened.ok_or_else(|| Refusal::new(ErrorCode::InvalidCursor, detail))
}
