//! Moves dead letters of `fanout` and `deliver` back to their queues.

use aws::Services;
use domain::subscription::{DeliveryTicket, Lane};
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use crate::CommandOutput;
use crate::error::AdminError;
use crate::stack::Stack;

/// The consumer of a queue with a dead-letter queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumer {
    /// Events. Rejected ones are wrapped with the reason.
    Fanout,
    /// Delivery tickets.
    Deliver,
}

impl Consumer {
    /// Returns the consumer named `name`.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let mut consumers = [Self::Fanout, Self::Deliver].into_iter();
        consumers.find(|consumer| consumer.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fanout => "fanout",
            Self::Deliver => "deliver",
        }
    }

    /// Returns the original message.
    fn unwrap(self, message: &str) -> String {
        let wrapped = match self {
            Self::Fanout => rejected_event(message),
            Self::Deliver => ticket_in_ready_lane(message),
        };
        wrapped.unwrap_or_else(|| message.to_owned())
    }
}

pub(super) async fn redrive(
    stack: &Stack,
    services: &Services,
    consumer: Consumer,
    now: Timestamp,
) -> Result<CommandOutput, AdminError> {
    let (from, to) = stack.dead_letters(consumer.name())?;
    let unwrap = |message: &str| consumer.unwrap(message);
    let moved = services.move_messages(from, to, now, unwrap).await?;
    Ok(json!({"redriven": moved.moved, "left": moved.left}).into())
}

/// Unwraps an event that was rejected with a reason; `None` for messages that only exceeded their receive count.
fn rejected_event(message: &str) -> Option<String> {
    let mut rejected: Value = serde_json::from_str(message).ok()?;
    rejected.get("reason")?;
    match rejected.get_mut("event")?.take() {
        Value::String(text) => Some(text),
        event => Some(event.to_string()),
    }
}

/// Converts a delivery ticket to the lane of the queue it returns to. Both lanes share one dead-letter queue.
fn ticket_in_ready_lane(message: &str) -> Option<String> {
    let ticket = DeliveryTicket::read(message).ok()?;
    ticket.in_lane(Lane::Ready).write().ok()
}

#[cfg(test)]
mod tests {
    use domain::id::{AccountId, DeliveryId, WebhookId};
    use domain::subscription::{DELIVERY_TICKET_VERSION, SubscriptionId};

    use super::*;

    #[test]
    fn a_rejected_event_is_unwrapped() {
        let event =
            json!({"source": "octavo.app", "detail-type": "qr.scanned", "detail": {"id": "a"}});
        let rejected = json!({"reason": "unknown account", "event": event}).to_string();
        assert_eq!(Consumer::Fanout.unwrap(&rejected), event.to_string());
        let text = json!({"reason": "not JSON", "event": "{not"}).to_string();
        assert_eq!(Consumer::Fanout.unwrap(&text), "{not");
    }

    #[test]
    fn messages_without_a_reason_are_unchanged() {
        let event = json!({"source": "octavo", "detail": {"id": "a"}}).to_string();
        assert_eq!(Consumer::Fanout.unwrap(&event), event);
        assert_eq!(Consumer::Fanout.unwrap("{not"), "{not");
        let ticket = json!({"reason": "r", "event": "e"}).to_string();
        assert_eq!(Consumer::Deliver.unwrap(&ticket), ticket);
    }

    #[test]
    fn tickets_of_both_lanes_return_to_the_ready_lane() {
        let at = Timestamp(1);
        let ticket = DeliveryTicket {
            version: DELIVERY_TICKET_VERSION,
            account_id: AccountId::mint(at, 1),
            subscription_id: SubscriptionId::Webhook(WebhookId::mint(at, 1)),
            delivery_id: DeliveryId::mint(at, 1),
            lane: Lane::Slow,
        };
        let ready = ticket.clone().in_lane(Lane::Ready).write().unwrap();
        assert_eq!(Consumer::Deliver.unwrap(&ticket.write().unwrap()), ready);
        assert_eq!(Consumer::Deliver.unwrap(&ready), ready);
    }
}
