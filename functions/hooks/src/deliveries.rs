//! Delivery routes of webhooks: list deliveries, send a test event, redeliver.

use std::sync::Arc;
use std::time::Duration;

use contract::code::ErrorCode;
use contract::event::webhook_payload;
use contract::webhook::{DeliveryEntry, DeliveryList, ListPage};
use domain::event::Event;
use domain::id::DeliveryId;
use domain::ports::{Deliveries, PortError};
use domain::subscription::{Delivery, Subscription, SubscriptionId, delivery_retention, send_now};
use domain::timestamp::Timestamp;
use runtime::api::{Request, Response};
use runtime::clock::random;
use runtime::error::ApiError;

use crate::{Hooks, MAX_WRITE_ATTEMPTS, Ports, owned_webhook, position, webhook_not_found};

pub(crate) async fn list_deliveries<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        ListPage::read(request.query()).map_err(|errors| ApiError::malformed(400, errors))?;
    let before = position::read::<DeliveryId>(&hooks.pepper, &request, input.cursor.as_ref())?;
    let ports = hooks.ports.as_ref();
    let webhook = owned_webhook(ports, &request).await?;
    let page = ports.deliveries(&webhook.id, before.as_ref(), input.limit);
    let page = page.await?;
    let last = page.next.as_ref().map(DeliveryId::as_str);
    // DynamoDB deletes expired items with a delay; they are excluded here.
    let live = page.deliveries.iter();
    let live = live.filter(|delivery| delivery.expires_at > request.now);
    let list = DeliveryList {
        deliveries: live.map(DeliveryEntry::from).collect(),
        next_cursor: position::write(&hooks.pepper, &request, last)?,
    };
    Ok(Response::json(200, &list))
}

/// Sends a test event, independent of the event types that the webhook is subscribed to.
pub(crate) async fn test_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = hooks.ports.as_ref();
    let webhook = owned_webhook(ports, &request).await?;
    require_active(&webhook)?;
    let payload = webhook_payload(&test_event(&webhook, request.now)?);
    let delivery = Delivery::new(&webhook, payload, request.now, expiry(&hooks, &request));
    ports.add_deliveries(vec![delivery.clone()]).await?;
    Ok(enqueue(ports, &webhook, &delivery, request.now).await)
}

/// Redelivers with the same event id and body, and a new set of attempts.
pub(crate) async fn redeliver<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = hooks.ports.as_ref();
    let webhook = owned_webhook(ports, &request).await?;
    for _ in 0..MAX_WRITE_ATTEMPTS {
        let delivery = delivery_of(ports, &webhook, &request).await?;
        require_active(&webhook)?;
        let change = delivery.resend(request.now, expiry(&hooks, &request));
        if ports.apply_delivery(&change).await? {
            return Ok(enqueue(ports, &webhook, &change.delivery, request.now).await);
        }
    }
    Err(PortError::Contended.into())
}

/// Requires an active webhook. For a disabled one a new delivery would be skipped, and a redelivery would overwrite the
/// delivery's recorded outcome.
fn require_active(webhook: &Subscription) -> Result<(), ApiError> {
    if webhook.is_active() {
        return Ok(());
    }
    let detail = "The webhook is disabled and receives no events. Create a new webhook.";
    Err(ApiError::new(ErrorCode::WebhookDisabled, detail))
}

async fn delivery_of<P: Deliveries>(
    ports: &P,
    webhook: &Subscription,
    request: &Request,
) -> Result<Delivery, ApiError> {
    let not_found = || ApiError::not_found(ErrorCode::DeliveryNotFound);
    let id = request.parameter("deliveryId").parse();
    let id: DeliveryId = id.map_err(|_| not_found())?;
    let found = ports.delivery(&webhook.id, &id).await?;
    let live = found.filter(|delivery| delivery.expires_at > request.now);
    live.ok_or_else(not_found)
}

/// Enqueues the ticket of a stored, due delivery and returns 202 with the delivery.
async fn enqueue<P: Ports>(
    ports: &P,
    webhook: &Subscription,
    delivery: &Delivery,
    now: Timestamp,
) -> Response {
    let ticket = delivery.ticket().in_lane(webhook.lane(now));
    send_now(ports, &[ticket], Duration::ZERO).await;
    Response::json(202, &DeliveryEntry::from(delivery))
}

fn test_event(webhook: &Subscription, now: Timestamp) -> Result<Event, ApiError> {
    match &webhook.id {
        SubscriptionId::Webhook(id) => {
            Ok(Event::webhook_test(&webhook.account_id, id, now, random()))
        }
        SubscriptionId::Hook(_) => Err(webhook_not_found()),
    }
}

fn expiry<P>(hooks: &Hooks<P>, request: &Request) -> Timestamp {
    request
        .now
        .plus(delivery_retention(hooks.retention.job_days))
}
