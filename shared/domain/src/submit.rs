//! Submission of jobs: from a validated request to an accepted job and its ticket.

mod sources;

use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use crate::account::Caller;
use crate::event::{Event, EventType};
use crate::field::FieldError;
use crate::filename::Filename;
use crate::format::Format;
use crate::id::{JobId, SourceKey};
use crate::idempotency::IdempotencyKey;
use crate::job::{
    Charge, DocumentWork, Job, JobLimits, JobStatus, StepRun, TimelineEntry, VersionSource,
};
use crate::outbox;
use crate::plan::Plan;
use crate::ports::{
    AcceptOutcome, Acceptance, Jobs, ObjectMetadata, PortError, PreviousRequest, Queues, Uploads,
};
use crate::retry;
use crate::source::SourceUrl;
use crate::timestamp::{Timestamp, days};
use crate::trace;
use crate::transition::TicketChange;
use crate::usage::{self, QuotaExceeded};
use crate::work_plan::{Work, WorkPlan, WorkPlanError, plan_work};
use sources::FoundSources;

/// Retention periods in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Retention of job records and idempotency keys.
    pub job_days: u32,
    /// Retention of results.
    pub result_days: u32,
}

impl Retention {
    /// Maximum of both periods; rows that must outlive jobs depend on it.
    pub const MAX_DAYS: u32 = 365;
}

/// The source named by a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedSource {
    /// An upload.
    Upload(SourceKey),
    /// An upload of the caller whose metadata was already read.
    Inspected {
        /// The upload.
        key: SourceKey,
        /// Its metadata.
        metadata: ObjectMetadata,
    },
    /// A public file, or a web page if the browser opens it. The SSRF guard has accepted the URL.
    Remote(SourceUrl),
    /// A public web page. The SSRF guard has accepted the URL.
    WebPage(SourceUrl),
    /// An existing version of the caller's document.
    Version {
        /// The version.
        version: VersionSource,
        /// Its media type.
        content_type: String,
    },
}

/// What a request declares about the format of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Nothing: the format is inferred from the media type or the file name.
    #[default]
    Undeclared,
    /// The format declared by the client, regardless of the media type; the content is checked later.
    Declared(Format),
    /// The format that the route expects; a different media type of the upload is rejected.
    Expected(Format),
}

impl From<Option<Format>> for InputFormat {
    fn from(declared: Option<Format>) -> Self {
        declared.map_or(Self::Undeclared, Self::Declared)
    }
}

/// A validated request for a job.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The caller.
    pub caller: Caller,
    /// The route, which is the scope of the idempotency key.
    pub route: &'static str,
    /// The idempotency key. Without one, every request creates a job.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Hash of the request body.
    pub body_hash: String,
    /// File name of the source.
    pub filename: Filename,
    /// Declared format of the source.
    pub input_format: InputFormat,
    /// The requested work.
    pub work: Work,
    /// The source of the document.
    pub source: RequestedSource,
    /// Attachments of the first step, in addition to those in its options.
    pub attachments: Vec<RequestedSource>,
    /// The saved document that the job works on.
    pub document: Option<DocumentWork>,
    /// Price and limits, if they differ from the plan.
    pub terms: SubmissionTerms,
    /// Whether the job fails if its result misses content of the source.
    pub strict: bool,
    /// Client data.
    pub metadata: Option<Value>,
    /// W3C trace context.
    pub traceparent: Option<String>,
}

/// Price and limits of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubmissionTerms {
    /// As the caller's plan defines.
    #[default]
    Plan,
    /// Free, within the limits of the plan.
    Free,
    /// Free, within these limits.
    FreeWithin(JobLimits),
}

/// An accepted job.
#[derive(Clone, Debug, PartialEq)]
pub enum Submitted {
    /// Accepted by this request.
    New(Box<Job>),
    /// Accepted by an earlier request with the same idempotency key.
    Replayed(Box<Job>),
}

