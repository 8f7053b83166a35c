//! Anonymous requests: a job of the built-in account, whose id is never returned to the client.

use std::time::Duration;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::Job;
use domain::public::{LIMITS, caller};
use domain::submit::{
    InputFormat, RequestedSource, Submission, SubmissionTerms, SubmitError, Submitted, submit,
};
use domain::work_plan::Work;
use runtime::api::Request;
use runtime::error::ApiError;

use crate::poll::{deadline, until_finished};
use crate::{Compat, Ports};

/// How long an anonymous request waits for its result.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// The job of an anonymous request.
#[derive(Clone)]
pub(crate) struct AnonymousJob {
    /// The route of the request.
    pub(crate) route: &'static str,
    /// The filename of the source.
    pub(crate) filename: Filename,
    /// The format of the source.
    pub(crate) input_format: Format,
    /// The source.
    pub(crate) source: RequestedSource,
    /// The conversion or operation.
    pub(crate) work: Work,
}

/// Waits for a job to finish; `None` on timeout. A timed-out job that is still queued is cancelled, because no client could
/// get its result.
pub(crate) async fn wait_or_cancel<P: Ports>(
    compat: &Compat<P>,
    request: &Request,
    job: Job,
) -> Result<Option<Job>, ApiError> {
    let ports = compat.ports.as_ref();
    let job = until_finished(ports, job, deadline(request, MAX_WAIT)).await;
    if job.status.is_terminal() {
        return Ok(Some(job));
    }
    if let Some(transition) = job.cancel(runtime::clock::now()) {
        let cancelled = ports.apply(&transition).await?;
        tracing::info!(job_id = %job.id, cancelled, "anonymous request timed out");
    }
    Ok(None)
}

/// Submits a job of the built-in account.
pub(crate) async fn submit_anonymous<P: Ports>(
    compat: &Compat<P>,
    request: &Request,
    work: AnonymousJob,
) -> Result<Job, SubmitError> {
    let submission = Submission {
        caller: caller(),
        route: work.route,
        idempotency_key: None,
        body_hash: String::new(),
        filename: work.filename,
        input_format: InputFormat::Declared(work.input_format),
        work: work.work,
        source: work.source,
        attachments: Vec::new(),
        document: None,
        terms: SubmissionTerms::FreeWithin(LIMITS),
        strict: false,
        metadata: None,
        traceparent: Some(request.traceparent.clone()),
    };
    let (ports, random) = (compat.ports.as_ref(), runtime::clock::random());
    let retention = compat.settings.retention;
    match submit(ports, submission, retention, request.now, random).await? {
        Submitted::New(job) | Submitted::Replayed(job) => Ok(*job),
    }
}
