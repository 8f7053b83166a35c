//! Octavo's own look into a version: a job that counts and measures its pages.

use std::time::Duration;

use crate::format::Format;
use crate::id::JobId;
use crate::job::{
    Charge, DocumentResult, DocumentWork, Job, JobLimits, JobSource, JobStatus, TimelineEntry,
    VersionSource,
};
use crate::operation::{NoOptions, Operation};
use crate::retry;
use crate::ticket::Ticket;
use crate::timestamp::Timestamp;

use super::record::Version;

/// A look that is accepted together with the version that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The job: it costs nothing and is in no list.
    pub job: Job,
    /// Its ticket.
    pub ticket: Ticket,
    /// From when on `sweep` sends the ticket, if nobody claims the job before.
    pub due: Timestamp,
}

/// On what terms a look is taken.
#[derive(Clone, Debug)]
pub struct LookTerms {
    /// What the plan of the document's owner allows.
    pub limits: JobLimits,
    /// How long its record is kept.
    pub kept: Duration,
    /// How long its result is kept, in days.
    pub result_days: u32,
    /// W3C trace context of what made the version.
    pub traceparent: Option<String>,
}

impl Look {
    /// The look into a version that comes to be at `now`; `None` for what has no pages to measure.
    #[must_use]
    pub fn into_version(version: &Version, terms: LookTerms, now: Timestamp) -> Option<Self> {
        let input = Format::from_mime_type(&version.content_type)?;
        let info = Operation::Info(NoOptions {});
        let (processor, format) = info.resolve(input)?;
        let source = VersionSource {
            document: version.document_id.clone(),
            version: version.id.clone(),
            etag: version.etag.clone(),
            size_bytes: version.size_bytes,
        };
        let job = Job {
            record_version: Job::RECORD_VERSION,
            id: JobId::derive(now, &format!("look into {}", version.id)),
            account_id: version.account_id.clone(),
            status: JobStatus::Queued,
            attempt: 0,
            attempt_limit: retry::ATTEMPTS,
            created_at: now,
            updated_at: now,
            expires_at: now.plus(terms.kept),
            filename: version.filename.clone(),
            input_format: input,
            format,
            steps: vec![info],
            processor,
            source: JobSource::Version(source),
            attachments: Vec::new(),
            document: Some(DocumentWork {
                document: version.document_id.clone(),
                version: version.id.clone(),
                page: None,
                result: DocumentResult::Pages,
            }),
            limits: terms.limits,
            charge: Charge {
                credits: 0,
                units: 0,
                day: now.period().day(),
            },
            result_days: terms.result_days,
            metadata: None,
            traceparent: terms.traceparent,
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
            step_runs: Vec::new(),
        };
        Some(Self {
            ticket: Ticket::for_job(&job),
            due: now.plus(retry::RESEND_AFTER),
            job,
        })
    }

    /// The same, for a writer that cannot send the ticket itself.
    #[must_use]
    pub fn left_to_sweep(self) -> Self {
        Self {
            due: self.job.created_at,
            ..self
        }
    }
}
