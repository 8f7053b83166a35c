//! Sends the tickets of deliveries that are due: their own went astray, or they wait longer than a queue holds a message.

use std::future::ready;
use std::time::{Duration, Instant};

use domain::ports::{Deliveries, DueDelivery, DueDeliveryPage, PortError, Queues};
use domain::retry;
use domain::subscription::DeliveryTicket;
use domain::timestamp::Timestamp;
use futures::{StreamExt as _, stream};

use crate::Tally;

/// How many rows are read at once.
const PAGE: u32 = 100;

/// How many shards are gone through at once, and how many rows of each are put off at once.
const AT_ONCE: usize = 4;

/// Deals once with every delivery that is due at `now`, until there are no more or the deadline is reached.
pub(crate) async fn send<P>(ports: &P, now: Timestamp, deadline: Instant) -> Tally
where
    P: Deliveries + Queues,
{
    stream::iter(crate::in_turn(now))
        .map(|shard| send_shard(ports, shard, now, deadline))
        .buffer_unordered(AT_ONCE)
        .fold(Tally::default(), |sum, tally| ready(sum + tally))
        .await
}

async fn send_shard<P>(ports: &P, shard: u8, now: Timestamp, deadline: Instant) -> Tally
where
    P: Deliveries + Queues,
{
    let (mut tally, mut position) = (Tally::default(), None);
    while Instant::now() < deadline {
        let page = ports.due_deliveries(shard, now, position.as_ref(), PAGE);
        let Some(page) = readable(shard, page.await) else {
            return tally + failures(1);
        };
        tally = tally + crate::shard::report(shard, &page.unreadable);
        tally = tally + send_page(ports, &page.deliveries, now).await;
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    tally
}

fn readable(shard: u8, page: Result<DueDeliveryPage, PortError>) -> Option<DueDeliveryPage> {
    page.inspect_err(|error| {
        tracing::error!(%error, shard, "cannot read which deliveries are due");
    })
    .ok()
}

/// Sends tickets and puts off those that the queue took. The others stay due.
async fn send_page<P>(ports: &P, due: &[DueDelivery], now: Timestamp) -> Tally
where
    P: Deliveries + Queues,
{
    if due.is_empty() {
        return Tally::default();
    }
    let taken = send_tickets(ports, due).await;
    let refused = failures(due.len().saturating_sub(taken.len()));
    stream::iter(due.iter().filter(|one| taken.contains(&one.ticket)))
        .map(|one| put_off(ports, one, now))
        .buffer_unordered(AT_ONCE)
        .fold(refused, |sum, tally| ready(sum + tally))
        .await
}

/// The tickets that the queue took.
async fn send_tickets<P>(ports: &P, due: &[DueDelivery]) -> Vec<DeliveryTicket>
where
    P: Queues,
{
    let tickets: Vec<_> = due.iter().map(|one| one.ticket.clone()).collect();
    let taken = ports.send_deliveries(&tickets, Duration::ZERO).await;
    taken.unwrap_or_else(|error| {
        tracing::error!(%error, "tickets of deliveries not sent");
        Vec::new()
    })
}

async fn put_off<P>(ports: &P, due: &DueDelivery, now: Timestamp) -> Tally
where
    P: Deliveries,
{
    let until = now.plus(retry::resend_after(due.sent.saturating_add(1)));
    if let Err(error) = ports.postpone_delivery(due, until).await {
        let delivery_id = &due.ticket.delivery_id;
        tracing::error!(%error, %delivery_id, "a delivery is not put off");
        return failures(1);
    }
    Tally {
        deliveries: 1,
        ..Tally::default()
    }
}

fn failures(failed: usize) -> Tally {
    Tally {
        failed,
        ..Tally::default()
    }
}

#[cfg(test)]
#[path = "deliveries_tests.rs"]
mod tests;
