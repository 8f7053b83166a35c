//! Lanes: tickets of slow receivers have their own queue, so that they do not delay the deliveries of other receivers.

use std::time::Duration;

use domain::ports::{PortError, Queues, Subscriptions};
use domain::subscription::{DeliveryOutcome, DeliveryTicket, Lane, SLOW_AFTER, Subscription};
use domain::timestamp::Timestamp;
use tokio::time::timeout;

/// Whether the ticket of a slow receiver arrived in the lane of ready receivers. A ticket in the slow lane stays there even
/// if its receiver has recovered.
pub(crate) fn is_misrouted(
    ticket: &DeliveryTicket,
    receiver: &Subscription,
    now: Timestamp,
) -> bool {
    ticket.lane == Lane::Ready && receiver.lane(now) == Lane::Slow
}

/// Sends the ticket to the queue of slow receivers. The delivery row is not changed, so `sweep`'s back-off continues.
pub(crate) async fn forward<P: Queues>(
    ports: &P,
    ticket: &DeliveryTicket,
) -> Result<(), PortError> {
    let forwarded = [ticket.clone().in_lane(Lane::Slow)];
    let sent = ports.send_deliveries(&forwarded, Duration::ZERO);
    match sent.await?.is_empty() {
        true => Err(ticket_rejected()),
        false => Ok(()),
    }
}

/// Awaits an attempt and returns its outcome and whether the receiver was slow. Marks the receiver as slow while the attempt
/// still runs, so that its other tickets are forwarded already.
pub(crate) async fn watch<P: Subscriptions>(
    ports: &P,
    receiver: &Subscription,
    attempt: impl Future<Output = DeliveryOutcome>,
    now: impl Fn() -> Timestamp,
) -> (DeliveryOutcome, bool) {
    let mut attempt = std::pin::pin!(attempt);
    match timeout(SLOW_AFTER, &mut attempt).await {
        Ok(outcome) => (outcome, false),
        Err(_) => {
            let (outcome, ()) = tokio::join!(attempt, record_slow(ports, receiver, now()));
            (outcome, true)
        }
    }
}

/// Failures are only logged: the next slow attempt marks the receiver again.
async fn record_slow<P: Subscriptions>(ports: &P, receiver: &Subscription, now: Timestamp) {
    let Some(mark) = receiver.mark_slow(now) else {
        return;
    };
    let (account, id) = (&receiver.account_id, &receiver.id);
    match ports.record_slow(account, id, &mark).await {
        Ok(()) => tracing::info!("receiver marked as slow"),
        Err(error) => tracing::warn!(%error, "cannot mark the receiver as slow"),
    }
}

fn ticket_rejected() -> PortError {
    PortError::Unavailable {
        service: "slow deliver queue",
        reason: "SQS rejected the ticket".to_owned(),
    }
}
