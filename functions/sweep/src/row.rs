//! Processes one due row of a job: resends its ticket or releases its expired lease.

use domain::id::JobId;
use domain::job::{Job, JobStatus};
use domain::outbox;
use domain::ports::{OutboxKey, PortError};
use domain::retry;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use domain::trace;
use tracing::Instrument as _;

use crate::{Ports, SweepReport};

/// A due row of a job's own state.
pub(crate) enum JobRow {
    /// The ticket of a job that no worker has claimed, resent `sent` times so far.
    Ticket { ticket: Ticket, sent: u32 },
    /// An expired lease.
    Lease(JobId),
}

/// Processes a row; a failure is logged and counted.
pub(crate) async fn process<P: Ports>(ports: &P, row: JobRow, now: Timestamp) -> SweepReport {
    let span = match &row {
        JobRow::Ticket { ticket, .. } => {
            trace::job_span(&ticket.job_id, ticket.traceparent.as_deref())
        }
        JobRow::Lease(job_id) => trace::job_span(job_id, None),
    };
    let processing = async {
        let result = match row {
            JobRow::Ticket { ticket, sent } => process_ticket(ports, &ticket, sent, now).await,
            JobRow::Lease(job_id) => process_lease(ports, &job_id, now).await,
        };
        result.unwrap_or_else(|error| {
            tracing::error!(%error, "cannot process the row");
            SweepReport {
                failed: 1,
                ..SweepReport::default()
            }
        })
    };
    processing.instrument(span).await
}

async fn process_ticket<P: Ports>(
    ports: &P,
    ticket: &Ticket,
    sent: u32,
    now: Timestamp,
) -> Result<SweepReport, PortError> {
    let Some(job) = ports.job(&ticket.job_id).await? else {
        return remove(ports, &ticket.job_id).await;
    };
    trace::record_job(&job);
    match job.status {
        JobStatus::Completed | JobStatus::Failed => remove(ports, &job.id).await,
        JobStatus::Queued | JobStatus::Retrying => resend(ports, &job, ticket, sent, now).await,
        // The transition to these states removed this row, and the next transition may write one with the same key at any
        // moment: this read is stale.
        JobStatus::Processing | JobStatus::DeadLetter => Ok(SweepReport::default()),
    }
}

async fn resend<P: Ports>(
    ports: &P,
    job: &Job,
    ticket: &Ticket,
    sent: u32,
    now: Timestamp,
) -> Result<SweepReport, PortError> {
    let waiting_since = job.not_before.unwrap_or(job.updated_at);
    if waiting_since > now {
        return Ok(SweepReport::default());
    }
    if now.since(waiting_since) > retry::START_WITHIN {
        return give_up(ports, job, now).await;
    }
    let (account, no_delay) = (job.account_id.as_str(), std::time::Duration::ZERO);
    ports.send(job.processor, account, ticket, no_delay).await?;
    let sent = sent.saturating_add(1);
    let due = now.plus(retry::resend_after(sent));
    ports.postpone(&job.id, sent, due).await?;
    tracing::warn!(sent, "ticket resent");
    Ok(SweepReport {
        resent: 1,
        ..SweepReport::default()
    })
}

async fn remove<P: Ports>(ports: &P, job: &JobId) -> Result<SweepReport, PortError> {
    ports.remove(&[OutboxKey::Ticket(job.clone())]).await?;
    Ok(SweepReport {
        removed: 1,
        ..SweepReport::default()
    })
}

async fn give_up<P: Ports>(ports: &P, job: &Job, now: Timestamp) -> Result<SweepReport, PortError> {
    let Some(transition) = job.dead_letter(now) else {
        return Ok(SweepReport::default());
    };
    if !ports.apply(&transition).await? {
        return Ok(SweepReport::default());
    }
    tracing::error!("no worker started the job: dead-lettered");
    outbox::dispatch(ports, &transition).await;
    tracing::info!(target: "metrics", JobsDeadLettered = 1_u64, operation = job.operation());
    Ok(SweepReport {
        dead_lettered: 1,
        ..SweepReport::default()
    })
}

async fn process_lease<P: Ports>(
    ports: &P,
    job_id: &JobId,
    now: Timestamp,
) -> Result<SweepReport, PortError> {
    let Some(job) = ports.job(job_id).await? else {
        return Ok(SweepReport::default());
    };
    trace::record_job(&job);
    let Some(released) = job.release_expired_lease(now) else {
        return Ok(SweepReport::default());
    };
    if !ports.apply(&released).await? {
        return Ok(SweepReport::default());
    }
    tracing::warn!("lease expired: job released");
    outbox::dispatch(ports, &released).await;
    tracing::info!(target: "metrics", JobsRetried = 1_u64, operation = job.operation());
    Ok(SweepReport {
        released: 1,
        ..SweepReport::default()
    })
}
