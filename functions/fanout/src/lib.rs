//! Makes of each event a delivery for every subscription that hears of it: once, however often the event comes.

mod message;
#[cfg(test)]
mod tests;

use std::time::Duration;

use contract::event::{hook_payload, webhook_payload};
use domain::ports::{Accounts, Deliveries, PortError, Queues, Subscriptions};
use domain::subscription::{
    Delivery, DeliveryTicket, Payload, Subscription, report_unreadable, send_at_once,
};
use domain::timestamp::Timestamp;

use message::{Happening, Message, Reason, Unreadable};

/// How many subscriptions are looked at in one go. The others are another message's.
const PAGE: u32 = 500;

/// How many deliveries are held in memory: a body may be a quarter of a megabyte.
const AT_ONCE: usize = 100;

/// What a fan-out needs of the world.
pub trait Ports: Accounts + Deliveries + Queues + Subscriptions {}

impl<P> Ports for P where P: Accounts + Deliveries + Queues + Subscriptions {}

/// Tells the account's subscriptions of what `message` says: a page of them, and the next with another message. Its
/// deliveries stay on record `kept` long. What tells nothing goes to the queue for that, with the reason.
///
/// # Errors
/// [`PortError`] when something could not be read, written or sent, and for an event of the service itself that this
/// release cannot read: the message must stay in its queue. What was done so
/// far is not done twice.
pub async fn fan_out<P: Ports>(
    ports: &P,
    message: &str,
    now: Timestamp,
    kept: Duration,
) -> Result<(), PortError> {
    let message = match Message::read(message) {
        Ok(message) => message,
        Err(unreadable) if unreadable.reason.may_be_newer() => return Err(newer()),
        Err(unreadable) => return reject(ports, &unreadable).await,
    };
    match is_included(ports, &message.happening).await? {
        Some(true) => tell(ports, &message, now, kept).await,
        Some(false) => {
            tracing::info!(account_id = %message.happening.account(), "the plan does not include this trigger");
            Ok(())
        }
        None => {
            let unknown = Unreadable {
                reason: Reason::UnknownAccount(message.happening.account().clone()),
                message: message.envelope,
            };
            reject(ports, &unknown).await
        }
    }
}

/// Whether the plan of the account, as it is now, includes what happened; `None` when there is no such account. The events
/// of the service itself are a part of every plan.
async fn is_included<P: Accounts>(
    ports: &P,
    happening: &Happening,
) -> Result<Option<bool>, PortError> {
    match happening {
        Happening::Event(_) => Ok(Some(true)),
        Happening::Trigger(event) => {
            let plan = ports.plan(&event.account_id).await?;
            Ok(plan.map(|plan| event.trigger.is_included_in(plan)))
        }
    }
}

async fn tell<P: Ports>(
    ports: &P,
    message: &Message,
    now: Timestamp,
    kept: Duration,
) -> Result<(), PortError> {
    let happening = &message.happening;
    let (account, kind) = (happening.account(), happening.kind());
    let page = ports.subscriptions(account, kind, message.after.as_ref(), PAGE);
    let page = page.await?;
    report_unreadable(&page.unreadable);
    let hearing = page.subscriptions.iter();
    let hearing: Vec<_> = hearing.filter(|one| happening.is_heard_by(one)).collect();
    let payload = payload(happening);
    let new = tell_all(ports, &hearing, &payload, (now, now.plus(kept))).await?;
    // Fewer new than told: the event came before, or its backend names two happenings alike.
    tracing::info!(account_id = %account, event_id = %payload.event_id, told = hearing.len(), new, "fanned out");
    if let Some(next) = &page.next {
        let rest = message.continued(next);
        ports.continue_fan_out(account.as_str(), &rest).await?;
    }
    Ok(())
}

/// Tells all of them, some at a time, and says to how many that is new.
async fn tell_all<P: Ports>(
    ports: &P,
    subscriptions: &[&Subscription],
    payload: &Payload,
    times: (Timestamp, Timestamp),
) -> Result<usize, PortError> {
    let mut new = 0;
    for some in subscriptions.chunks(AT_ONCE) {
        new += tell_some(ports, some, payload, times).await?;
    }
    Ok(new)
}

/// Writes the deliveries, sends the tickets of those that are new, and says how many these are.
async fn tell_some<P: Ports>(
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
    send_at_once(ports, &tickets, Duration::ZERO).await;
    Ok(new.len())
}

/// The delivery's ticket in the lane of its receiver.
fn ticket(delivery: &Delivery, told: &[&Subscription], now: Timestamp) -> DeliveryTicket {
    let mut told = told.iter();
    let receiver = told.find(|one| one.id == delivery.subscription_id);
    let lane = receiver.map(|one| one.lane(now)).unwrap_or_default();
    delivery.ticket().in_lane(lane)
}

fn payload(happening: &Happening) -> Payload {
    match happening {
        Happening::Event(event) => webhook_payload(event),
        Happening::Trigger(event) => hook_payload(event),
    }
}

/// While a release is deployed, events of the new one come to functions of the old one.
fn newer() -> PortError {
    PortError::Unavailable {
        service: "events",
        reason: "an event of the service itself in a form that this release does not know"
            .to_owned(),
    }
}

/// The reason stands in the message alone: it may repeat a part of it.
async fn reject<P: Queues>(ports: &P, unreadable: &Unreadable) -> Result<(), PortError> {
    ports.reject(&unreadable.rejection()).await?;
    tracing::error!("an event that can be told to nobody; its queue says why");
    Ok(())
}
