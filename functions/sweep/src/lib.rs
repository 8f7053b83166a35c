//! Sends what was written and not sent, and takes up jobs whose worker is gone: the reason why a crash loses nothing.

mod deliveries;
mod library;
mod row;
mod shard;
mod tally;

use std::time::Instant;

use domain::outbox::SHARDS;
use domain::ports::{Deliveries, Events, Jobs, Library, Objects, Outbox, Queues};
use domain::timestamp::Timestamp;
use futures::future::join;
use futures::{StreamExt as _, stream};

pub use tally::{Incomplete, Tally};

#[cfg(test)]
mod tests;

/// How many shards are swept at once.
const SHARDS_AT_ONCE: usize = 8;

/// What a sweep needs of the world.
pub trait Ports: Deliveries + Events + Jobs + Library + Objects + Outbox + Queues {}

impl<P> Ports for P where P: Deliveries + Events + Jobs + Library + Objects + Outbox + Queues {}

/// Deals with everything that is due at `now`, and begins nothing more after `deadline`: the next run goes on.
///
/// # Errors
/// [`Incomplete`] if something failed. It stays due, and everything else was dealt with all the same.
pub async fn sweep<P: Ports>(
    ports: &P,
    now: Timestamp,
    deadline: Instant,
) -> Result<Tally, Incomplete> {
    let tally = stream::iter(in_turn(now))
        .map(|shard| shard::sweep(ports, shard, now, deadline))
        .buffer_unordered(SHARDS_AT_ONCE)
        .fold(Tally::default(), |sum, tally| async move { sum + tally })
        .await;
    // At the same time, so that neither has to wait for what the other has plenty of.
    let deliveries = deliveries::send(ports, now, deadline);
    let (sent, tidied) = join(deliveries, library::tidy(ports, now, deadline)).await;
    let tally = tally + sent + tidied;
    tracing::info!(?tally, "swept");
    tally.verdict()
}

/// All shards, each run beginning with another one: what a run has no time for is not always the same.
fn in_turn(now: Timestamp) -> impl Iterator<Item = u8> {
    let minute = now.seconds() / 60;
    let first = u8::try_from(minute.rem_euclid(i64::from(SHARDS))).unwrap_or(0);
    (0..SHARDS).map(move |shard| (first + shard) % SHARDS)
}
