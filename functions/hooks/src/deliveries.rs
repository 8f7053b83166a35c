//! What was sent to a webhook, and what is sent to it because its owner asks for that.

use std::sync::Arc;
use std::time::Duration;

use contract::code::ErrorCode;
use contract::event::webhook_payload;
use contract::webhook::{DeliveryEntry, DeliveryList, ListPage};
use domain::event::Event;
use domain::id::DeliveryId;
use domain::ports::{Deliveries, PortError};
use domain::subscription::{Delivery, Subscription, SubscriptionId, kept_for, send_at_once};
use domain::timestamp::Timestamp;
use runtime::api::{Answer, Call};
use runtime::clock::random;
use runtime::refusal::Refusal;

use crate::{ATTEMPTS, Hooks, Ports, owned_webhook, position, webhook_not_found};

pub(crate) async fn list_deliveries<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = ListPage::read(call.query()).map_err(|faults| Refusal::malformed(400, faults))?;
    let before = position::read::<DeliveryId>(&hooks.pepper, &call, request.cursor.as_ref())?;
    let ports = hooks.ports.as_ref();
    let webhook = owned_webhook(ports, &call).await?;
    let page = ports.deliveries(&webhook.id, before.as_ref(), request.limit);
    let page = page.await?;
    let last = page.next.as_ref().map(DeliveryId::as_str);
    // What has expired is gone, however late the database deletes it.
    let live = page.deliveries.iter();
    let live = live.filter(|delivery| delivery.expires_at > call.now);
    let list = DeliveryList {
        deliveries: live.map(DeliveryEntry::from).collect(),
        next_cursor: position::write(&hooks.pepper, &call, last)?,
    };
    Ok(Answer::json(200, &list))
}

/// Sends the trial event, whatever the webhook is registered for.
pub(crate) async fn test_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = hooks.ports.as_ref();
    let webhook = owned_webhook(ports, &call).await?;
    require_active(&webhook)?;
    let payload = webhook_payload(&trial(&webhook, call.now)?);
    let delivery = Delivery::new(&webhook, payload, call.now, expiry(&hooks, &call));
    ports.add_deliveries(vec![delivery.clone()]).await?;
    Ok(on_its_way(ports, &webhook, &delivery, call.now).await)
}

/// Begins a new round of attempts, with the same event identifier and body.
pub(crate) async fn redeliver<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = hooks.ports.as_ref();
    let webhook = owned_webhook(ports, &call).await?;
    for _ in 0..ATTEMPTS {
        let delivery = delivery_of(ports, &webhook, &call).await?;
        require_active(&webhook)?;
        let change = delivery.send_again(call.now, expiry(&hooks, &call));
        if ports.apply_delivery(&change).await? {
            return Ok(on_its_way(ports, &webhook, &change.delivery, call.now).await);
        }
    }
    Err(PortError::Contended.into())
}

/// To a webhook that is told nothing, a delivery would only be skipped; and of one that is there already, the record of
/// how it ended stays.
fn require_active(webhook: &Subscription) -> Result<(), Refusal> {
    if webhook.is_active() {
        return Ok(());
    }
    let detail = "nothing is sent to this webhook any more; create another one";
    Err(Refusal::new(ErrorCode::WebhookDisabled, detail))
}

async fn delivery_of<P: Deliveries>(
    ports: &P,
    webhook: &Subscription,
    call: &Call,
) -> Result<Delivery, Refusal> {
    let not_found = || Refusal::not_found(ErrorCode::DeliveryNotFound);
    let id = call.parameter("deliveryId").parse();
    let id: DeliveryId = id.map_err(|_| not_found())?;
    let found = ports.delivery(&webhook.id, &id).await?;
    let live = found.filter(|delivery| delivery.expires_at > call.now);
    live.ok_or_else(not_found)
}

/// Sends the ticket of a delivery that is written and due, and tells of it.
async fn on_its_way<P: Ports>(
    ports: &P,
    webhook: &Subscription,
    delivery: &Delivery,
    now: Timestamp,
) -> Answer {
    let ticket = delivery.ticket().in_lane(webhook.lane(now));
    send_at_once(ports, &[ticket], Duration::ZERO).await;
    Answer::json(202, &DeliveryEntry::from(delivery))
}

fn trial(webhook: &Subscription, now: Timestamp) -> Result<Event, Refusal> {
    match &webhook.id {
        SubscriptionId::Webhook(id) => Ok(Event::trial(&webhook.account_id, id, now, random())),
        SubscriptionId::Hook(_) => Err(webhook_not_found()),
    }
}

fn expiry<P>(hooks: &Hooks<P>, call: &Call) -> Timestamp {
    call.now.plus(kept_for(hooks.retention.job_days))
}
