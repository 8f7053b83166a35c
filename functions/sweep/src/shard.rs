//! Sweeps one shard of the outbox, batch by batch.

use std::collections::HashSet;
use std::future::ready;
use std::time::Instant;

use domain::event::Event;
use domain::id::{EventId, JobId};
use domain::outbox::{self, Due};
use domain::timestamp::Timestamp;
use futures::StreamExt as _;
use futures::stream;

use crate::{Ports, Tally, row};

/// How many rows are read at once.
const BATCH: usize = 100;

/// How many jobs of a shard are dealt with at once.
const JOBS_AT_ONCE: usize = 4;

/// Deals with what is due in one shard until nothing new comes up or the deadline is reached.
pub(crate) async fn sweep<P: Ports>(
    ports: &P,
    shard: u8,
    now: Timestamp,
    deadline: Instant,
) -> Tally {
    let mut tally = Tally::default();
    let mut seen = HashSet::new();
    while Instant::now() < deadline {
        // Rows that failed stay at the head of what is due: the batch grows, so that they do not hide those behind them.
        let limit = u32::try_from(BATCH + tally.failed).unwrap_or(u32::MAX);
        let rows = match ports.due(shard, now, limit).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::error!(%error, shard, "cannot read what is due");
                tally.failed += 1;
                break;
            }
        };
        // The index lags behind what was written, so a row that was dealt with may come up again.
        let (events, jobs) = split(rows.into_iter().filter(|row| seen.insert(Key::of(row))));
        if events.is_empty() && jobs.is_empty() {
            break;
        }
        tally = tally + publish(ports, &events).await;
        tally = tally + take_up(ports, jobs, now, deadline).await;
    }
    tally
}

/// What tells one row from another.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Ticket(JobId),
    Event(EventId),
    Lease(JobId),
}

impl Key {
    fn of(row: &Due) -> Self {
        match row {
            Due::Ticket { ticket, .. } => Self::Ticket(ticket.job_id.clone()),
            Due::Event(event) => Self::Event(event.id.clone()),
            Due::Lease(job) => Self::Lease(job.clone()),
        }
    }
}

fn split(rows: impl Iterator<Item = Due>) -> (Vec<Event>, Vec<row::JobRow>) {
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
