//! Submitting a job: from a checked request to an accepted job whose ticket is on its way.

use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use crate::account::Caller;
use crate::event::{Event, EventType};
use crate::field::FieldError;
use crate::filename::Filename;
use crate::format::Format;
use crate::id::{AccountId, JobId, SourceKey};
use crate::idempotency::IdempotencyKey;
use crate::job::{
    Attachment, Charge, DocumentWork, Job, JobLimits, JobSource, JobStatus, RemoteSource, StepRun,
    StepStatus, TicketChange, TimelineEntry, UploadedSource, VersionSource, WebPageSource,
};
use crate::operation::{Operation, Processor};
use crate::outbox;
use crate::plan::Plan;
use crate::ports::{
    AcceptJobs, Acceptance, Accepted, Earlier, InspectSources, PortError, SendTickets, SourceFacts,
};
use crate::retry;
use crate::source::{SourceUrl, claimed_format};
use crate::timestamp::Timestamp;
use crate::trace;
use crate::usage::{self, Spent};
use crate::work_plan::{Unplannable, Work, WorkPlan, plan_work};

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
    /// The caller's upload, which was looked at already.
    Inspected {
        /// The upload.
        key: SourceKey,
        /// What was seen.
        facts: SourceFacts,
    },
    /// A public file; the guard of outgoing requests has admitted its URL.
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
    /// What the client says that the source is.
    pub input_format: Option<Format>,
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
    let request = Request::of(&submission, random);
    let prepared = match find_all(ports, &submission).await? {
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
pub async fn replayed<P: AcceptJobs + ?Sized>(
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
    async fn earlier_or<P: AcceptJobs + ?Sized>(
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

/// A source that is there, and the media type that it is stored with.
struct Found {
    source: JobSource,
    content_type: String,
}

/// Everything that a job reads.
struct FoundAll {
    document: Found,
    /// Each with the step that needs it.
    attachments: Vec<(usize, Found)>,
}

async fn find_all<P: InspectSources + ?Sized>(
    ports: &P,
    submission: &Submission,
) -> Result<Option<FoundAll>, PortError> {
    let account = &submission.caller.account_id;
    let Some(document) = find(ports, account, &submission.source).await? else {
        return Ok(None);
    };
    let mut attachments = Vec::new();
    for (step, wanted) in wanted_attachments(submission) {
        match find(ports, account, &wanted).await? {
            Some(found) => attachments.push((step, found)),
            None => return Ok(None),
        }
    }
    Ok(Some(FoundAll {
        document,
        attachments,
    }))
}

fn wanted_attachments(submission: &Submission) -> Vec<(usize, RequestedSource)> {
    let before = submission.work.before.len();
    let first = submission.attachments.iter().cloned();
    let first = first.map(|source| (before, source));
    let operations = submission.work.operations.iter().enumerate();
    let named = operations.flat_map(|(index, operation)| {
        let keys = operation.attachments().into_iter();
        keys.map(move |key| (before + index, RequestedSource::Upload(key)))
    });
    first.chain(named).collect()
}

async fn find<P: InspectSources + ?Sized>(
    ports: &P,
    account: &AccountId,
    source: &RequestedSource,
) -> Result<Option<Found>, PortError> {
    let typeless = |source| Found {
        source,
        content_type: String::new(),
    };
    Ok(match source.clone() {
        RequestedSource::Upload(key) => {
            let facts = ports.inspect(account, &key).await?;
            facts.map(|facts| uploaded(key, facts))
        }
        RequestedSource::Inspected { key, facts } => Some(uploaded(key, facts)),
        RequestedSource::Remote(url) => Some(typeless(JobSource::Remote(RemoteSource { url }))),
        RequestedSource::WebPage(web_page) => {
            Some(typeless(JobSource::WebPage(WebPageSource { web_page })))
        }
        RequestedSource::Version {
            version,
            content_type,
        } => Some(Found {
            source: JobSource::Version(version),
            content_type,
        }),
    })
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
    found: FoundAll,
    retention: Retention,
    now: Timestamp,
    random: u128,
) -> Result<Job, NotSubmitted> {
    let input = input_format(&submission, &found.document.content_type)?;
    let limits = submission.caller.plan.limits();
    let work = plan_work(input, &submission.work, limits)?;
    let charge = charge(&submission, &work, now);
    let attachments = attachments(found.attachments, &work.steps);
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
        step_runs: waiting(&work),
        steps: work.steps,
        processor: work.processor,
        source: found.document.source,
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

/// What a merge takes is PDF, whatever it was uploaded as: the engine judges the bytes. What is laid over pages may be a
/// picture.
fn attachments(found: Vec<(usize, Found)>, steps: &[Operation]) -> Vec<Attachment> {
    let attachment = |(step, found): (usize, Found)| {
        let merged = matches!(steps.get(step), Some(Operation::Merge(_)));
        let stated = Format::from_mime_type(&found.content_type);
        Attachment {
            step,
            format: stated.filter(|_| !merged).unwrap_or(Format::Pdf),
            source: found.source,
        }
    };
    found.into_iter().map(attachment).collect()
}

/// The steps of a pipeline, whose turn is yet to come.
fn waiting(work: &WorkPlan) -> Vec<StepRun> {
    let waits = |operation: &Operation| StepRun {
        operation: operation.name().to_owned(),
        status: StepStatus::Waiting,
        attempt: 0,
        started_at: None,
        ended_at: None,
    };
    match work.processor {
        Processor::ProcessPipeline => work.steps.iter().map(waits).collect(),
        _ => Vec::new(),
    }
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

/// A number of days as a duration.
#[must_use]
pub fn days(count: u32) -> Duration {
    Duration::from_secs(u64::from(count) * 24 * 3_600)
}
