//! Transactional-outbox relay: publishes unsent events, resends tickets and releases jobs whose lease has expired, so that
//! a crash loses nothing.

mod deliveries;
mod library;
mod report;
mod row;
mod shard;

use std::time::Instant;

use domain::outbox::SHARDS;
use domain::ports::{Deliveries, Events, Jobs, Library, Objects, Outbox, Queues};
use domain::timestamp::Timestamp;
use futures::future::join;
use futures::{StreamExt as _, stream};

pub use report::{Incomplete, SweepReport};

#[cfg(test)]
mod tests;

/// Shards swept concurrently.
const SHARDS_AT_ONCE: usize = 8;

/// The ports that a sweep uses.
pub trait Ports: Deliveries + Events + Jobs + Library + Objects + Outbox + Queues {}

impl<P> Ports for P where P: Deliveries + Events + Jobs + Library + Objects + Outbox + Queues {}

/// Processes every row that is due at `now`. Starts no further row after `deadline`; the next run continues.
///
/// # Errors
/// [`Incomplete`] if a row or shard failed. Failed rows stay due; all other rows are processed.
pub async fn sweep<P: Ports>(
    ports: &P,
    now: Timestamp,
    deadline: Instant,
) -> Result<SweepReport, Incomplete> {
    let report = stream::iter(rotated_shards(now))
        .map(|shard| shard::sweep(ports, shard, now, deadline))
        .buffer_unordered(SHARDS_AT_ONCE)
        .fold(
            SweepReport::default(),
            |sum, report| async move { sum + report },
        )
        .await;
    // Concurrent, so that a backlog of one does not delay the other.
    let deliveries = deliveries::send(ports, now, deadline);
    let (sent, cleaned) = join(deliveries, library::clean_up(ports, now, deadline)).await;
    let report = report + sent + cleaned;
    tracing::info!(?report, "sweep finished");
    report.into_result()
}

/// All shards, starting with a different one each minute, so that a run that reaches its deadline does not always skip
/// the same shards.
fn rotated_shards(now: Timestamp) -> impl Iterator<Item = u8> {
    let minute = now.seconds() / 60;
    let first = u8::try_from(minute.rem_euclid(i64::from(SHARDS))).unwrap_or(0);
    (0..SHARDS).map(move |shard| (first + shard) % SHARDS)
}
