//! Deals with one job that is due: its ticket is sent again, or it is taken from a worker that is gone.

use domain::id::JobId;
use domain::job::{Job, JobStatus};
use domain::outbox;
use domain::ports::{OutboxKey, PortError};
use domain::retry;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use domain::trace;
use tracing::Instrument as _;

use crate::{Ports, Tally};

/// A due row that concerns a job itself.
pub(crate) enum JobRow {
    /// A ticket that nobody has claimed, sent again `sent` times already.
    Ticket { ticket: Ticket, sent: u32 },
    /// A lease that ran out.
    Lease(JobId),
}

/// Deals with a row; a failure is logged and counted.
pub(crate) async fn take_up<P: Ports>(ports: &P, row: JobRow, now: Timestamp) -> Tally {
    let span = match &row {
        JobRow::Ticket { ticket, .. } => {
            trace::job_span(&ticket.job_id, ticket.traceparent.as_deref())
        }
        JobRow::Lease(job_id) => trace::job_span(job_id, None),
    };
    let taken_up = async {
        let result = match row {
            JobRow::Ticket { ticket, sent } => take_up_ticket(ports, &ticket, sent, now).await,
            JobRow::Lease(job_id) => take_up_lease(ports, &job_id, now).await,
        };
        result.unwrap_or_else(|error| {
            tracing::error!(%error, "row not dealt with");
            Tally {
                failed: 1,
                ..Tally::default()
            }
        })
    };
    taken_up.instrument(span).await
}

async fn take_up_ticket<P: Ports>(
    ports: &P,
    ticket: &Ticket,
    sent: u32,
    now: Timestamp,
) -> Result<Tally, PortError> {
    let Some(job) = ports.job(&ticket.job_id).await? else {
        return remove(ports, &ticket.job_id).await;
    };
    trace::identify(&job);
    match job.status {
        JobStatus::Completed | JobStatus::Failed => remove(ports, &job.id).await,
        JobStatus::Queued | JobStatus::Retrying => send_again(ports, &job, ticket, sent, now).await,
        // The move to these has removed the row, and the next move writes another under the same name, perhaps at this
        // moment: what came up is an old picture of it.
        JobStatus::Processing | JobStatus::DeadLetter => Ok(Tally::default()),
    }
}

async fn send_again<P: Ports>(
    ports: &P,
    job: &Job,
    ticket: &Ticket,
    sent: u32,
    now: Timestamp,
) -> Result<Tally, PortError> {
    let waiting_since = job.not_before.unwrap_or(job.updated_at);
    if waiting_since > now {
        return Ok(Tally::default());
    }
    if now.since(waiting_since) > retry::START_WITHIN {
        return give_up(ports, job, now).await;
    }
    let (account, at_once) = (job.account_id.as_str(), std::time::Duration::ZERO);
    ports.send(job.processor, account, ticket, at_once).await?;
    let sent = sent.saturating_add(1);
    let due = now.plus(retry::resend_after(sent));
    ports.postpone(&job.id, sent, due).await?;
    tracing::warn!(sent, "ticket sent again");
    Ok(Tally {
        resent: 1,
        ..Tally::default()
    })
}

async fn remove<P: Ports>(ports: &P, job: &JobId) -> Result<Tally, PortError> {
    ports.remove(&[OutboxKey::Ticket(job.clone())]).await?;
    Ok(Tally {
        removed: 1,
        ..Tally::default()
    })
}

async fn give_up<P: Ports>(ports: &P, job: &Job, now: Timestamp) -> Result<Tally, PortError> {
    let Some(buried) = job.give_up(now) else {
        return Ok(Tally::default());
    };
    if !ports.apply(&buried).await? {
        return Ok(Tally::default());
    }
    tracing::error!("never started: buried");
    outbox::deliver(ports, &buried).await;
    tracing::info!(target: "metrics", JobsDeadLettered = 1_u64, operation = job.operation());
    Ok(Tally {
        buried: 1,
        ..Tally::default()
    })
}

async fn take_up_lease<P: Ports>(
    ports: &P,
    job_id: &JobId,
    now: Timestamp,
) -> Result<Tally, PortError> {
    let Some(job) = ports.job(job_id).await? else {
        return Ok(Tally::default());
    };
    trace::identify(&job);
    let Some(released) = job.release_expired_lease(now) else {
        return Ok(Tally::default());
    };
    if !ports.apply(&released).await? {
        return Ok(Tally::default());
    }
    tracing::warn!("no sign of life: released");
    outbox::deliver(ports, &released).await;
    tracing::info!(target: "metrics", JobsRetried = 1_u64, operation = job.operation());
    Ok(Tally {
        released: 1,
        ..Tally::default()
    })
}
