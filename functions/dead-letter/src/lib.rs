//! Dead-letters the jobs whose tickets reached a dead-letter queue (DLQ): sets the status `dead_letter`, refunds the charge and
//! publishes the event.

use domain::id::JobId;
use domain::outbox;
use domain::ports::{Events, Jobs, Outbox, PortError};
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use domain::trace;
use tracing::Instrument as _;

#[cfg(test)]
mod tests;

/// Dead-letters the ticket's job at `now`. A ticket of a finished, leased or unknown job is only acknowledged.
///
/// # Errors
/// [`PortError`] if the job cannot be read or written: the ticket must stay in its queue.
pub async fn dead_letter<P>(ports: &P, ticket: &Ticket, now: Timestamp) -> Result<(), PortError>
where
    P: Events + Jobs + Outbox + ?Sized,
{
    let span = trace::job_span(&ticket.job_id, ticket.traceparent.as_deref());
    dead_letter_job(ports, &ticket.job_id, now)
        .instrument(span)
        .await
}

async fn dead_letter_job<P>(ports: &P, id: &JobId, now: Timestamp) -> Result<(), PortError>
where
    P: Events + Jobs + Outbox + ?Sized,
{
    let Some(job) = ports.job(id).await? else {
        tracing::warn!("dead letter ignored: unknown job");
        return Ok(());
    };
    trace::record_job(&job);
    let Some(transition) = job.dead_letter(now) else {
        tracing::info!(status = %job.status, "dead letter ignored: the job is finished or leased");
        return Ok(());
    };
    if !ports.apply(&transition).await? {
        tracing::info!("dead letter ignored: the job has changed meanwhile");
        return Ok(());
    }
    tracing::error!("job dead-lettered");
    outbox::publish(ports, transition.event.as_slice()).await;
    tracing::info!(target: "metrics", JobsDeadLettered = 1_u64, operation = job.operation());
    Ok(())
}
