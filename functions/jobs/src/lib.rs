//! Job routes: create jobs and pipelines, list, get and cancel jobs, download results.
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
use runtime::api::{Api, Authenticator, Issuer, Request};
use runtime::error::ApiError;

/// Ports that the job routes use.
pub trait Ports:
    Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

impl<P> Ports for P where
    P: Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

/// State shared by the handlers.
struct State<P> {
    ports: Arc<P>,
    pepper: Pepper,
    guard: Policy,
    retention: Retention,
}

/// Creates the job routes over `ports`. `guard` checks source URLs.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    guard: Policy,
    retention: Retention,
) -> Api<impl Send + Sync + 'static> {
    let authenticator = Authenticator::new(
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
        Some(authenticator),
    )
    .route("createJob", create::create_job)
    .route("createPipeline", pipeline::create_pipeline)
    .route("listJobs", list::list_jobs)
    .route("getJob", read::get_job)
    .route("getJobResult", read::get_job_result)
    .route("cancelJob", cancel::cancel_job)
}

/// Loads the job in the path. Returns 404 for jobs of other accounts, too, so that IDs cannot be probed.
async fn owned_job<P: Jobs>(ports: &P, request: &Request) -> Result<Job, ApiError> {
    let account = &request.caller()?.account_id;
    let not_found = || ApiError::not_found(ErrorCode::JobNotFound);
    let id: JobId = request
        .parameter("jobId")
        .parse()
        .map_err(|_| not_found())?;
    let job = ports
        .job(&id)
        .await?
        .filter(|job| job.account_id == *account && job.expires_at > request.now)
        .filter(|job| !job.is_internal());
    job.ok_or_else(not_found)
}
