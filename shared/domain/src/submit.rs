//! Submitting a job: from a checked request to an accepted job whose ticket is on its way.

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
    Charge, Job, JobLimits, JobSource, JobStatus, RemoteSource, TicketChange, TimelineEntry,
    UploadedSource,
};
use crate::operation::Operation;
use crate::outbox;
use crate::plan::Plan;
use crate::ports::{
    AcceptJobs, Acceptance, Accepted, Earlier, InspectSources, PortError, SendTickets, SourceFacts,
};
use crate::retry;
use crate::source::{SourceUrl, claimed_format};
use crate::timestamp::Timestamp;
use crate::usage::{self, Spent};
use crate::work_plan::{Unplannable, WorkPlan, plan_work};

/// How long jobs and results are kept, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Job records and idempotency keys.
    pub job_days: u32,
    /// Results.
    pub result_days: u32,
}

/// Where a request says that its document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedSource {
    /// An upload.
    Upload(SourceKey),
    /// A public file; the guard of outgoing requests has admitted its URL.
    Remote(SourceUrl),
}

/// A checked request for a job.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Who asks.
    pub caller: Caller,
    /// The route asked, which is the idempotency key's scope.
    pub route: &'static str,
    /// The client's name for this submission.
    pub idempotency_key: IdempotencyKey,
    /// The hash of the request's body.
    pub body_hash: String,
    /// The name of the source.
    pub filename: Filename,
    /// What the client says that the source is.
    pub input_format: Option<Format>,
    /// What is wanted.
    pub format: Format,
    /// What is done before.
    pub operations: Vec<Operation>,
    /// Where the document is.
    pub source: RequestedSource,
    /// The client's own data.
    pub metadata: Option<Value>,
    /// W3C trace context.
    pub traceparent: Option<String>,
}

/// A job that is accepted, now or before.
#[derive(Clone, Debug, PartialEq)]
pub enum Submitted {
    /// By this request.
    New(Box<Job>),
    /// By an earlier request with the same key.
    Replayed(Box<Job>),
}

/// Why a request did not become a job. Nothing was charged and no key was used up.
#[derive(Debug, Error)]
pub enum NotSubmitted {
    /// The source is unknown, another account's, or was never uploaded.
    #[error("the source is not available")]
    SourceUnavailable,
    /// The guard of outgoing requests refuses the URL by its text.
    #[error("the URL may not be fetched")]
    UrlBlocked,
    /// The format of the source is neither stated nor known from its type or name.
    #[error("the format of the source is not known")]
    UnknownInputFormat(FieldError),
    /// The steps do not fit.
    #[error(transparent)]
    Unplannable(#[from] Unplannable),
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The plan's counter is spent.
    #[error("the plan's counter is spent")]
    Spent(Spent),
    /// Storage failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Accepts `submission` at `now`; `random` makes the job's identifier unique.
///
/// # Errors
/// [`NotSubmitted`]; a ticket that could not be sent is not an error, because `sweep` sends it.
pub async fn submit<P>(
    ports: &P,
    submission: Submission,
    retention: Retention,
    now: Timestamp,
    random: u128,
) -> Result<Submitted, NotSubmitted>
where
    P: InspectSources + AcceptJobs + SendTickets + ?Sized,
{
    let request = Request::of(&submission);
    let prepared = match find(ports, &submission).await? {
        None => Err(NotSubmitted::SourceUnavailable),
        Some(found) => new_job(submission, found, retention, now, random),
    };
    let job = match prepared {
        Ok(job) => job,
        Err(refused) => return request.earlier_or(refused, ports, now).await,
    };
    let acceptance = request.acceptance(job, now);
    match ports.accept(&acceptance).await? {
        Accepted::New => {
            send(ports, &acceptance).await;
            Ok(Submitted::New(Box::new(acceptance.job)))
        }
        Accepted::Earlier(earlier) => answered_before(earlier),
        Accepted::Spent(spent) => Err(NotSubmitted::Spent(spent)),
    }
}

/// What tells one request from another.
struct Request {
    fingerprint: String,
    body_hash: String,
    plan: Plan,
}

impl Request {
    fn of(submission: &Submission) -> Self {
        let caller = &submission.caller;
        let key = &submission.idempotency_key;
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

    /// A replay is answered even when the request would be refused by now: its source has expired, or its plan is
    /// smaller.
    async fn earlier_or<P: AcceptJobs + ?Sized>(
        &self,
        refused: NotSubmitted,
        ports: &P,
        now: Timestamp,
    ) -> Result<Submitted, NotSubmitted> {
        match ports
            .replay(&self.fingerprint, &self.body_hash, now)
            .await?
        {
            Some(earlier) => answered_before(earlier),
            None => Err(refused),
        }
    }
}

fn answered_before(earlier: Earlier) -> Result<Submitted, NotSubmitted> {
    match earlier {
        Earlier::Replayed(job) => Ok(Submitted::Replayed(job)),
        Earlier::KeyReused => Err(NotSubmitted::KeyReused),
    }
}

/// A source that is there, and the media type that it is stored with.
struct Found {
    source: JobSource,
    content_type: String,
}

async fn find<P: InspectSources + ?Sized>(
    ports: &P,
    submission: &Submission,
) -> Result<Option<Found>, PortError> {
    match &submission.source {
        RequestedSource::Upload(key) => {
            let account = &submission.caller.account_id;
            let facts = ports.inspect(account, key).await?;
            Ok(facts.map(|facts| uploaded(key.clone(), facts)))
        }
        RequestedSource::Remote(url) => Ok(Some(Found {
            source: JobSource::Remote(RemoteSource { url: url.clone() }),
            content_type: String::new(),
        })),
    }
}

fn uploaded(key: SourceKey, facts: SourceFacts) -> Found {
    let source = JobSource::Upload(UploadedSource {
        key,
        etag: facts.etag,
        size_bytes: facts.size_bytes,
    });
    Found {
        source,
        content_type: facts.content_type,
    }
}

async fn send<P: SendTickets + ?Sized>(ports: &P, acceptance: &Acceptance) {
    if let TicketChange::Put { ticket, delay, .. } = &acceptance.ticket {
        let job = &acceptance.job;
        outbox::send_at_once(
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
    found: Found,
    retention: Retention,
    now: Timestamp,
    random: u128,
) -> Result<Job, NotSubmitted> {
    let input = input_format(&submission, &found.content_type)?;
    let limits = submission.caller.plan.limits();
    let work = plan_work(input, submission.format, &submission.operations, limits)?;
    let charge = charge(&submission.caller, &work, now);
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
        format: submission.format,
        steps: work.steps,
        processor: work.processor,
        source: found.source,
        limits: JobLimits::from(limits),
        charge,
        result_days: retention.result_days,
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

fn input_format(submission: &Submission, content_type: &str) -> Result<Format, NotSubmitted> {
    claimed_format(submission.input_format, content_type, &submission.filename).ok_or_else(|| {
        let message = "say which format the source has: neither its type nor its name tells";
        NotSubmitted::UnknownInputFormat(FieldError::new(
            "$.inputFormat",
            "unsupported_conversion",
            message,
        ))
    })
}

fn charge(caller: &Caller, work: &WorkPlan, now: Timestamp) -> Charge {
    Charge {
        credits: work.credits,
        units: usage::units(caller.plan, work.credits),
        day: now.period().day(),
    }
}

/// A number of days as a duration.
#[must_use]
pub fn days(count: u32) -> Duration {
    Duration::from_secs(u64::from(count) * 24 * 3_600)
}
