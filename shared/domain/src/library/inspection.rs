//! Inspections: internal jobs that count and measure the pages of a version.

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

/// An inspection, accepted together with the version that it inspects.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// The job: free and not listed.
    pub job: Job,
    /// The ticket.
    pub ticket: Ticket,
    /// Time from which `sweep` sends the ticket, unless the job is claimed earlier.
    pub due: Timestamp,
}

/// Limits and retention of an inspection.
#[derive(Clone, Debug)]
pub struct InspectionTerms {
    /// Limits of the owner's plan.
    pub limits: JobLimits,
    /// Retention of the job record.
    pub kept: Duration,
    /// Retention of the result in days.
    pub result_days: u32,
    /// W3C trace context of the request or job that created the version.
    pub traceparent: Option<String>,
}

impl Inspection {
    /// Creates the inspection of a version that is created at `now`; `None` if its format has no pages.
    #[must_use]
    pub fn of_version(version: &Version, terms: InspectionTerms, now: Timestamp) -> Option<Self> {
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
            strict: false,
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

    /// Makes the ticket due at once, for callers that cannot send it themselves.
    #[must_use]
    pub fn deferred_to_sweep(self) -> Self {
        Self {
            due: self.job.created_at,
            ..self
        }
    }
}
