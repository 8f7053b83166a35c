//! Gives up on jobs whose tickets landed in a dead-letter queue: `dead_letter`, refund and event.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

use domain::outbox;
use domain::ports::{KeepOutbox, MoveJobs, PortError, PublishEvents};
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;

#[cfg(test)]
mod tests;

/// Buries the ticket's job at `now`, unless it has ended or a worker holds it: then the ticket is merely done with.
///
/// # Errors
/// [`PortError`] when that could not be found out or written: the ticket must stay in its queue.
pub async fn bury<P>(ports: &P, ticket: &Ticket, now: Timestamp) -> Result<(), PortError>
where
    P: MoveJobs + KeepOutbox + PublishEvents + ?Sized,
{
    let job_id = &ticket.job_id;
    let Some(job) = ports.job(job_id).await? else {
        tracing::warn!(%job_id, "dead letter of an unknown job");
        return Ok(());
    };
    let Some(buried) = job.give_up(now) else {
        tracing::info!(%job_id, status = %job.status, "dead letter of a job that has ended or is held");
        return Ok(());
    };
    if !ports.apply(&buried).await? {
        tracing::info!(%job_id, "dead letter of a job that has moved on");
        return Ok(());
    }
    tracing::error!(%job_id, account_id = %job.account_id, attempt = job.attempt, "buried");
    outbox::publish(ports, buried.event.as_slice()).await;
    tracing::info!(target: "metrics", JobsDeadLettered = 1_u64, operation = job.operation());
    Ok(())
}
