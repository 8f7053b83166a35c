//! Receiver health: records successes and failures, and disables subscriptions whose receiver responded 410 Gone or keeps
//! failing.

use domain::ports::{PortError, Subscriptions};
use domain::subscription::{
    Delivery, DeliveryOutcome, DisabledReason, HealthUpdate, LastDelivery, Subscription,
    SubscriptionKind,
};
use domain::timestamp::Timestamp;

/// Disables the subscription if its receiver responded 410 Gone.
pub(crate) async fn disable_if_gone<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    outcome: DeliveryOutcome,
) -> Result<(), PortError> {
    if outcome.is_gone() {
        disable(ports, subscription, DisabledReason::Gone, None).await?;
    }
    Ok(())
}

/// Records the outcome of an attempt that ended at `now`. `subscription` has the receiver's health before the attempt.
pub(crate) async fn update<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    delivery: &Delivery,
    outcome: DeliveryOutcome,
    now: Timestamp,
) -> Result<(), PortError> {
    if let Some(update) = subscription.health_update(outcome, now) {
        write(ports, subscription, &update, now).await?;
    }
    if subscription.id.kind() == SubscriptionKind::Hook {
        let last = LastDelivery {
            delivered: outcome.is_success(),
            status_code: outcome.status(),
            attempts: delivery.attempts,
            at: now,
        };
        let (account, id) = (&subscription.account_id, &subscription.id);
        ports.record_last_delivery(account, id, &last).await?;
    }
    Ok(())
}

async fn write<P: Subscriptions>(
    ports: &P,
    subscription: &Subscription,
    update: &HealthUpdate,
    now: Timestamp,
) -> Result<(), PortError> {
    let (account, id) = (&subscription.account_id, &subscription.id);
    match *update {
        HealthUpdate::Succeeded => ports.record_success(account, id, now).await?,
        HealthUpdate::Failed(failure) => ports.record_failure(account, id, &failure).await?,
        HealthUpdate::Disable { failing_since } => {
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
