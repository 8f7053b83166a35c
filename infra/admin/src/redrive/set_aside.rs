//! What was set aside of events and deliveries goes to its queue again.

use aws::Services;
use domain::subscription::{DeliveryTicket, Lane};
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use crate::Answer;
use crate::error::AdminError;
use crate::stack::Stack;

/// Whose dead-letter queue it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumer {
    /// Events, which the function wraps with the reason.
    Fanout,
    /// Tickets of deliveries.
    Deliver,
}

impl Consumer {
    /// The consumer of this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let mut all = [Self::Fanout, Self::Deliver].into_iter();
        all.find(|consumer| consumer.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fanout => "fanout",
            Self::Deliver => "deliver",
        }
    }

    /// The message as it first came.
    fn unwrap(self, message: &str) -> String {
        let wrapped = match self {
            Self::Fanout => rejected_event(message),
            Self::Deliver => ticket_of_either_lane(message),
        };
        wrapped.unwrap_or_else(|| message.to_owned())
    }
}

pub(super) async fn redrive(
    stack: &Stack,
    services: &Services,
    consumer: Consumer,
    now: Timestamp,
) -> Result<Answer, AdminError> {
    let (from, to) = stack.dead_letters(consumer.name())?;
    let unwrap = |message: &str| consumer.unwrap(message);
    let moved = services.move_messages(from, to, now, unwrap).await?;
    Ok(json!({"redriven": moved.moved, "left": moved.left}).into())
}

/// What a message with a reason was before it was rejected. One that failed too often has none and is as it came.
fn rejected_event(message: &str) -> Option<String> {
    let mut rejected: Value = serde_json::from_str(message).ok()?;
    rejected.get("reason")?;
    match rejected.get_mut("event")?.take() {
        Value::String(text) => Some(text),
        event => Some(event.to_string()),
    }
}

/// The ticket of a delivery as the queue that it goes back to carries it: both lanes set aside in the same place.
fn ticket_of_either_lane(message: &str) -> Option<String> {
    let ticket = DeliveryTicket::read(message).ok()?;
    ticket.in_lane(Lane::Ready).write().ok()
}

#[cfg(test)]
mod tests {
    use domain::id::{AccountId, DeliveryId, WebhookId};
    use domain::subscription::{DELIVERY_TICKET_VERSION, SubscriptionId};

    use super::*;

    #[test]
    fn an_event_goes_back_as_it_came() {
        let event =
            json!({"source": "octavo.app", "detail-type": "qr.scanned", "detail": {"id": "a"}});
        let rejected = json!({"reason": "unknown account", "event": event}).to_string();
        assert_eq!(Consumer::Fanout.unwrap(&rejected), event.to_string());
        let text = json!({"reason": "not JSON", "event": "{not"}).to_string();
        assert_eq!(Consumer::Fanout.unwrap(&text), "{not");
    }

    #[test]
    fn what_only_failed_too_often_is_left_as_it_is() {
        let event = json!({"source": "octavo", "detail": {"id": "a"}}).to_string();
        assert_eq!(Consumer::Fanout.unwrap(&event), event);
        assert_eq!(Consumer::Fanout.unwrap("{not"), "{not");
        let ticket = json!({"reason": "r", "event": "e"}).to_string();
        assert_eq!(Consumer::Deliver.unwrap(&ticket), ticket);
    }

    #[test]
    fn a_ticket_of_either_lane_goes_to_the_one_queue_that_tells_them_apart() {
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
