//! Keeps receivers that answer slowly from delaying others: what is sent to them has a queue of its own.

use std::time::Duration;

use domain::ports::{PortError, Queues, Subscriptions};
use domain::subscription::{DeliveryTicket, Lane, Outcome, SLOW_AFTER, Subscription};
use domain::timestamp::Timestamp;
use tokio::time::timeout;

/// Whether a ticket has come by the queue that others are delayed in. One that came by the other queue stays there, whatever
/// is known of its receiver by now.
pub(crate) fn is_astray(ticket: &DeliveryTicket, receiver: &Subscription, now: Timestamp) -> bool {
    ticket.lane == Lane::Ready && receiver.lane(now) == Lane::Slow
}

/// Sends the ticket to the queue of slow receivers. Its delivery is as it was, so `sweep` goes on waiting longer each time.
pub(crate) async fn forward<P: Queues>(
    ports: &P,
    ticket: &DeliveryTicket,
) -> Result<(), PortError> {
    let forwarded = [ticket.clone().in_lane(Lane::Slow)];
    let taken = ports.send_deliveries(&forwarded, Duration::ZERO);
    match taken.await?.is_empty() {
        true => Err(refused()),
        false => Ok(()),
    }
}

/// Waits for the end of an attempt, and notes while it waits that the receiver is slow, so that what else comes for it is
/// already forwarded. Says with the outcome whether it is.
pub(crate) async fn watch<P: Subscriptions>(
    ports: &P,
    receiver: &Subscription,
    attempt: impl Future<Output = Outcome>,
    now: impl Fn() -> Timestamp,
) -> (Outcome, bool) {
    let mut attempt = std::pin::pin!(attempt);
    match timeout(SLOW_AFTER, &mut attempt).await {
        Ok(outcome) => (outcome, false),
        Err(_) => {
            let (outcome, ()) = tokio::join!(attempt, note_slow(ports, receiver, now()));
            (outcome, true)
        }
    }
}

/// What fails here, the next slow attempt will do.
async fn note_slow<P: Subscriptions>(ports: &P, receiver: &Subscription, now: Timestamp) {
    let Some(mark) = receiver.mark_slow(now) else {
        return;
    };
    let (account, id) = (&receiver.account_id, &receiver.id);
    match ports.note_slow(account, id, &mark).await {
        Ok(()) => tracing::info!("the receiver answers slowly"),
        Err(error) => tracing::warn!(%error, "that the receiver is slow is not noted"),
    }
}

fn refused() -> PortError {
    PortError::Unavailable {
        service: "queue of deliveries to slow receivers",
        reason: "a ticket was refused".to_owned(),
    }
}
