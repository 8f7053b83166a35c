//! Submitting a job: from a checked request to an accepted job whose ticket is on its way.

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
use crate::ports::{Acceptance, Accepted, Earlier, Jobs, PortError, Queues, SourceFacts, Uploads};
use crate::retry;
use crate::source::SourceUrl;
use crate::timestamp::{Timestamp, days};
use crate::trace;
use crate::transition::TicketChange;
use crate::usage::{self, Spent};
use crate::work_plan::{Unplannable, Work, WorkPlan, plan_work};
use sources::Found;

/// How long jobs and results are kept, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Job records and idempotency keys.
    pub job_days: u32,
    /// Results.
    pub result_days: u32,
}

impl Retention {
    /// The longest that either may be: whatever outlives jobs counts on it.
    pub const LONGEST_DAYS: u32 = 365;
}

/// Where a request says that its document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedSource {
    /// An upload.
    Upload(SourceKey),
    /// The caller's upload, which was looked at already.
    Inspected {
        /// The upload.
        key: SourceKey,
        /// What was seen.
        facts: SourceFacts,
    },
    /// A public file, or a web page if a browser is to open it; the guard of outgoing requests has admitted its URL.
    Remote(SourceUrl),
    /// A public web page; the guard of outgoing requests has admitted its URL.
    WebPage(SourceUrl),
    /// A version of the caller's document, which is there.
    Version {
        /// The version.
        version: VersionSource,
        /// Its media type.
        content_type: String,
    },
}

/// What the source of a request is said to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Nothing: its type or its name has to tell.
    #[default]
    Untold,
    /// What the client says, whatever type it has; its bytes have the last word.
    Stated(Format),
    /// What the route takes, unless the type that it was uploaded with says otherwise.
    Expected(Format),
}

impl From<Option<Format>> for InputFormat {
    fn from(stated: Option<Format>) -> Self {
        stated.map_or(Self::Untold, Self::Stated)
    }
}

/// A checked request for a job.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Who asks.
    pub caller: Caller,
    /// The route asked, which is the idempotency key's scope.
    pub route: &'static str,
    /// The client's name for this submission; without one, every request is a new one.
    pub idempotency_key: Option<IdempotencyKey>,
    /// The hash of the request's body.
    pub body_hash: String,
    /// The name of the source.
    pub filename: Filename,
    /// What the source is said to be.
    pub input_format: InputFormat,
    /// What is wanted.
    pub work: Work,
    /// Where the document is.
    pub source: RequestedSource,
    /// What the first step needs beside the document, other than what it names itself.
    pub attachments: Vec<RequestedSource>,
    /// What the result becomes in the library.
    pub document: Option<DocumentWork>,
    /// What may be spent on the job, when it is not what the plan says.
    pub terms: Terms,
    /// The client's own data.
    pub metadata: Option<Value>,
    /// W3C trace context.
    pub traceparent: Option<String>,
}

/// What a job costs and how large it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Terms {
    /// As the caller's plan says.
    #[default]
    Plan,
    /// It costs nothing, within the plan's limits.
    Free,
    /// It costs nothing, within these limits.
    FreeWithin(JobLimits),
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
    /// A source is unknown, another account's, or was never uploaded: the document at `$.sourceKey`, or what a step needs
    /// beside it at that step's own member.
    #[error("a source is not available")]
    SourceUnavailable(FieldError),
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
    P: Jobs + Uploads + Queues + ?Sized,
{
    let request = Request::of(&submission, random);
    let prepared = match sources::find_all(ports, &submission).await? {
        Err(missing) => Err(NotSubmitted::SourceUnavailable(missing)),
        Ok(found) => new_job(submission, found, retention, now, random),
    };
    let job = match prepared {
        Ok(job) => job,
        Err(refused) => return request.earlier_or(refused, ports, now).await,
    };
    let acceptance = request.acceptance(job, now);
    match ports.accept(&acceptance).await? {
        Accepted::New => {
            send(ports, &acceptance).await;
            trace::accepted(&acceptance.job);
            Ok(Submitted::New(Box::new(acceptance.job)))
        }
        Accepted::Earlier(earlier) => answered_before(earlier),
        Accepted::Spent(spent) => Err(NotSubmitted::Spent(spent)),
    }
}

/// What an earlier request with the same key has become, for one that cannot be submitted by now and is answered all the
/// same; `None` when there was none.
///
/// # Errors
/// [`NotSubmitted::KeyReused`] when the earlier request was another one, [`NotSubmitted::Port`] when storage failed.
pub async fn replayed<P: Jobs + ?Sized>(
    ports: &P,
    fingerprint: &str,
    body_hash: &str,
    now: Timestamp,
) -> Result<Option<Submitted>, NotSubmitted> {
    let earlier = ports.replay(fingerprint, body_hash, now).await?;
    earlier.map(answered_before).transpose()
}

/// What tells one request from another.
struct Request {
    fingerprint: String,
    body_hash: String,
    plan: Plan,
}

impl Request {
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

    /// A replay is answered even when the request would be refused by now: its source has expired, or its plan is
    /// smaller.
    async fn earlier_or<P: Jobs + ?Sized>(
        &self,
        refused: NotSubmitted,
        ports: &P,
        now: Timestamp,
    ) -> Result<Submitted, NotSubmitted> {
        let earlier = replayed(ports, &self.fingerprint, &self.body_hash, now).await?;
        earlier.ok_or(refused)
    }
}

fn answered_before(earlier: Earlier) -> Result<Submitted, NotSubmitted> {
    match earlier {
        Earlier::Replayed(job) => Ok(Submitted::Replayed(job)),
        Earlier::KeyReused => Err(NotSubmitted::KeyReused),
    }
}

async fn send<P: Queues + ?Sized>(ports: &P, acceptance: &Acceptance) {
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
    let input = found.input_format(&submission)?;
    let limits = submission.caller.plan.limits();
    let work = plan_work(input, &submission.work, limits)?;
    let charge = charge(&submission, &work, now);
    let (source, attachments) = found.fitted(submission.input_format, input, &work.steps)?;
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
            Terms::Plan | Terms::Free => JobLimits::from(limits),
            Terms::FreeWithin(limits) => limits,
        },
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

fn charge(submission: &Submission, work: &WorkPlan, now: Timestamp) -> Charge {
    let (plan, free) = (submission.caller.plan, submission.terms != Terms::Plan);
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
