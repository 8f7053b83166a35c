//! Creates one delivery of each event for every matching subscription, idempotently: a redelivered event adds none.

mod message;
#[cfg(test)]
mod tests;

use std::time::Duration;

use contract::event::{hook_payload, webhook_payload};
use domain::ports::{Accounts, Deliveries, PortError, Queues, Subscriptions};
use domain::subscription::{
    Delivery, DeliveryTicket, Payload, Subscription, report_unreadable, send_now,
};
use domain::timestamp::Timestamp;

use message::{IncomingEvent, Message, Reason, Rejection};

/// Subscriptions processed per message. A continuation message covers the others.
const PAGE: u32 = 500;

/// Deliveries held in memory; a body may have 256 KiB.
const BATCH: usize = 100;

/// The ports that a fan-out uses.
pub trait Ports: Accounts + Deliveries + Queues + Subscriptions {}

impl<P> Ports for P where P: Accounts + Deliveries + Queues + Subscriptions {}

/// Creates the deliveries of the event in `message` for one page of the account's subscriptions, and sends a continuation
/// message for the next page. Deliveries expire after `retention`. A message that cannot be processed is rejected: it goes
/// to the dead-letter queue with the reason.
///
/// # Errors
/// [`PortError`] if a read, write or send fails, or if a newer release may have published the event: the message must stay
/// in its queue. Deliveries that exist are not created again.
pub async fn fan_out<P: Ports>(
    ports: &P,
    message: &str,
    now: Timestamp,
    retention: Duration,
) -> Result<(), PortError> {
    let message = match Message::read(message) {
        Ok(message) => message,
        Err(rejection) if rejection.reason.may_be_newer() => return Err(newer_release()),
        Err(rejection) => return reject(ports, &rejection).await,
    };
    match is_included(ports, &message.event).await? {
        Some(true) => deliver(ports, &message, now, retention).await,
        Some(false) => {
            tracing::info!(account_id = %message.event.account(), "trigger ignored: the plan does not include it");
            Ok(())
        }
        None => {
            let rejection = Rejection {
                reason: Reason::UnknownAccount(message.event.account().clone()),
                message: message.envelope,
            };
            reject(ports, &rejection).await
        }
    }
}

/// Whether the current plan of the account includes the event; `None` if the account does not exist. Every plan includes
/// the service's own events.
async fn is_included<P: Accounts>(
    ports: &P,
    event: &IncomingEvent,
) -> Result<Option<bool>, PortError> {
    match event {
        IncomingEvent::Event(_) => Ok(Some(true)),
        IncomingEvent::Trigger(event) => {
            let plan = ports.plan(&event.account_id).await?;
            Ok(plan.map(|plan| event.trigger.is_included_in(plan)))
        }
    }
}

async fn deliver<P: Ports>(
    ports: &P,
    message: &Message,
    now: Timestamp,
    retention: Duration,
) -> Result<(), PortError> {
    let event = &message.event;
    let (account, kind) = (event.account(), event.kind());
    let page = ports.subscriptions(account, kind, message.after.as_ref(), PAGE);
    let page = page.await?;
    report_unreadable(&page.unreadable);
    let subscriptions = page.subscriptions.iter();
    let matching: Vec<_> = subscriptions.filter(|one| event.matches(one)).collect();
    let payload = payload(event);
    let new = create_deliveries(ports, &matching, &payload, (now, now.plus(retention))).await?;
    // `new` is smaller than `matching` if the event was redelivered or its publisher reused the event identifier.
    tracing::info!(account_id = %account, event_id = %payload.event_id, matching = matching.len(), new, "deliveries created");
    if let Some(next) = &page.next {
        let rest = message.continuation(next);
        ports.continue_fan_out(account.as_str(), &rest).await?;
    }
    Ok(())
}

/// Creates the deliveries in batches and returns the number of new ones.
async fn create_deliveries<P: Ports>(
    ports: &P,
    subscriptions: &[&Subscription],
    payload: &Payload,
    times: (Timestamp, Timestamp),
) -> Result<usize, PortError> {
    let mut new = 0;
    for batch in subscriptions.chunks(BATCH) {
        new += create_batch(ports, batch, payload, times).await?;
    }
    Ok(new)
}

/// Writes the deliveries, sends the tickets of the new ones and returns their number.
async fn create_batch<P: Ports>(
    ports: &P,
    subscriptions: &[&Subscription],
    payload: &Payload,
    (now, expires_at): (Timestamp, Timestamp),
) -> Result<usize, PortError> {
    let delivery = |one: &&Subscription| Delivery::new(one, payload.clone(), now, expires_at);
    let deliveries = subscriptions.iter().map(delivery).collect();
    let new = ports.add_deliveries(deliveries).await?;
    let tickets = new
        .iter()
        .map(|delivery| ticket(delivery, subscriptions, now));
    let tickets: Vec<_> = tickets.collect();
    send_now(ports, &tickets, Duration::ZERO).await;
    Ok(new.len())
}

/// The delivery's ticket, in the lane of its receiver.
fn ticket(delivery: &Delivery, subscriptions: &[&Subscription], now: Timestamp) -> DeliveryTicket {
    let mut subscriptions = subscriptions.iter();
    let receiver = subscriptions.find(|subscription| subscription.id == delivery.subscription_id);
    let lane = receiver
        .map(|subscription| subscription.lane(now))
        .unwrap_or_default();
    delivery.ticket().in_lane(lane)
}

fn payload(event: &IncomingEvent) -> Payload {
    match event {
        IncomingEvent::Event(event) => webhook_payload(event),
        IncomingEvent::Trigger(event) => hook_payload(event),
    }
}

/// During a deployment, functions of the old release receive events of the new one.
fn newer_release() -> PortError {
    PortError::Unavailable {
        service: "events",
        reason: "this release cannot read the event; a newer release may have published it"
            .to_owned(),
    }
}

/// The reason is not logged, because it may quote the event; the rejected message has it.
async fn reject<P: Queues>(ports: &P, rejection: &Rejection) -> Result<(), PortError> {
    ports.reject(&rejection.to_message()).await?;
    tracing::error!("event rejected; the message in the dead-letter queue has the reason");
    Ok(())
}
