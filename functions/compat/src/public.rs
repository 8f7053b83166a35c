//! The way of what is open to anybody: a job of the built-in account, waited for and never handed out as such.

use std::time::Duration;

use domain::filename::Filename;
use domain::format::Format;
use domain::job::Job;
use domain::public::{LIMITS, caller};
use domain::submit::{
    InputFormat, NotSubmitted, RequestedSource, Submission, Submitted, Terms, submit,
};
use domain::work_plan::Work;
use runtime::api::Call;
use runtime::refusal::Refusal;

use crate::wait::{deadline, until_ended};
use crate::{Compat, Ports};

/// How long a client without an account waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// What anybody may ask for.
#[derive(Clone)]
pub(crate) struct PublicWork {
    /// The route asked.
    pub(crate) route: &'static str,
    /// The name of the source.
    pub(crate) filename: Filename,
    /// What the source is.
    pub(crate) input_format: Format,
    /// Where it is.
    pub(crate) source: RequestedSource,
    /// What is done.
    pub(crate) work: Work,
}

/// Submits a job and waits until it has ended; `None` when it takes too long. Then it is cancelled, unless a processor has
/// begun with it: nobody could ask for its result.
pub(crate) async fn done<P: Ports>(
    compat: &Compat<P>,
    call: &Call,
    job: Job,
) -> Result<Option<Job>, Refusal> {
    let ports = compat.ports.as_ref();
    let job = until_ended(ports, job, deadline(call, PATIENCE)).await;
    if job.status.is_terminal() {
        return Ok(Some(job));
    }
    if let Some(transition) = job.cancel(runtime::clock::now()) {
        let cancelled = ports.apply(&transition).await?;
        tracing::info!(job_id = %job.id, cancelled, "nobody waits for the job any more");
    }
    Ok(None)
}

/// Submits a job of the built-in account.
pub(crate) async fn submitted<P: Ports>(
    compat: &Compat<P>,
    call: &Call,
    work: PublicWork,
) -> Result<Job, NotSubmitted> {
    let submission = Submission {
        caller: caller(),
        route: work.route,
        idempotency_key: None,
        body_hash: String::new(),
        filename: work.filename,
        input_format: InputFormat::Stated(work.input_format),
        work: work.work,
        source: work.source,
        attachments: Vec::new(),
        document: None,
        terms: Terms::FreeWithin(LIMITS),
        metadata: None,
        traceparent: Some(call.traceparent.clone()),
    };
    let (ports, random) = (compat.ports.as_ref(), runtime::clock::random());
    let retention = compat.settings.retention;
    match submit(ports, submission, retention, call.now, random).await? {
        Submitted::New(job) | Submitted::Replayed(job) => Ok(*job),
    }
}
