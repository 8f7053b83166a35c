//! Reads what the queue of fan-outs brings: events as the bus wraps them, and what remains of a fan-out.

use std::str::FromStr;

use domain::event::{EVENT_SOURCE, Event, EventType};
use domain::id::{AccountId, HookId, WebhookId};
use domain::subscription::{
    Subscription, SubscriptionId, SubscriptionKind, TRIGGER_SOURCE, TriggerEvent,
};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The member that says where a fan-out goes on.
const CONTINUATION: &str = "continuation";

/// An event for subscribers. Prints without its data.
pub(crate) enum Happening {
    /// What webhooks hear of.
    Event(Event),
    /// What automation hooks hear of.
    Trigger(TriggerEvent),
}

/// A message that can be told.
pub(crate) struct Message {
    /// What happened.
    pub(crate) happening: Happening,
    /// The subscription behind which it goes on.
    pub(crate) after: Option<SubscriptionId>,
    /// The message as it came.
    pub(crate) envelope: Value,
}

/// A message that tells this release nothing.
pub(crate) struct Unreadable {
    /// Why.
    pub(crate) reason: Reason,
    /// The message as it came.
    pub(crate) message: Value,
}

/// Why an event is told to nobody.
#[derive(Debug, Error)]
pub(crate) enum Reason {
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("not an event of a bus: it has no {0}")]
    Lacks(&'static str),
    #[error("the source {0:?} is not known")]
    Source(String),
    #[error("{0}")]
    Trigger(#[from] domain::subscription::TriggerFault),
    #[error("the detail type {0:?} is no event")]
    UnknownEvent(String),
    #[error("the detail is no event: {0}")]
    Event(serde_json::Error),
    #[error("the detail type is not that of the event, {0}")]
    OtherType(EventType),
    #[error("{0} is sent to one webhook and not told by the bus")]
    ForOne(EventType),
    #[error("`continuation.after` is not the identifier of a subscription")]
    Position,
    #[error("account {0} does not exist")]
    UnknownAccount(AccountId),
}

impl Reason {
    /// Whether a newer release may have written it: nobody else has the service's own source.
    pub(crate) fn may_be_newer(&self) -> bool {
        matches!(self, Self::UnknownEvent(_) | Self::Event(_))
    }
}

impl Message {
    /// Reads a message. One that was rejected before and is sent again is read anew.
    pub(crate) fn read(text: &str) -> Result<Self, Unreadable> {
        let message = match serde_json::from_str(text) {
            Ok(message) => as_it_came(message),
            Err(error) => {
                return Err(Unreadable {
                    reason: Reason::NotJson(error),
                    message: Value::from(text),
                });
            }
        };
        match Happening::read(&message).and_then(|it| Ok((position(&message, &it)?, it))) {
            Ok((after, happening)) => Ok(Self {
                happening,
                after,
                envelope: message,
            }),
            Err(reason) => Err(Unreadable { reason, message }),
        }
    }

    /// The message that goes on behind a subscription.
    pub(crate) fn continued(&self, after: &SubscriptionId) -> String {
        let mut envelope = self.envelope.clone();
        if let Some(members) = envelope.as_object_mut() {
            members.insert(CONTINUATION.to_owned(), json!({"after": after}));
        }
        envelope.to_string()
    }
}

impl Unreadable {
    /// The message for the dead-letter queue of fan-out.
    pub(crate) fn rejection(&self) -> String {
        json!({"reason": self.reason.to_string(), "event": self.message}).to_string()
    }
}

impl Happening {
    fn read(envelope: &Value) -> Result<Self, Reason> {
        let text = |member| envelope.get(member).and_then(Value::as_str);
        let source = text("source").ok_or(Reason::Lacks("source"))?;
        let detail_type = text("detail-type").ok_or(Reason::Lacks("detail-type"))?;
        let detail = envelope.get("detail").ok_or(Reason::Lacks("detail"))?;
        match source {
            EVENT_SOURCE => event(detail_type, detail).map(Self::Event),
            TRIGGER_SOURCE => Ok(Self::Trigger(TriggerEvent::read(detail_type, detail)?)),
            other => Err(Reason::Source(other.to_owned())),
        }
    }

    /// The account that it concerns.
    pub(crate) fn account(&self) -> &AccountId {
        match self {
            Self::Event(event) => &event.account_id,
            Self::Trigger(trigger) => &trigger.account_id,
        }
    }

    /// Which subscriptions may hear of it.
    pub(crate) fn kind(&self) -> SubscriptionKind {
        match self {
            Self::Event(_) => SubscriptionKind::Webhook,
            Self::Trigger(_) => SubscriptionKind::Hook,
        }
    }

    /// Whether a subscription is to be told of it.
    pub(crate) fn is_heard_by(&self, subscription: &Subscription) -> bool {
        match self {
            Self::Event(event) => subscription.hears(event.event_type),
            Self::Trigger(event) => subscription.hears_trigger(event.trigger),
        }
    }
}

fn event(detail_type: &str, detail: &Value) -> Result<Event, Reason> {
    let unknown = |_| Reason::UnknownEvent(detail_type.to_owned());
    let _: EventType = detail_type.parse().map_err(unknown)?;
    let event: Event = serde_json::from_value(detail.clone()).map_err(Reason::Event)?;
    match event.event_type {
        name if name.name() != detail_type => Err(Reason::OtherType(name)),
        EventType::WebhookTest => Err(Reason::ForOne(EventType::WebhookTest)),
        _ => Ok(event),
    }
}

fn position(envelope: &Value, happening: &Happening) -> Result<Option<SubscriptionId>, Reason> {
    let Some(continuation) = envelope.get(CONTINUATION) else {
        return Ok(None);
    };
    let after = continuation.get("after").and_then(Value::as_str);
    let after = after.ok_or(Reason::Position)?;
    let position = match happening.kind() {
        SubscriptionKind::Webhook => WebhookId::from_str(after).map(SubscriptionId::Webhook),
        SubscriptionKind::Hook => HookId::from_str(after).map(SubscriptionId::Hook),
    };
    position.map(Some).map_err(|_| Reason::Position)
}

/// A message that was rejected before holds the one that came then.
fn as_it_came(message: Value) -> Value {
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
