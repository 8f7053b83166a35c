//! Sample webhooks, automation hooks and deliveries.

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

use crate::environment::Environment;

/// A new webhook of `account` for all events, with a unique URL. Its secret is a placeholder; [`sealed`] adds a real one.
pub fn webhook(env: &impl Environment, account: &Account) -> Subscription {
    let id = SubscriptionId::Webhook(WebhookId::mint(env.now(), env.random()));
    let mut webhook = subscription(account, id, env.now());
    webhook.events = vec![Selector::All];
    webhook
}

/// A new automation hook of `account` for `trigger`, with a unique URL.
pub fn hook(env: &impl Environment, account: &Account, trigger: Trigger) -> Subscription {
    let id = SubscriptionId::Hook(HookId::mint(env.now(), env.random()));
    let mut hook = subscription(account, id, env.now());
    hook.trigger = Some(trigger);
    hook
}

/// A new secret.
pub fn secret(env: &impl Environment) -> SigningSecret {
    let mut random = [0; SigningSecret::LENGTH];
    let (one, other) = (env.random().to_be_bytes(), env.random().to_be_bytes());
    let drawn = one.iter().chain(&other);
    random
        .iter_mut()
        .zip(drawn)
        .for_each(|(to, from)| *to = *from);
    SigningSecret::new(random)
}

/// The subscription with a secret encrypted by `ports`, and that secret.
///
/// # Panics
/// If encryption fails.
pub async fn sealed(
    ports: &impl Secrets,
    env: &impl Environment,
    mut subscription: Subscription,
) -> (Subscription, SigningSecret) {
    let secret = secret(env);
    let ciphertext = ports.seal(&subscription.id, &secret).await.unwrap();
    subscription.secrets = vec![SealedSecret {
        ciphertext,
        valid_until: None,
    }];
    (subscription, secret)
}

/// The payload of an event at `now`.
pub fn payload(env: &impl Environment, now: Timestamp) -> Payload {
    let event_id = EventId::mint(now, env.random());
    let event = EventType::JobCompleted.name().to_owned();
    let body = json!({"id": event_id, "type": event, "data": {"text": "Bericht März"}}).to_string();
    Payload {
        event_id,
        event,
        body,
    }
}

/// A new delivery to `subscription`, of an event at `now`.
pub fn delivery(env: &impl Environment, subscription: &Subscription, now: Timestamp) -> Delivery {
    let payload = payload(env, now);
    Delivery::new(subscription, payload, now, now.plus(days(37)))
}

fn subscription(account: &Account, id: SubscriptionId, now: Timestamp) -> Subscription {
    let url = SourceUrl::new(&format!("https://receiver.example/{id}?token=secret"));
    let secret = "c2VhbGVk".to_owned();
    Subscription::new(id, account.id.clone(), url, secret, now)
}
