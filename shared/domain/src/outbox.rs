//! The outbox: what was written with a move and has to be sent, at once if possible and by `sweep` otherwise.

use std::time::Duration;

use crate::event::{Event, EventType, Subject};
use crate::id::JobId;
use crate::job::Job;
use crate::ports::{Events, Outbox, OutboxKey, Queues};
use crate::processor::Processor;
use crate::subscription::SubscriptionId;
use crate::ticket::Ticket;
use crate::transition::{TicketChange, Transition};

/// Over how many shards the index of due rows is spread, so that none of them grows hot.
pub const SHARDS: u8 = 16;

/// The shard that everything of a job lies in.
#[must_use]
pub fn shard(job: &JobId) -> u8 {
    shard_of(job.as_str())
}

/// The shard that the events of a subject lie in.
#[must_use]
pub fn event_shard(subject: &Subject) -> u8 {
    shard_of(subject.as_str())
}

/// The shard that the deliveries of a subscription lie in.
#[must_use]
pub fn delivery_shard(subscription: &SubscriptionId) -> u8 {
    shard_of(subscription.as_str())
}

fn shard_of(name: &str) -> u8 {
    name.bytes()
        .fold(0_u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte))
        % SHARDS
}

/// Sends what a written move has to tell: its ticket to the queue, its events to the bus. What fails here stays in the
/// outbox, and `sweep` sends it later.
pub async fn deliver<P>(ports: &P, transition: &Transition)
where
    P: Queues + Events + Outbox + ?Sized,
{
    deliver_after(ports, Vec::new(), transition).await;
}

/// The same, after events that were written before and are still to be told: all of them are published together.
pub async fn deliver_after<P>(ports: &P, earlier: Vec<Event>, transition: &Transition)
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

/// The creation of a job, for the first move of it to tell: accepting it published nothing. None of a job that has moved
/// before, one that was buried unstarted and sent round again among them: its creation was told then.
#[must_use]
pub fn creation(job: &Job) -> Option<Event> {
    let is_new = job.attempt == 0 && job.updated_at == job.created_at;
    let is_told = is_new && !job.is_internal();
    is_told.then(|| Event::of_job(EventType::JobCreated, job))
}

/// Publishes events, removes the rows of those that the bus took, and says how many that were. The others stay due.
pub async fn publish<P>(ports: &P, events: &[Event]) -> usize
where
    P: Events + Outbox + ?Sized,
{
    let taken = match ports.publish(events).await {
        Ok(taken) => taken,
        Err(error) => {
            tracing::warn!(%error, "events not published; sweep will do it");
            return 0;
        }
    };
    let rows: Vec<_> = events
        .iter()
        .filter(|event| taken.contains(&event.id))
        .map(|event| OutboxKey::Event(event.subject(), event.id.clone()))
        .collect();
    if rows.len() < events.len() {
        tracing::warn!(
            refused = events.len() - rows.len(),
            "events refused by the bus; sweep will send them"
        );
    }
    match ports.remove(&rows).await {
        Ok(()) => rows.len(),
        Err(error) => {
            tracing::warn!(%error, "published events stay in the outbox; sweep will publish them once more");
            0
        }
    }
}

async fn send_ticket<P: Queues + ?Sized>(ports: &P, processor: Processor, transition: &Transition) {
    let TicketChange::Put { ticket, delay, .. } = &transition.ticket else {
        return;
    };
    send_at_once(
        ports,
        processor,
        transition.job.account_id.as_str(),
        ticket,
        *delay,
    )
    .await;
}

/// Sends a ticket whose row is in the outbox. A failure is only logged: `sweep` sends what is in the outbox.
pub async fn send_at_once<P>(
    ports: &P,
    processor: Processor,
    group: &str,
    ticket: &Ticket,
    delay: Duration,
) where
    P: Queues + ?Sized,
{
    if let Err(error) = ports.send(processor, group, ticket, delay).await {
        tracing::warn!(%error, job_id = %ticket.job_id, "ticket not sent; sweep will do it");
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
