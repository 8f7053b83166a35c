//! Notes what an attempt says of its receiver, and ends subscriptions whose receivers are gone or fail for long.

use domain::ports::{PortError, Subscriptions};
use domain::subscription::{
    Delivery, DisabledReason, LastDelivery, Outcome, ReceiverNote, Subscription, SubscriptionKind,
};
use domain::timestamp::Timestamp;

/// Ends the subscription of a receiver that said that it is gone for good.
pub(crate) async fn note_if_gone<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    outcome: Outcome,
) -> Result<(), PortError> {
    if outcome.is_gone() {
        disable(ports, subscription, DisabledReason::Gone, None).await?;
    }
    Ok(())
}

/// Notes the outcome of an attempt that ended at `now`; `subscription` is what was known of the receiver before.
pub(crate) async fn note<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    delivery: &Delivery,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(), PortError> {
    if let Some(note) = subscription.judge_receiver(outcome, now) {
        write(ports, subscription, &note, now).await?;
    }
    if subscription.id.kind() == SubscriptionKind::Hook {
        let last = LastDelivery {
            delivered: outcome.is_success(),
            status_code: outcome.status(),
            attempts: delivery.attempts,
            at: now,
        };
        let (account, id) = (&subscription.account_id, &subscription.id);
        ports.note_last_delivery(account, id, &last).await?;
    }
    Ok(())
}

async fn write<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    note: &ReceiverNote,
    now: Timestamp,
) -> Result<(), PortError> {
    let (account, id) = (&subscription.account_id, &subscription.id);
    match *note {
        ReceiverNote::Working => ports.note_working(account, id, now).await?,
        ReceiverNote::Failing(failure) => ports.note_failing(account, id, &failure).await?,
        ReceiverNote::GivenUp { failing_since } => {
            let reason = DisabledReason::Failing;
            disable(ports, subscription, reason, Some(failing_since)).await?;
        }
    }
    Ok(())
}

async fn disable<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    reason: DisabledReason,
    failing_since: Option<Timestamp>,
) -> Result<(), PortError> {
    let (account, id) = (&subscription.account_id, &subscription.id);
    if ports.disable(account, id, reason, failing_since).await? {
        tracing::warn!(?reason, "subscription disabled");
    }
    Ok(())
}
