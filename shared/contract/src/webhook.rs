//! Schemas of the webhook routes.

use std::collections::HashMap;

use domain::field::{self, FieldError};
use domain::id::{DeliveryId, EventId};
use domain::subscription::{
    Delivery, DeliveryStatus, DisabledReason, Selector, SigningSecret, Subscription,
    SubscriptionId, SubscriptionStatus,
};
use domain::timestamp::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::list::{DEFAULT_LIMIT, keep, limit};

/// Maximum number of selectors in one request: more than exist, so that an event may be given in addition to its group.
const MAX_EVENTS: usize = 50;

/// Body of `POST /webhooks`.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWebhook {
    /// URL of the receiver: HTTPS, at most 2,048 characters.
    #[schemars(length(min = 1, max = 2048), extend("format" = "uri"))]
    pub url: String,
    /// Events to receive: event types, groups such as `job.*`, or `*` for all. Duplicates are ignored.
    #[schemars(with = "Vec<EventName>", length(min = 1, max = 50))]
    pub events: Vec<String>,
}

/// An event type or a group of event types.
struct EventName;

impl JsonSchema for EventName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = json!({
            "type": "string",
            "description": "An event type, a group of event types such as `job.*`, or `*` for all.",
            "enum": Selector::names(),
        });
        Schema::try_from(schema).unwrap_or_default()
    }
}

impl CreateWebhook {
    /// Parses the body.
    ///
    /// # Errors
    /// Every unknown, missing or invalid member, and every unknown event.
    pub fn read(body: &Value) -> Result<(Self, Vec<Selector>), Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        if request.events.is_empty() || request.events.len() > MAX_EVENTS {
            let message = format!("must contain 1 to {MAX_EVENTS} events");
            return Err(vec![FieldError::invalid("$.events", message)]);
        }
        let events = selectors(&request.events)?;
        Ok((request, events))
    }
}

/// Parses the selectors and removes duplicates.
fn selectors(names: &[String]) -> Result<Vec<Selector>, Vec<FieldError>> {
    let (mut errors, mut events) = (Vec::new(), Vec::new());
    for (index, name) in names.iter().enumerate() {
        match name.parse() {
            Ok(selector) if events.contains(&selector) => {}
            Ok(selector) => events.push(selector),
            Err(_) => errors.push(unknown_event(index)),
        }
    }
    if errors.is_empty() {
        Ok(events)
    } else {
        Err(errors)
    }
}

impl std::fmt::Debug for CreateWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CreateWebhook(***, {:?})", self.events)
    }
}

fn unknown_event(index: usize) -> FieldError {
    let message = format!(
        "is not a known event; must be one of {}",
        Selector::names().join(", ")
    );
    FieldError::invalid(format!("$.events[{index}]"), message)
}

/// A webhook.
#[serde_with::skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Identifier of the webhook.
    pub id: String,
    /// Whether deliveries are sent.
    pub status: SubscriptionStatus,
    /// URL of the receiver.
    pub url: String,
    /// Events that the webhook receives.
    #[schemars(with = "Vec<EventName>")]
    pub events: Vec<Selector>,
    /// Why the webhook is disabled; only if it is.
    #[serde(default)]
    #[schemars(with = "DisabledReason")]
    pub disabled_reason: Option<DisabledReason>,
    /// Time since which every delivery attempt has failed, in Unix milliseconds; only while attempts fail.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub failing_since: Option<Timestamp>,
    /// Time of creation, in Unix milliseconds.
    pub created_at: Timestamp,
}

// Omits the URL, which is often the only secret of the receiver.
impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Webhook({}, {:?}, ***)", self.id, self.status)
    }
}

impl From<&Subscription> for Webhook {
    fn from(subscription: &Subscription) -> Self {
        Self {
            id: subscription.id.to_string(),
            status: subscription.status,
            url: subscription.url.reveal().to_owned(),
            events: subscription.events.clone(),
            disabled_reason: subscription.disabled_reason,
            failing_since: subscription.failing_since,
            created_at: subscription.created_at,
        }
    }
}

// `Debug` omits the secret.
/// A new webhook.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookCreated {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// Signing secret of the deliveries. It is never shown again, and a replayed response omits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub secret: Option<String>,
}

impl WebhookCreated {
    /// Creates the response for a webhook, with its secret if it may be shown.
    #[must_use]
    pub fn of(subscription: &Subscription, secret: Option<&SigningSecret>) -> Self {
        Self {
            webhook: subscription.into(),
            secret: secret.map(SigningSecret::reveal),
        }
    }
}

impl std::fmt::Debug for WebhookCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WebhookCreated({}, ***)", self.webhook.id)
    }
}

