//! The transactional outbox: tickets and events that are written with a transition, then sent at once or by `sweep`.

use std::time::Duration;

use crate::event::{Event, EventType, Subject};
use crate::id::JobId;
use crate::job::Job;
use crate::ports::{Events, Outbox, OutboxKey, Queues};
use crate::processor::Processor;
use crate::subscription::SubscriptionId;
use crate::ticket::Ticket;
use crate::transition::{TicketChange, Transition};

/// Number of shards of the index of due rows, to avoid a hot partition.
pub const SHARDS: u8 = 16;

/// Returns the shard of a job's rows.
#[must_use]
pub fn shard(job: &JobId) -> u8 {
    shard_of(job.as_str())
}

/// Returns the shard of the events of a subject.
#[must_use]
pub fn event_shard(subject: &Subject) -> u8 {
    shard_of(subject.as_str())
}

/// Returns the shard of a subscription's deliveries.
#[must_use]
pub fn delivery_shard(subscription: &SubscriptionId) -> u8 {
    shard_of(subscription.as_str())
}

fn shard_of(name: &str) -> u8 {
    name.bytes()
        .fold(0_u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte))
        % SHARDS
}

/// Sends the ticket and publishes the events of a written transition. On failure the rows stay in the outbox and `sweep`
/// sends them later.
pub async fn dispatch<P>(ports: &P, transition: &Transition)
where
    P: Queues + Events + Outbox + ?Sized,
{
    dispatch_with(ports, Vec::new(), transition).await;
}

/// As [`dispatch`], publishing events from earlier writes in the same batch.
pub async fn dispatch_with<P>(ports: &P, earlier: Vec<Event>, transition: &Transition)
where
    P: Queues + Events + Outbox + ?Sized,
{
    send_ticket(ports, transition.job.processor, transition).await;
    let mut events = earlier;
    events.extend(transition.events());
    if !events.is_empty() {
        publish(ports, &events).await;
    }
}

/// Returns the `job.created` event of a new job, to be published with its first transition: accepting a job publishes
/// nothing. `None` once the job has had a transition, since that published the event; this includes jobs that were
/// dead-lettered before their first attempt and redriven.
#[must_use]
pub fn creation_event(job: &Job) -> Option<Event> {
    let is_new = job.attempt == 0 && job.updated_at == job.created_at;
    let is_published = is_new && !job.is_internal();
    is_published.then(|| Event::of_job(EventType::JobCreated, job))
}

/// Publishes events, deletes the outbox rows of those that the bus accepted, and returns their number. The others stay due.
pub async fn publish<P>(ports: &P, events: &[Event]) -> usize
where
    P: Events + Outbox + ?Sized,
{
    let accepted = match ports.publish(events).await {
        Ok(accepted) => accepted,
        Err(error) => {
            tracing::warn!(%error, "events not published; sweep will publish them");
            return 0;
        }
    };
    let rows: Vec<_> = events
        .iter()
        .filter(|event| accepted.contains(&event.id))
        .map(|event| OutboxKey::Event(event.subject(), event.id.clone()))
        .collect();
    if rows.len() < events.len() {
        tracing::warn!(
            rejected = events.len() - rows.len(),
            "events rejected by the bus; sweep will publish them"
        );
    }
    match ports.remove(&rows).await {
        Ok(()) => rows.len(),
        Err(error) => {
            tracing::warn!(%error, "outbox rows of published events not deleted; sweep will publish the events again");
            0
        }
    }
}

async fn send_ticket<P: Queues + ?Sized>(ports: &P, processor: Processor, transition: &Transition) {
    let TicketChange::Put { ticket, delay, .. } = &transition.ticket else {
        return;
    };
    send_now(
        ports,
        processor,
        transition.job.account_id.as_str(),
        ticket,
        *delay,
    )
    .await;
}

/// Sends a ticket that is in the outbox. A failure is only logged, because `sweep` resends the ticket.
pub async fn send_now<P>(
    ports: &P,
    processor: Processor,
    group: &str,
    ticket: &Ticket,
    delay: Duration,
) where
    P: Queues + ?Sized,
{
    if let Err(error) = ports.send(processor, group, ticket, delay).await {
        tracing::warn!(%error, job_id = %ticket.job_id, "ticket not sent; sweep will send it");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;
    use std::collections::BTreeMap;

    #[test]
    fn jobs_spread_over_all_shards() {
        let mut counts = BTreeMap::new();
        for random in 0..1_600_u128 {
            let job = JobId::mint(Timestamp(1_795_000_000_000), random * 0x9e37_79b9_7f4a_7c15);
            *counts.entry(shard(&job)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), usize::from(SHARDS));
        assert!(
            counts.values().all(|count| (50..=150).contains(count)),
            "{counts:?}"
        );
    }
}
