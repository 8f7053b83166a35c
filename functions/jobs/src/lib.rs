//! The job routes: create jobs and pipelines, list, read, cancel, and download the result.
#![cfg_attr(test, allow(missing_docs))]

mod cancel;
mod create;
mod list;
mod pipeline;
mod read;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use contract::code::ErrorCode;
use domain::id::JobId;
use domain::job::Job;
use domain::key::Pepper;
use domain::ports::{Callers, Events, Jobs, Library, Objects, Outbox, Queues, Uploads};
use domain::submit::Retention;
use fetch::Policy;
use runtime::api::{Api, Call, Gate, Issuer};
use runtime::refusal::Refusal;

/// What the job routes may do.
pub trait Ports:
    Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

impl<P> Ports for P where
    P: Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

/// What the handlers share.
struct State<P> {
    ports: Arc<P>,
    pepper: Pepper,
    guard: Policy,
    retention: Retention,
}

/// The job routes over `ports`; `guard` judges the URLs of sources.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    guard: Policy,
    retention: Retention,
) -> Api<impl Send + Sync + 'static> {
    let gate = Gate::new(
        Arc::clone(&ports) as Arc<dyn Callers>,
        pepper.clone(),
        issuer,
    );
    Api::new(
        "jobs",
        Arc::new(State {
            ports,
            pepper,
            guard,
            retention,
        }),
        Some(gate),
    )
    .route("createJob", create::create_job)
    .route("createPipeline", pipeline::create_pipeline)
    .route("listJobs", list::list_jobs)
    .route("getJob", read::get_job)
    .route("getJobResult", read::get_job_result)
    .route("cancelJob", cancel::cancel_job)
}

/// The caller's job that the path names. Another account's job is not told apart from none.
async fn owned_job<P: Jobs>(ports: &P, call: &Call) -> Result<Job, Refusal> {
    let account = &call.caller()?.account_id;
    let not_found = || Refusal::not_found(ErrorCode::JobNotFound);
    let id: JobId = call.parameter("jobId").parse().map_err(|_| not_found())?;
    let job = ports
        .job(&id)
        .await?
        .filter(|job| job.account_id == *account && job.expires_at > call.now)
        .filter(|job| !job.is_internal());
    job.ok_or_else(not_found)
}
