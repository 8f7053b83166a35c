//! Signs and sends webhook deliveries and records the outcome: delivered, retrying, failed or skipped.

mod health;
mod lane;
mod sign;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use domain::ports::{
    Accounts, CallReceivers, Deliveries, PortError, Queues, Secrets, Subscriptions,
};
use domain::subscription::{
    Delivery, DeliveryChange, DeliveryOutcome, DeliveryTicket, Lane, SigningSecret, Subscription,
    SubscriptionId, send_now,
};
use domain::timestamp::Timestamp;
use tracing::Instrument as _;

/// The ports that a delivery uses.
pub trait Ports: Accounts + Deliveries + Queues + Secrets + Subscriptions {}

impl<P> Ports for P where P: Accounts + Deliveries + Queues + Secrets + Subscriptions {}

/// Processes delivery tickets.
pub struct DeliveryWorker<P> {
    ports: Arc<P>,
    receivers: Arc<dyn CallReceivers>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    jitter: Box<dyn Fn() -> f64 + Send + Sync>,
}

impl<P: Ports> DeliveryWorker<P> {
    /// Creates a worker that sends requests through `receivers`. `jitter` returns a random number in 0..1 that spreads the
    /// retries.
    #[must_use]
    pub fn new(
        ports: Arc<P>,
        receivers: Arc<dyn CallReceivers>,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        jitter: impl Fn() -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            ports,
            receivers,
            clock: Box::new(clock),
            jitter: Box::new(jitter),
        }
    }

    /// Makes the due attempt. Does nothing if no attempt is due; forwards a ticket that arrived in the wrong lane.
    ///
    /// # Errors
    /// [`PortError`] if a read or write fails: the ticket must stay in its queue.
    pub async fn deliver(&self, ticket: &DeliveryTicket) -> Result<(), PortError> {
        let span = tracing::info_span!(
            "delivery",
            account_id = %ticket.account_id,
            subscription_id = %ticket.subscription_id,
            delivery_id = %ticket.delivery_id,
        );
        self.attempt(ticket).instrument(span).await
    }

    /// Every step that may fail on our side precedes the claim, so that it uses up no attempt.
    async fn attempt(&self, ticket: &DeliveryTicket) -> Result<(), PortError> {
        let Some(delivery) = self.due(ticket).await? else {
            return Ok(());
        };
        let Some(subscription) = self.active_subscription(&delivery).await? else {
            return self.skip(&delivery).await;
        };
        if lane::is_misrouted(ticket, &subscription, (self.clock)()) {
            return lane::forward(self.ports.as_ref(), ticket).await;
        }
        let secrets = self.open(&subscription).await?;
        let Some(claimed) = self.claim(&delivery).await? else {
            return Ok(());
        };
        let (outcome, is_slow) = self.send(&subscription, &secrets, &claimed).await;
        let change = self.finish(&subscription, &claimed, outcome).await?;
        if let Some(change) = change {
            self.send_next(&subscription, is_slow, &change).await;
        }
        Ok(())
    }

    /// The ticket's delivery if an attempt is due; fails a delivery that has no attempt left.
    async fn due(&self, ticket: &DeliveryTicket) -> Result<Option<Delivery>, PortError> {
        let ports = self.ports.as_ref();
        let (subscription, id) = (&ticket.subscription_id, &ticket.delivery_id);
        let Some(delivery) = ports.delivery(subscription, id).await? else {
            tracing::info!("ticket ignored: the delivery was deleted");
            return Ok(None);
        };
        let now = (self.clock)();
        if let Some(given_up) = delivery.fail_lost_attempt(now) {
            self.give_up(&given_up).await?;
            return Ok(None);
        }
        Ok(delivery.is_due(now).then_some(delivery))
    }

    async fn give_up(&self, given_up: &DeliveryChange) -> Result<(), PortError> {
        if self.ports.apply_delivery(given_up).await? {
            tracing::error!("delivery failed: its last attempt was interrupted");
        }
        Ok(())
    }

    /// Claims the delivery for one attempt; `None` if another worker has claimed it.
    async fn claim(&self, delivery: &Delivery) -> Result<Option<Delivery>, PortError> {
        let Some(claim) = delivery.claim((self.clock)()) else {
            return Ok(None);
        };
        let claimed = self.ports.apply_delivery(&claim).await?;
        Ok(claimed.then_some(claim.delivery))
    }

    /// The delivery's subscription; `None` if it is deleted, inactive or not included in the plan any more.
    async fn active_subscription(
        &self,
        delivery: &Delivery,
    ) -> Result<Option<Subscription>, PortError> {
        let ports = self.ports.as_ref();
        let (account, id) = (&delivery.account_id, &delivery.subscription_id);
        let subscription = ports.subscription(account, id).await?;
        let Some(subscription) = subscription.filter(Subscription::is_active) else {
            return Ok(None);
        };
        let Some(trigger) = subscription.trigger else {
            return Ok(Some(subscription));
        };
        let plan = ports.plan(account).await?;
        let included = plan.is_some_and(|plan| trigger.is_included_in(plan));
        Ok(included.then_some(subscription))
    }

    async fn skip(&self, delivery: &Delivery) -> Result<(), PortError> {
        if let Some(skipped) = delivery.skip((self.clock)())
            && self.ports.apply_delivery(&skipped).await?
        {
            tracing::info!("delivery skipped");
        }
        Ok(())
    }

    /// Decrypts the secrets that sign at present, newest first.
    async fn open(&self, subscription: &Subscription) -> Result<Vec<SigningSecret>, PortError> {
        let (now, mut opened) = ((self.clock)(), Vec::new());
        for sealed in subscription
            .secrets
            .iter()
            .filter(|secret| secret.signs(now))
        {
            opened.push(self.ports.open(&subscription.id, sealed).await?);
        }
        if opened.is_empty() {
            return Err(unsigned(&subscription.id));
        }
        Ok(opened)
    }

    /// Sends the request; returns the outcome and whether the receiver was slow.
    async fn send(
        &self,
        subscription: &Subscription,
        secrets: &[SigningSecret],
        delivery: &Delivery,
    ) -> (DeliveryOutcome, bool) {
        let payload = &delivery.payload;
        let headers = sign::headers(payload, secrets, (self.clock)());
        let receivers = self.receivers.as_ref();
        let attempt = receivers.call_receiver(&subscription.url, &headers, &payload.body);
        lane::watch(self.ports.as_ref(), subscription, attempt, &self.clock).await
    }

    /// Records the outcome and updates the receiver's health; `None` if the claim has been superseded.
    async fn finish(
        &self,
        subscription: &Subscription,
        claimed: &Delivery,
        outcome: DeliveryOutcome,
    ) -> Result<Option<DeliveryChange>, PortError> {
        let (ports, now) = (self.ports.as_ref(), (self.clock)());
        // Before the delivery is finished: a failure here is then retried with the ticket.
        health::disable_if_gone(ports, subscription, outcome).await?;
        let change = claimed.finish(outcome, now, (self.jitter)());
        if !ports.apply_delivery(&change).await? {
            tracing::warn!(
                "outcome discarded: the delivery was claimed again or its owner requested a redelivery"
            );
            return Ok(None);
        }
        log(&change);
        self.update_health(subscription, &change.delivery, outcome, now)
            .await;
        Ok(Some(change))
    }

    /// Sends the ticket of the next attempt if its delay is within the limit of SQS, in the lane that the receiver will have.
    async fn send_next(&self, subscription: &Subscription, is_slow: bool, change: &DeliveryChange) {
        let Some(delay) = change.queue_delay else {
            return;
        };
        let lane = match is_slow {
            true => Lane::Slow,
            false => subscription.lane((self.clock)().plus(delay)),
        };
        let ticket = change.delivery.ticket().in_lane(lane);
        send_now(self.ports.as_ref(), &[ticket], delay).await;
    }

    /// Updates the receiver's health. Failures are only logged: the attempt is recorded, so its ticket cannot be retried.
    async fn update_health(
        &self,
        subscription: &Subscription,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
        now: Timestamp,
    ) {
        let ports = self.ports.as_ref();
        let updated = health::update(ports, subscription, delivery, outcome, now);
        if let Err(error) = updated.await {
            tracing::warn!(%error, "cannot update the receiver's health; the next attempt retries it");
        }
    }
}

fn unsigned(subscription: &SubscriptionId) -> PortError {
    PortError::Unavailable {
        service: "subscriptions",
        reason: format!("{subscription} has no active signing secret"),
    }
}

fn log(change: &DeliveryChange) {
    let delivery = &change.delivery;
    tracing::info!(
        status = ?delivery.status,
        attempts = delivery.attempts,
        response_status = delivery.response_status,
        fault = ?delivery.fault,
        "delivery attempt finished"
    );
}
