//! Sends the tickets of due deliveries: those whose ticket was lost, and those whose retry delay exceeds what SQS supports.

use std::future::ready;
use std::time::{Duration, Instant};

use domain::ports::{Deliveries, DueDelivery, DueDeliveryPage, PortError, Queues};
use domain::retry;
use domain::subscription::DeliveryTicket;
use domain::timestamp::Timestamp;
use futures::{StreamExt as _, stream};

use crate::SweepReport;

/// Rows per query.
const PAGE: u32 = 100;

/// Shards swept concurrently, and rows of each postponed concurrently.
const AT_ONCE: usize = 4;

/// Sends the ticket of every delivery that is due at `now`, until none is left or the deadline is reached.
pub(crate) async fn send<P>(ports: &P, now: Timestamp, deadline: Instant) -> SweepReport
where
    P: Deliveries + Queues,
{
    stream::iter(crate::rotated_shards(now))
        .map(|shard| send_shard(ports, shard, now, deadline))
        .buffer_unordered(AT_ONCE)
        .fold(SweepReport::default(), |sum, report| ready(sum + report))
        .await
}

async fn send_shard<P>(ports: &P, shard: u8, now: Timestamp, deadline: Instant) -> SweepReport
where
    P: Deliveries + Queues,
{
    let (mut report, mut position) = (SweepReport::default(), None);
    while Instant::now() < deadline {
        let page = ports.due_deliveries(shard, now, position.as_ref(), PAGE);
        let Some(page) = logged(shard, page.await) else {
            return report + failures(1);
        };
        report = report + crate::shard::report_unreadable(shard, &page.unreadable);
        report = report + send_page(ports, &page.deliveries, now).await;
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    report
}

fn logged(shard: u8, page: Result<DueDeliveryPage, PortError>) -> Option<DueDeliveryPage> {
    page.inspect_err(|error| {
        tracing::error!(%error, shard, "cannot query the due deliveries");
    })
    .ok()
}

/// Sends tickets and postpones the deliveries whose ticket SQS accepted. The others stay due.
async fn send_page<P>(ports: &P, due: &[DueDelivery], now: Timestamp) -> SweepReport
where
    P: Deliveries + Queues,
{
    if due.is_empty() {
        return SweepReport::default();
    }
    let accepted = send_tickets(ports, due).await;
    let rejected = failures(due.len().saturating_sub(accepted.len()));
    stream::iter(
        due.iter()
            .filter(|delivery| accepted.contains(&delivery.ticket)),
    )
    .map(|delivery| postpone(ports, delivery, now))
    .buffer_unordered(AT_ONCE)
    .fold(rejected, |sum, report| ready(sum + report))
    .await
}

/// Sends the tickets and returns those that SQS accepted.
async fn send_tickets<P>(ports: &P, due: &[DueDelivery]) -> Vec<DeliveryTicket>
where
    P: Queues,
{
    let tickets: Vec<_> = due.iter().map(|delivery| delivery.ticket.clone()).collect();
    let accepted = ports.send_deliveries(&tickets, Duration::ZERO).await;
    accepted.unwrap_or_else(|error| {
        tracing::error!(%error, "cannot send delivery tickets");
        Vec::new()
    })
}

async fn postpone<P>(ports: &P, due: &DueDelivery, now: Timestamp) -> SweepReport
where
    P: Deliveries,
{
    let until = now.plus(retry::resend_after(due.sent.saturating_add(1)));
    if let Err(error) = ports.postpone_delivery(due, until).await {
        let delivery_id = &due.ticket.delivery_id;
        tracing::error!(%error, %delivery_id, "cannot postpone the delivery");
        return failures(1);
    }
    SweepReport {
        deliveries: 1,
        ..SweepReport::default()
    }
}

fn failures(failed: usize) -> SweepReport {
    SweepReport {
        failed,
        ..SweepReport::default()
    }
}

#[cfg(test)]
#[path = "deliveries_tests.rs"]
mod tests;
