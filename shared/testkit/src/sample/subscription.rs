//! Webhooks, automation hooks and deliveries as tests need them.

use domain::account::Account;
use domain::event::EventType;
use domain::id::{EventId, HookId, WebhookId};
use domain::ports::Secrets;
use domain::source::SourceUrl;
use domain::subscription::{
    Delivery, Payload, SealedSecret, Selector, SigningSecret, Subscription, SubscriptionId, Trigger,
};
use domain::timestamp::{Timestamp, days};
use serde_json::json;

use crate::world::World;

/// A new webhook of `account` that hears of everything, at a URL of its own. No key service knows its secret: see
/// [`sealed`].
pub fn webhook(world: &impl World, account: &Account) -> Subscription {
    let id = SubscriptionId::Webhook(WebhookId::mint(world.now(), world.random()));
    let mut webhook = subscription(account, id, world.now());
    webhook.events = vec![Selector::All];
    webhook
}

/// A new automation hook of `account` that hears of `trigger`, at a URL of its own.
pub fn hook(world: &impl World, account: &Account, trigger: Trigger) -> Subscription {
    let id = SubscriptionId::Hook(HookId::mint(world.now(), world.random()));
    let mut hook = subscription(account, id, world.now());
    hook.trigger = Some(trigger);
    hook
}

/// A new secret.
pub fn secret(world: &impl World) -> SigningSecret {
    let mut random = [0; SigningSecret::LENGTH];
    let (one, other) = (world.random().to_be_bytes(), world.random().to_be_bytes());
    let drawn = one.iter().chain(&other);
    random
        .iter_mut()
        .zip(drawn)
        .for_each(|(to, from)| *to = *from);
    SigningSecret::new(random)
}

/// The subscription with a secret that `ports` have sealed for it, and that secret.
///
/// # Panics
/// When they do not.
pub async fn sealed(
    ports: &impl Secrets,
    world: &impl World,
    mut subscription: Subscription,
) -> (Subscription, SigningSecret) {
    let secret = secret(world);
    let ciphertext = ports.seal(&subscription.id, &secret).await.unwrap();
    subscription.secrets = vec![SealedSecret {
        ciphertext,
        valid_until: None,
    }];
    (subscription, secret)
}

/// What tells of an event of `now`.
pub fn payload(world: &impl World, now: Timestamp) -> Payload {
    let event_id = EventId::mint(now, world.random());
    let event = EventType::JobCompleted.name().to_owned();
    let body = json!({"id": event_id, "type": event, "data": {"text": "Bericht März"}}).to_string();
    Payload {
        event_id,
        event,
        body,
    }
}

/// A new delivery to `subscription`, of an event of `now`.
pub fn delivery(world: &impl World, subscription: &Subscription, now: Timestamp) -> Delivery {
    let payload = payload(world, now);
    Delivery::new(subscription, payload, now, now.plus(days(37)))
}

fn subscription(account: &Account, id: SubscriptionId, now: Timestamp) -> Subscription {
    let url = SourceUrl::new(&format!("https://receiver.example/{id}?token=secret"));
    let secret = "c2VhbGVk".to_owned();
    Subscription::new(id, account.id.clone(), url, secret, now)
}
