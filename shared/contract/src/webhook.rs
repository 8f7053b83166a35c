//! Shapes of the routes under `/webhooks`.

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

/// Most names in one request: more than there are, so that each may be given beside its groups.
const MOST_EVENTS: usize = 50;

/// Body of `POST /webhooks`.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWebhook {
    /// Where deliveries are sent: an https URL of at most 2,048 characters.
    #[schemars(length(min = 1, max = 2048), extend("format" = "uri"))]
    pub url: String,
    /// The events to be told of: names, `job.*` and the like, or `*` for all. One that is given twice counts once.
    #[schemars(with = "Vec<EventName>", length(min = 1, max = 50))]
    pub events: Vec<String>,
}

/// The name of an event or of a group of events.
struct EventName;

impl JsonSchema for EventName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = json!({
            "type": "string",
            "description": "An event, all that begin alike, or all of them.",
            "enum": Selector::names(),
        });
        Schema::try_from(schema).unwrap_or_default()
    }
}

impl CreateWebhook {
    /// Reads the body.
    ///
    /// # Errors
    /// Every member that is unknown, missing, of a wrong type or out of bounds, and every name that is no event.
    pub fn read(body: &Value) -> Result<(Self, Vec<Selector>), Vec<FieldError>> {
        let request: Self = field::read(body, "$")?;
        if request.events.is_empty() || request.events.len() > MOST_EVENTS {
            let message = format!("must name 1 to {MOST_EVENTS} events");
            return Err(vec![FieldError::invalid("$.events", message)]);
        }
        let events = selectors(&request.events)?;
        Ok((request, events))
    }
}

/// Each event that is named, once.
fn selectors(names: &[String]) -> Result<Vec<Selector>, Vec<FieldError>> {
    let (mut faults, mut events) = (Vec::new(), Vec::new());
    for (index, name) in names.iter().enumerate() {
        match name.parse() {
            Ok(selector) if events.contains(&selector) => {}
            Ok(selector) => events.push(selector),
            Err(_) => faults.push(unknown_event(index)),
        }
    }
    if faults.is_empty() {
        Ok(events)
    } else {
        Err(faults)
    }
}

impl std::fmt::Debug for CreateWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CreateWebhook(***, {:?})", self.events)
    }
}

fn unknown_event(index: usize) -> FieldError {
    let message = format!("names no event; one of {}", Selector::names().join(", "));
    FieldError::invalid(format!("$.events[{index}]"), message)
}

/// A webhook.
#[serde_with::skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// The webhook.
    pub id: String,
    /// Whether it is told anything.
    pub status: SubscriptionStatus,
    /// Where deliveries are sent.
    pub url: String,
    /// The events that it is told of.
    #[schemars(with = "Vec<EventName>")]
    pub events: Vec<Selector>,
    /// Why it is disabled.
    #[serde(default)]
    #[schemars(with = "DisabledReason")]
    pub disabled_reason: Option<DisabledReason>,
    /// Since when every attempt has failed, in Unix milliseconds.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub failing_since: Option<Timestamp>,
    /// When it was created, in Unix milliseconds.
    pub created_at: Timestamp,
}

// Without the URL, which often is all that a caller of it needs.
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

/// A new webhook. Prints without its secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookCreated {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// What deliveries are signed with. It is shown this once; a replay does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub secret: Option<String>,
}

impl WebhookCreated {
    /// The answer for a webhook, with its secret where it may be shown.
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

/// The webhooks of an account, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["webhooks", "nextCursor"]))]
pub struct WebhookList {
    /// The webhooks.
    pub webhooks: Vec<Webhook>,
    /// Continues the list; `null` at the end.
    pub next_cursor: Option<String>,
}

/// A webhook's new secret. Prints without it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretRotated {
    /// The webhook.
    pub id: String,
    /// What deliveries are signed with from now on. It is shown this once.
    pub secret: String,
    /// Until when deliveries carry a signature of the secret before as well, whatever rotates meanwhile, in Unix
    /// milliseconds.
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
    /// The delivery.
    pub id: DeliveryId,
    /// The event: `webhook-id`.
    pub event_id: EventId,
    /// The event's name.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried again, in Unix milliseconds; `null` when it is not, and while it is being tried.
    pub next_attempt_at: Option<Timestamp>,
    /// The status that the receiver answered last; `null` when it did not answer.
    pub response_status: Option<u16>,
    /// Why it did not answer: `url_blocked`, `timed_out` or `connection_failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub fault: Option<domain::subscription::DeliveryFault>,
    /// When the event reached the webhook, in Unix milliseconds.
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

/// The deliveries of a webhook, newest event first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["deliveries", "nextCursor"]))]
pub struct DeliveryList {
    /// The deliveries.
    pub deliveries: Vec<DeliveryEntry>,
    /// Continues the list; `null` at the end.
    pub next_cursor: Option<String>,
}

/// Query parameters of a list that has no filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage {
    /// Continues a list.
    pub cursor: Option<String>,
    /// Most items, 1 to 100.
    pub limit: u32,
}

impl ListPage {
    /// Reads the query parameters.
    ///
    /// # Errors
    /// A limit that is out of range.
    pub fn read(query: &HashMap<String, String>) -> Result<Self, Vec<FieldError>> {
        let mut faults = Vec::new();
        let limit = limit(query).unwrap_or_else(|fault| keep(&mut faults, fault, DEFAULT_LIMIT));
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            cursor: query.get("cursor").cloned(),
            limit,
        })
    }
}

/// The identifier of a webhook in a path; `None` for anything else.
#[must_use]
pub fn webhook_id(text: &str) -> Option<SubscriptionId> {
    text.parse().ok().map(SubscriptionId::Webhook)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(body: &Value) -> Vec<String> {
        let faults = CreateWebhook::read(body).unwrap_err();
        faults.into_iter().map(|fault| fault.path).collect()
    }

    #[test]
    fn an_event_that_is_named_twice_counts_once_and_every_unknown_one_is_told() {
        let url = "https://example.com/";
        let body = json!({"url": url, "events": ["job.*", "job.completed", "job.*"]});
        let (_, events) = CreateWebhook::read(&body).unwrap();
        let names: Vec<_> = events.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["job.*", "job.completed"]);
        let unknown = json!({"url": url, "events": ["job.done", "*", "scan.created"]});
        assert_eq!(fault(&unknown), ["$.events[0]", "$.events[2]"]);
        assert_eq!(fault(&json!({"url": url, "events": []})), ["$.events"]);
        assert_eq!(fault(&json!({"url": url})), ["$.events"]);
        let many = json!({"url": url, "events": vec!["*"; 51]});
        assert_eq!(fault(&many), ["$.events"]);
        assert_eq!(fault(&json!({"url": 5, "events": ["*"]})), ["$.url"]);
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
