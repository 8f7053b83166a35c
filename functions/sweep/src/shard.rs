//! Sweeps one shard of the outbox, page by page.

use std::future::ready;
use std::time::Instant;

use domain::event::Event;
use domain::outbox;
use domain::ports::Due;
use domain::timestamp::Timestamp;
use futures::StreamExt as _;
use futures::stream;

use crate::{Ports, Tally, row};

/// How many rows are read at once.
const PAGE: u32 = 100;

/// How many jobs of a shard are dealt with at once.
const JOBS_AT_ONCE: usize = 4;

/// Deals once with each row that is due in one shard, until there are no more or the deadline is reached. A row that
/// fails or cannot be read stays where it is and hides none of those behind it.
pub(crate) async fn sweep<P: Ports>(
    ports: &P,
    shard: u8,
    now: Timestamp,
    deadline: Instant,
) -> Tally {
    let mut tally = Tally::default();
    let mut position = None;
    while Instant::now() < deadline {
        let page = match ports.due(shard, now, position.as_ref(), PAGE).await {
            Ok(page) => page,
            Err(error) => {
                tracing::error!(%error, shard, "cannot read what is due");
                tally.failed += 1;
                break;
            }
        };
        tally = tally + report(shard, &page.unreadable);
        let (events, jobs) = split(page.rows);
        tally = tally + publish(ports, &events).await;
        tally = tally + take_up(ports, jobs, now, deadline).await;
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    tally
}

/// Tells the operator of rows that only another release can deal with.
pub(crate) fn report(shard: u8, unreadable: &[String]) -> Tally {
    let Some(first) = unreadable.first() else {
        return Tally::default();
    };
    let rows = unreadable.len();
    tracing::error!(shard, rows, first, "rows that this release cannot read");
    tracing::info!(target: "metrics", OutboxRowsUnreadable = rows as u64);
    Tally {
        failed: rows,
        ..Tally::default()
    }
}

fn split(rows: Vec<Due>) -> (Vec<Event>, Vec<row::JobRow>) {
    let (mut events, mut jobs) = (Vec::new(), Vec::new());
    for row in rows {
        match row {
            Due::Event(event) => events.push(event),
            Due::Ticket { ticket, sent } => jobs.push(row::JobRow::Ticket { ticket, sent }),
            Due::Lease(job) => jobs.push(row::JobRow::Lease(job)),
        }
    }
    (events, jobs)
}

async fn publish<P: Ports>(ports: &P, events: &[Event]) -> Tally {
    if events.is_empty() {
        return Tally::default();
    }
    let published = outbox::publish(ports, events).await;
    Tally {
        published,
        failed: events.len() - published,
        ..Tally::default()
    }
}

async fn take_up<P: Ports>(
    ports: &P,
    jobs: Vec<row::JobRow>,
    now: Timestamp,
    deadline: Instant,
) -> Tally {
    stream::iter(jobs)
        .take_while(|_| ready(Instant::now() < deadline))
        .map(|job| row::take_up(ports, job, now))
        .buffer_unordered(JOBS_AT_ONCE)
        .fold(Tally::default(), |sum, tally| ready(sum + tally))
        .await
}
