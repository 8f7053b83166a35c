//! Gives up on jobs whose tickets landed in a dead-letter queue: `dead_letter`, refund and event.

use domain::id::JobId;
use domain::outbox;
use domain::ports::{Events, Jobs, Outbox, PortError};
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use domain::trace;
use tracing::Instrument as _;

#[cfg(test)]
mod tests;

/// Buries the ticket's job at `now`, unless it has ended or a worker holds it: then the ticket is merely done with.
///
/// # Errors
/// [`PortError`] when that could not be found out or written: the ticket must stay in its queue.
pub async fn bury<P>(ports: &P, ticket: &Ticket, now: Timestamp) -> Result<(), PortError>
where
    P: Events + Jobs + Outbox + ?Sized,
{
    let span = trace::job_span(&ticket.job_id, ticket.traceparent.as_deref());
    bury_job(ports, &ticket.job_id, now).instrument(span).await
}

async fn bury_job<P>(ports: &P, id: &JobId, now: Timestamp) -> Result<(), PortError>
where
    P: Events + Jobs + Outbox + ?Sized,
{
    let Some(job) = ports.job(id).await? else {
        tracing::warn!("dead letter of an unknown job");
        return Ok(());
    };
    trace::identify(&job);
    let Some(buried) = job.give_up(now) else {
        tracing::info!(status = %job.status, "dead letter of a job that has ended or is held");
        return Ok(());
    };
    if !ports.apply(&buried).await? {
        tracing::info!("dead letter of a job that has moved on");
        return Ok(());
    }
    tracing::error!("buried");
    outbox::publish(ports, buried.event.as_slice()).await;
    tracing::info!(target: "metrics", JobsDeadLettered = 1_u64, operation = job.operation());
    Ok(())
}
