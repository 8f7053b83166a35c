//! Sweeps one shard of the outbox, page by page.

use std::future::ready;
use std::time::Instant;

use domain::event::Event;
use domain::outbox;
use domain::ports::Due;
use domain::timestamp::Timestamp;
use futures::StreamExt as _;
use futures::stream;

use crate::{Ports, SweepReport, row};

/// Rows per query.
const PAGE: u32 = 100;

/// Jobs of one shard processed concurrently.
const JOBS_AT_ONCE: usize = 4;

/// Processes each due row of a shard once, until no row is left or the deadline is reached. A row that fails or cannot be
/// read stays due and does not block the rows after it.
pub(crate) async fn sweep<P: Ports>(
    ports: &P,
    shard: u8,
    now: Timestamp,
    deadline: Instant,
) -> SweepReport {
    let mut report = SweepReport::default();
    let mut position = None;
    while Instant::now() < deadline {
        let page = match ports.due(shard, now, position.as_ref(), PAGE).await {
            Ok(page) => page,
            Err(error) => {
                tracing::error!(%error, shard, "cannot query the due rows of the outbox");
                report.failed += 1;
                break;
            }
        };
        report = report + report_unreadable(shard, &page.unreadable);
        let (events, jobs) = split(page.rows);
        report = report + publish(ports, &events).await;
        report = report + process(ports, jobs, now, deadline).await;
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    report
}

/// Logs and counts rows that only another release can read.
pub(crate) fn report_unreadable(shard: u8, unreadable: &[String]) -> SweepReport {
    let Some(first) = unreadable.first() else {
        return SweepReport::default();
    };
    let rows = unreadable.len();
    tracing::error!(
        shard,
        rows,
        first,
        "rows skipped: this release cannot read them"
    );
    tracing::info!(target: "metrics", OutboxRowsUnreadable = rows as u64);
    SweepReport {
        failed: rows,
        ..SweepReport::default()
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

async fn publish<P: Ports>(ports: &P, events: &[Event]) -> SweepReport {
    if events.is_empty() {
        return SweepReport::default();
    }
    let published = outbox::publish(ports, events).await;
    SweepReport {
        published,
        failed: events.len() - published,
        ..SweepReport::default()
    }
}

async fn process<P: Ports>(
    ports: &P,
    jobs: Vec<row::JobRow>,
    now: Timestamp,
    deadline: Instant,
) -> SweepReport {
    stream::iter(jobs)
        .take_while(|_| ready(Instant::now() < deadline))
        .map(|job| row::process(ports, job, now))
        .buffer_unordered(JOBS_AT_ONCE)
        .fold(SweepReport::default(), |sum, report| ready(sum + report))
        .await
}