/// Why a request did not become a job. Nothing was charged and no idempotency key was stored.
#[derive(Debug, Error)]
pub enum SubmitError {
    /// A source is unknown, belongs to another account, or was never uploaded. The path is `$.sourceKey` for the document, or
    /// the member of the step for an attachment.
    #[error("a source is not available")]
    SourceUnavailable(FieldError),
    /// The SSRF guard rejects the URL.
    #[error("the URL must not be fetched")]
    UrlBlocked,
    /// The format of the source is not declared and cannot be inferred.
    #[error("the format of the source cannot be inferred")]
    UnknownInputFormat(FieldError),
    /// The steps are not supported for the source.
    #[error(transparent)]
    WorkPlanError(#[from] WorkPlanError),
    /// The idempotency key was used with a different request.
    #[error("the idempotency key was used with a different request")]
    KeyReused,
    /// The quota of the plan is exceeded.
    #[error("the quota of the plan is exceeded")]
    QuotaExceeded(QuotaExceeded),
    /// Storage failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Accepts `submission` at `now`; `random` makes the job identifier unique.
///
/// # Errors
/// [`SubmitError`]. A failure to send the ticket is not an error, because `sweep` sends it.
pub async fn submit<P>(
    ports: &P,
    submission: Submission,
    retention: Retention,
    now: Timestamp,
    random: u128,
) -> Result<Submitted, SubmitError>
where
    P: Jobs + Uploads + Queues + ?Sized,
{
    let request = RequestKey::of(&submission, random);
    let prepared = match sources::find_all(ports, &submission).await? {
        Err(missing) => Err(SubmitError::SourceUnavailable(missing)),
        Ok(found) => new_job(submission, found, retention, now, random),
    };
    let job = match prepared {
        Ok(job) => job,
        Err(error) => return request.previous_or(error, ports, now).await,
    };
    let acceptance = request.acceptance(job, now);
    match ports.accept(&acceptance).await? {
        AcceptOutcome::New => {
            send(ports, &acceptance).await;
            trace::accepted(&acceptance.job);
            Ok(Submitted::New(Box::new(acceptance.job)))
        }
        AcceptOutcome::PreviousRequest(previous) => replayed(previous),
        AcceptOutcome::QuotaExceeded(exceeded) => Err(SubmitError::QuotaExceeded(exceeded)),
    }
}

/// Returns the job of an earlier request with the same idempotency key, for requests that would be rejected now; `None` if
/// there is none.
///
/// # Errors
/// [`SubmitError::KeyReused`] if the earlier request was different, [`SubmitError::Port`] if storage failed.
pub async fn find_replay<P: Jobs + ?Sized>(
    ports: &P,
    fingerprint: &str,
    body_hash: &str,
    now: Timestamp,
) -> Result<Option<Submitted>, SubmitError> {
    let previous = ports.replay(fingerprint, body_hash, now).await?;
    previous.map(replayed).transpose()
}

/// What identifies a request.
struct RequestKey {
    fingerprint: String,
    body_hash: String,
    plan: Plan,
}

impl RequestKey {
    fn of(submission: &Submission, random: u128) -> Self {
        let caller = &submission.caller;
        let key = submission.idempotency_key.clone();
        let key = key.unwrap_or_else(|| IdempotencyKey::unique(random));
        Self {
            fingerprint: key.fingerprint(&caller.account_id, submission.route),
            body_hash: submission.body_hash.clone(),
            plan: caller.plan,
        }
    }

    fn acceptance(self, job: Job, now: Timestamp) -> Acceptance {
        Acceptance {
            event: Event::of_job(EventType::JobCreated, &job),
            ticket: job.ticket_row(now, Duration::ZERO),
            plan: self.plan,
            fingerprint: self.fingerprint,
            body_hash: self.body_hash,
            job,
        }
    }

    /// Returns the job of an earlier request with the same idempotency key, else `error`: a repeated request succeeds even if
    /// its source has expired or its plan is smaller now.
    async fn previous_or<P: Jobs + ?Sized>(
        &self,
        error: SubmitError,
        ports: &P,
        now: Timestamp,
    ) -> Result<Submitted, SubmitError> {
        let previous = find_replay(ports, &self.fingerprint, &self.body_hash, now).await?;
        previous.ok_or(error)
    }
}

fn replayed(previous: PreviousRequest) -> Result<Submitted, SubmitError> {
    match previous {
        PreviousRequest::Replayed(job) => Ok(Submitted::Replayed(job)),
        PreviousRequest::KeyReused => Err(SubmitError::KeyReused),
    }
}

async fn send<P: Queues + ?Sized>(ports: &P, acceptance: &Acceptance) {
    if let TicketChange::Put { ticket, delay, .. } = &acceptance.ticket {
        let job = &acceptance.job;
        outbox::send_now(
            ports,
            job.processor,
            job.account_id.as_str(),
            ticket,
            *delay,
        )
        .await;
    }
}

fn new_job(
    submission: Submission,
    found: FoundSources,
    retention: Retention,
    now: Timestamp,
    random: u128,
) -> Result<Job, SubmitError> {
    let input = found.input_format(&submission)?;
    let limits = submission.caller.plan.limits();
    let work = plan_work(input, &submission.work, limits, submission.caller.locale)?;
    let charge = charge(&submission, &work, now);
    let (source, attachments) = found.checked(submission.input_format, input, &work.steps)?;
    Ok(Job {
        record_version: Job::RECORD_VERSION,
        id: JobId::mint(now, random),
        account_id: submission.caller.account_id,
        status: JobStatus::Queued,
        attempt: 0,
        attempt_limit: retry::ATTEMPTS,
        created_at: now,
        updated_at: now,
        expires_at: now.plus(days(retention.job_days)),
        filename: submission.filename,
        input_format: input,
        format: work.format,
        step_runs: StepRun::waiting(work.processor, &work.steps),
        steps: work.steps,
        processor: work.processor,
        source,
        attachments,
        document: submission.document,
        limits: match submission.terms {
            SubmissionTerms::Plan | SubmissionTerms::Free => JobLimits::from(limits),
            SubmissionTerms::FreeWithin(limits) => limits,
        },
        charge,
        result_days: retention.result_days,
        strict: submission.strict,
        metadata: submission.metadata,
        traceparent: submission.traceparent,
        lease_until: None,
        not_before: None,
        progress: 0,
        output: None,
        error: None,
        refunded: false,
        warnings: Vec::new(),
        timeline: vec![TimelineEntry {
            status: JobStatus::Queued,
            at: now,
            attempt: 0,
        }],
    })
}

fn charge(submission: &Submission, work: &WorkPlan, now: Timestamp) -> Charge {
    let (plan, free) = (
        submission.caller.plan,
        submission.terms != SubmissionTerms::Plan,
    );
    Charge {
        credits: if free { 0 } else { work.credits },
        units: if free {
            0
        } else {
            usage::units(plan, work.credits)
        },
        day: now.period().day(),
    }
}
