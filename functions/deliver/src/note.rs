//! Notes what an attempt says of its receiver, and ends subscriptions whose receivers are gone or fail for long.

use domain::ports::PortError;
use domain::ports::subscriptions::NoteReceivers;
use domain::subscription::{
    DISABLED_AFTER, Delivery, DisabledReason, LastDelivery, Outcome, Subscription, SubscriptionKind,
};
use domain::timestamp::Timestamp;

/// Notes the outcome of an attempt that ended at `now`; `subscription` is what was known of the receiver before.
pub(crate) async fn note<P: NoteReceivers>(
    ports: &P,
    subscription: &Subscription,
    delivery: &Delivery,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(), PortError> {
    judge(ports, subscription, outcome, now).await?;
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

/// What is known already is not written again.
async fn judge<P: NoteReceivers>(
    ports: &P,
    subscription: &Subscription,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(), PortError> {
    let (account, id) = (&subscription.account_id, &subscription.id);
    match subscription.failing_since {
        Some(_) if outcome.is_success() => ports.note_working(account, id).await,
        None if outcome.is_success() => Ok(()),
        _ if outcome.is_gone() => disable(ports, subscription, DisabledReason::Gone).await,
        Some(since) if now.since(since) >= DISABLED_AFTER => {
            disable(ports, subscription, DisabledReason::Failing).await
        }
        Some(_) => Ok(()),
        None => ports.note_failing(account, id, now).await,
    }
}

async fn disable<P: NoteReceivers>(
    ports: &P,
    subscription: &Subscription,
    reason: DisabledReason,
) -> Result<(), PortError> {
    let (account, id) = (&subscription.account_id, &subscription.id);
    if ports.disable(account, id, reason).await? {
        tracing::warn!(?reason, "subscription disabled");
    }
    Ok(())
}
