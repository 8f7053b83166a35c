//! Messages of the fan-out queue: EventBridge envelopes, optionally with the position at which a fan-out continues.

use std::str::FromStr;

use domain::event::{EVENT_SOURCE, Event, EventType};
use domain::id::{AccountId, HookId, WebhookId};
use domain::subscription::{
    Subscription, SubscriptionId, SubscriptionKind, TRIGGER_SOURCE, TriggerEvent,
};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// Envelope member with the position at which the fan-out continues.
const CONTINUATION: &str = "continuation";

/// An event for subscribers. Has no `Debug`, because its data must not be logged.
pub(crate) enum IncomingEvent {
    /// An event of the service, for webhooks.
    Event(Event),
    /// A trigger event of the mobile app, for automation hooks.
    Trigger(TriggerEvent),
}

/// A valid message.
pub(crate) struct Message {
    /// The event to deliver.
    pub(crate) event: IncomingEvent,
    /// The last subscription of the previous page.
    pub(crate) after: Option<SubscriptionId>,
    /// The message as received.
    pub(crate) envelope: Value,
}

/// A message that cannot be processed.
pub(crate) struct Rejection {
    /// Why it is rejected.
    pub(crate) reason: Reason,
    /// The message as received.
    pub(crate) message: Value,
}

/// Why an event is not delivered to any subscription.
#[derive(Debug, Error)]
pub(crate) enum Reason {
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("not an EventBridge event: member `{0}` is missing")]
    Missing(&'static str),
    #[error("unknown source {0:?}")]
    UnknownSource(String),
    #[error("{0}")]
    Trigger(#[from] domain::subscription::TriggerEventError),
    #[error("unknown detail-type {0:?}")]
    UnknownEvent(String),
    #[error("`detail` is not a valid event: {0}")]
    Event(serde_json::Error),
    #[error("`detail-type` differs from the type of the event, {0}")]
    TypeMismatch(EventType),
    #[error("{0} is sent to one webhook directly and is not published on the bus")]
    NotPublished(EventType),
    #[error("`continuation.after` is not a subscription identifier")]
    InvalidContinuation,
    #[error("account {0} does not exist")]
    UnknownAccount(AccountId),
}

impl Reason {
    /// Whether a newer release may have published the event: only the service itself uses its source.
    pub(crate) fn may_be_newer(&self) -> bool {
        matches!(self, Self::UnknownEvent(_) | Self::Event(_))
    }
}

impl Message {
    /// Parses a message. A redriven rejection is unwrapped first.
    pub(crate) fn read(text: &str) -> Result<Self, Rejection> {
        let message = match serde_json::from_str(text) {
            Ok(message) => unwrap_rejection(message),
            Err(error) => {
                return Err(Rejection {
                    reason: Reason::NotJson(error),
                    message: Value::from(text),
                });
            }
        };
        match IncomingEvent::read(&message)
            .and_then(|event| Ok((position(&message, &event)?, event)))
        {
            Ok((after, event)) => Ok(Self {
                event,
                after,
                envelope: message,
            }),
            Err(reason) => Err(Rejection { reason, message }),
        }
    }

    /// The message that continues the fan-out after a subscription.
    pub(crate) fn continuation(&self, after: &SubscriptionId) -> String {
        let mut envelope = self.envelope.clone();
        if let Some(members) = envelope.as_object_mut() {
            members.insert(CONTINUATION.to_owned(), json!({"after": after}));
        }
        envelope.to_string()
    }
}

impl Rejection {
    /// The message for the dead-letter queue of `fanout`.
    pub(crate) fn to_message(&self) -> String {
        json!({"reason": self.reason.to_string(), "event": self.message}).to_string()
    }
}

impl IncomingEvent {
    fn read(envelope: &Value) -> Result<Self, Reason> {
        let text = |member| envelope.get(member).and_then(Value::as_str);
        let source = text("source").ok_or(Reason::Missing("source"))?;
        let detail_type = text("detail-type").ok_or(Reason::Missing("detail-type"))?;
        let detail = envelope.get("detail").ok_or(Reason::Missing("detail"))?;
        match source {
            EVENT_SOURCE => event(detail_type, detail).map(Self::Event),
            TRIGGER_SOURCE => Ok(Self::Trigger(TriggerEvent::read(detail_type, detail)?)),
            other => Err(Reason::UnknownSource(other.to_owned())),
        }
    }

    /// The account that the event belongs to.
    pub(crate) fn account(&self) -> &AccountId {
        match self {
            Self::Event(event) => &event.account_id,
            Self::Trigger(trigger) => &trigger.account_id,
        }
    }

    /// The kind of subscriptions that may receive the event.
    pub(crate) fn kind(&self) -> SubscriptionKind {
        match self {
            Self::Event(_) => SubscriptionKind::Webhook,
            Self::Trigger(_) => SubscriptionKind::Hook,
        }
    }

    /// Whether a subscription is subscribed to the event.
    pub(crate) fn matches(&self, subscription: &Subscription) -> bool {
        match self {
            Self::Event(event) => subscription.is_subscribed_to(event.event_type),
            Self::Trigger(event) => subscription.is_subscribed_to_trigger(event.trigger),
        }
    }
}

fn event(detail_type: &str, detail: &Value) -> Result<Event, Reason> {
    let unknown = |_| Reason::UnknownEvent(detail_type.to_owned());
    let _: EventType = detail_type.parse().map_err(unknown)?;
    let event: Event = serde_json::from_value(detail.clone()).map_err(Reason::Event)?;
    match event.event_type {
        name if name.name() != detail_type => Err(Reason::TypeMismatch(name)),
        EventType::WebhookTest => Err(Reason::NotPublished(EventType::WebhookTest)),
        _ => Ok(event),
    }
}

fn position(envelope: &Value, event: &IncomingEvent) -> Result<Option<SubscriptionId>, Reason> {
    let Some(continuation) = envelope.get(CONTINUATION) else {
        return Ok(None);
    };
    let after = continuation.get("after").and_then(Value::as_str);
    let after = after.ok_or(Reason::InvalidContinuation)?;
    let position = match event.kind() {
        SubscriptionKind::Webhook => WebhookId::from_str(after).map(SubscriptionId::Webhook),
        SubscriptionKind::Hook => HookId::from_str(after).map(SubscriptionId::Hook),
    };
    position.map(Some).map_err(|_| Reason::InvalidContinuation)
}

/// Returns the original message of a rejection, any other message unchanged.
fn unwrap_rejection(message: Value) -> Value {
    match message {
        Value::Object(mut members) if is_rejection(&members) => {
            members.remove("event").unwrap_or_default()
        }
        other => other,
    }
}

fn is_rejection(members: &Map<String, Value>) -> bool {
    members.len() == 2 && members.contains_key("reason") && members.contains_key("event")
}
