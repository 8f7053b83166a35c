//! Signs and sends deliveries, and plans what becomes of them: delivered, tried again, given up or skipped.

mod lane;
mod note;
mod sign;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use domain::ports::{
    Accounts, CallReceivers, Deliveries, PortError, Queues, Secrets, Subscriptions,
};
use domain::subscription::{
    Delivery, DeliveryChange, DeliveryTicket, Lane, Outcome, SigningSecret, Subscription,
    SubscriptionId, send_at_once,
};
use domain::timestamp::Timestamp;
use tracing::Instrument as _;

/// What a delivery needs of the world.
pub trait Ports: Accounts + Deliveries + Queues + Secrets + Subscriptions {}

impl<P> Ports for P where P: Accounts + Deliveries + Queues + Secrets + Subscriptions {}

/// Does what tickets of deliveries ask for.
pub struct Courier<P> {
    ports: Arc<P>,
    receivers: Arc<dyn CallReceivers>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    chance: Box<dyn Fn() -> f64 + Send + Sync>,
}

impl<P: Ports> Courier<P> {
    /// A courier that calls `receivers`, goes by `clock`, and spreads attempts by `chance`, a number of 0 to 1.
    #[must_use]
    pub fn new(
        ports: Arc<P>,
        receivers: Arc<dyn CallReceivers>,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        chance: impl Fn() -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            ports,
            receivers,
            clock: Box::new(clock),
            chance: Box::new(chance),
        }
    }

    /// Makes the attempt that is due, if one is and the ticket has come by the queue of its receiver.
    ///
    /// # Errors
    /// [`PortError`] when something could not be found out or written: the ticket must stay in its queue.
    pub async fn deliver(&self, ticket: &DeliveryTicket) -> Result<(), PortError> {
        let span = tracing::info_span!(
            "delivery",
            account_id = %ticket.account_id,
            subscription_id = %ticket.subscription_id,
            delivery_id = %ticket.delivery_id,
        );
        self.attempt(ticket).instrument(span).await
    }

    /// Everything that may fail on our side comes before the claim, so that it costs no attempt.
    async fn attempt(&self, ticket: &DeliveryTicket) -> Result<(), PortError> {
        let Some(delivery) = self.due(ticket).await? else {
            return Ok(());
        };
        let Some(subscription) = self.listening(&delivery).await? else {
            return self.skip(&delivery).await;
        };
        if lane::is_astray(ticket, &subscription, (self.clock)()) {
            return lane::forward(self.ports.as_ref(), ticket).await;
        }
        let secrets = self.open(&subscription).await?;
        let Some(claimed) = self.claim(&delivery).await? else {
            return Ok(());
        };
        let (outcome, is_slow) = self.send(&subscription, &secrets, &claimed).await;
        let change = self.end(&subscription, &claimed, outcome).await?;
        if let Some(change) = change {
            self.send_next(&subscription, is_slow, &change).await;
        }
        Ok(())
    }

    /// The ticket's delivery, if an attempt is due and left.
    async fn due(&self, ticket: &DeliveryTicket) -> Result<Option<Delivery>, PortError> {
        let ports = self.ports.as_ref();
        let (subscription, id) = (&ticket.subscription_id, &ticket.delivery_id);
        let Some(delivery) = ports.delivery(subscription, id).await? else {
            tracing::info!("a ticket of a delivery that is gone");
            return Ok(None);
        };
        let now = (self.clock)();
        if let Some(given_up) = delivery.give_up(now) {
            self.give_up(&given_up).await?;
            return Ok(None);
        }
        Ok(delivery.is_due(now).then_some(delivery))
    }

    async fn give_up(&self, given_up: &DeliveryChange) -> Result<(), PortError> {
        if self.ports.apply_delivery(given_up).await? {
            tracing::error!("given up: no worker came to the end of its last attempt");
        }
        Ok(())
    }

    /// The delivery as this worker holds it from now on; `None` when another one was faster.
    async fn claim(&self, delivery: &Delivery) -> Result<Option<Delivery>, PortError> {
        let Some(claim) = delivery.claim((self.clock)()) else {
            return Ok(None);
        };
        let claimed = self.ports.apply_delivery(&claim).await?;
        Ok(claimed.then_some(claim.delivery))
    }

    /// The delivery's subscription; `None` when it is to be told nothing any more.
    async fn listening(&self, delivery: &Delivery) -> Result<Option<Subscription>, PortError> {
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
            tracing::info!("skipped");
        }
        Ok(())
    }

    /// The secrets that sign now, newest first.
    async fn open(&self, subscription: &Subscription) -> Result<Vec<SigningSecret>, PortError> {
        let (now, mut opened) = ((self.clock)(), Vec::new());
        for sealed in subscription.secrets.iter().filter(|one| one.signs(now)) {
            opened.push(self.ports.open(&subscription.id, sealed).await?);
        }
        if opened.is_empty() {
            return Err(unsigned(&subscription.id));
        }
        Ok(opened)
    }

    /// How the attempt ended, and whether the receiver was slow.
    async fn send(
        &self,
        subscription: &Subscription,
        secrets: &[SigningSecret],
        delivery: &Delivery,
    ) -> (Outcome, bool) {
        let payload = &delivery.payload;
        let headers = sign::headers(payload, secrets, (self.clock)());
        let receivers = self.receivers.as_ref();
        let attempt = receivers.call_receiver(&subscription.url, &headers, &payload.body);
        lane::watch(self.ports.as_ref(), subscription, attempt, &self.clock).await
    }

    /// Writes how the attempt ended and what that says of the receiver; `None` when the end is stale.
    async fn end(
        &self,
        subscription: &Subscription,
        claimed: &Delivery,
        outcome: Outcome,
    ) -> Result<Option<DeliveryChange>, PortError> {
        let (ports, now) = (self.ports.as_ref(), (self.clock)());
        // Before the end, after which nobody would come back to it.
        note::note_if_gone(ports, subscription, outcome).await?;
        let change = claimed.end(outcome, now, (self.chance)());
        if !ports.apply_delivery(&change).await? {
            tracing::warn!("another attempt has the delivery, or its owner wants it sent again");
            return Ok(None);
        }
        log(&change);
        self.note(subscription, &change.delivery, outcome, now)
            .await;
        Ok(Some(change))
    }

    /// Sends the ticket of the next attempt, if a queue brings that, by the lane that its receiver is in then.
    async fn send_next(&self, subscription: &Subscription, is_slow: bool, change: &DeliveryChange) {
        let Some(delay) = change.queue_delay else {
            return;
        };
        let lane = match is_slow {
            true => Lane::Slow,
            false => subscription.lane((self.clock)().plus(delay)),
        };
        let ticket = change.delivery.ticket().in_lane(lane);
        send_at_once(self.ports.as_ref(), &[ticket], delay).await;
    }

    /// The attempt is written and over: what fails here, its ticket could not bring about any more.
    async fn note(
        &self,
        subscription: &Subscription,
        delivery: &Delivery,
        outcome: Outcome,
        now: Timestamp,
    ) {
        let ports = self.ports.as_ref();
        let noted = note::note(ports, subscription, delivery, outcome, now);
        if let Err(error) = noted.await {
            tracing::warn!(%error, "how the receiver does is not noted; the next attempt will do it");
        }
    }
}

fn unsigned(subscription: &SubscriptionId) -> PortError {
    PortError::Unavailable {
        service: "subscriptions",
        reason: format!("{subscription} has no secret that signs"),
    }
}

fn log(change: &DeliveryChange) {
    let delivery = &change.delivery;
    tracing::info!(
        status = ?delivery.status,
        attempts = delivery.attempts,
        response_status = delivery.response_status,
        fault = ?delivery.fault,
        "attempted"
    );
}