/// A page of webhooks, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["webhooks", "nextCursor"]))]
pub struct WebhookList {
    /// The webhooks.
    pub webhooks: Vec<Webhook>,
    /// Cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

// `Debug` omits it.
/// A new signing secret of a webhook.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretRotated {
    /// Identifier of the webhook.
    pub id: String,
    /// The new signing secret. It is never shown again.
    pub secret: String,
    /// Time until which deliveries are also signed with the previous secret, in Unix milliseconds. Later rotations do not
    /// change it.
    pub previous_valid_until: Timestamp,
}

impl std::fmt::Debug for SecretRotated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretRotated({}, ***)", self.id)
    }
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryEntry {
    /// Identifier of the delivery.
    pub id: DeliveryId,
    /// Identifier of the event; sent as `webhook-id`.
    pub event_id: EventId,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Status of the delivery.
    pub status: DeliveryStatus,
    /// Number of attempts so far.
    pub attempts: u32,
    /// Time of the next attempt, in Unix milliseconds; `null` if none is scheduled, and during an attempt.
    pub next_attempt_at: Option<Timestamp>,
    /// HTTP status of the last response; `null` if there was none.
    pub response_status: Option<u16>,
    /// Why there was no response: `url_blocked`, `timed_out` or `connection_failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub fault: Option<domain::subscription::DeliveryFailure>,
    /// Time at which the delivery was created, in Unix milliseconds.
    pub created_at: Timestamp,
}

impl From<&Delivery> for DeliveryEntry {
    fn from(delivery: &Delivery) -> Self {
        Self {
            id: delivery.id.clone(),
            event_id: delivery.payload.event_id.clone(),
            event_type: delivery.payload.event.clone(),
            status: delivery.status,
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at,
            response_status: delivery.response_status,
            fault: delivery.fault,
            created_at: delivery.created_at,
        }
    }
}

/// A page of deliveries, newest event first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["deliveries", "nextCursor"]))]
pub struct DeliveryList {
    /// The deliveries.
    pub deliveries: Vec<DeliveryEntry>,
    /// Cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// Query parameters of a list without filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage {
    /// Pagination cursor.
    pub cursor: Option<String>,
    /// Maximum number of items, 1 to 100.
    pub limit: u32,
}

impl ListPage {
    /// Parses the query parameters.
    ///
    /// # Errors
    /// An invalid limit.
    pub fn read(query: &HashMap<String, String>) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let limit = limit(query).unwrap_or_else(|error| keep(&mut errors, error, DEFAULT_LIMIT));
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            cursor: query.get("cursor").cloned(),
            limit,
        })
    }
}

/// Parses the identifier of a webhook in a path; `None` if it is invalid.
#[must_use]
pub fn webhook_id(text: &str) -> Option<SubscriptionId> {
    text.parse().ok().map(SubscriptionId::Webhook)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &Value) -> Vec<String> {
        let errors = CreateWebhook::read(body).unwrap_err();
        errors.into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn duplicate_events_are_removed_and_every_unknown_one_is_reported() {
        let url = "https://example.com/";
        let body = json!({"url": url, "events": ["job.*", "job.completed", "job.*"]});
        let (_, events) = CreateWebhook::read(&body).unwrap();
        let names: Vec<_> = events.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["job.*", "job.completed"]);
        let unknown = json!({"url": url, "events": ["job.done", "*", "scan.created"]});
        assert_eq!(error(&unknown), ["$.events[0]", "$.events[2]"]);
        assert_eq!(error(&json!({"url": url, "events": []})), ["$.events"]);
        assert_eq!(error(&json!({"url": url})), ["$.events"]);
        let many = json!({"url": url, "events": vec!["*"; 51]});
        assert_eq!(error(&many), ["$.events"]);
        assert_eq!(error(&json!({"url": 5, "events": ["*"]})), ["$.url"]);
    }

    #[test]
    fn neither_secrets_nor_urls_are_printed() {
        let url = "https://example.com/hidden";
        let body = json!({"url": url, "events": ["*"]});
        let (request, _) = CreateWebhook::read(&body).unwrap();
        let webhook =
            json!({"id": "wh_1", "status": "active", "url": url, "events": ["*"], "createdAt": 1});
        let webhook: Webhook = serde_json::from_value(webhook).unwrap();
        assert_eq!(format!("{webhook:?}"), "Webhook(wh_1, Active, ***)");
        let list = WebhookList {
            webhooks: vec![webhook.clone()],
            next_cursor: None,
        };
        let created = WebhookCreated {
            webhook,
            secret: Some("whsec_hidden".to_owned()),
        };
        let printed = format!("{request:?} {list:?} {created:?}");
        assert!(!printed.contains("hidden"), "{printed}");
    }
}
