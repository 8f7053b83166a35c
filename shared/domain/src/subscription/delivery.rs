//! The delivery of one event to one subscription, and its moves as values: what it will be, what must still hold, and when
//! it is due.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::delivery_ticket::{DELIVERY_TICKET_VERSION, DeliveryTicket};
use super::lane::Lane;
use super::record::{Subscription, SubscriptionId};
use super::schedule::{
    ATTEMPTS, DeliveryFault, LEASE, LONGEST_QUEUE_DELAY, RESEND_AFTER, pause_after,
};
use crate::id::{AccountId, DeliveryId, EventId};
use crate::retry::CLOCK_TOLERANCE;
use crate::timestamp::Timestamp;

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// It is tried, or will be again.
    Pending,
    /// The receiver took it.
    Delivered,
    /// No attempt is left, or the receiver is gone.
    Failed,
    /// It is not sent any more: the subscription ended, or its plan no longer includes it.
    Skipped,
}

/// What is sent, the same at every attempt. Prints without its body.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// The event: `webhook-id`.
    pub event_id: EventId,
    /// Its name.
    pub event: String,
    /// The body, byte for byte.
    pub body: String,
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload({}, {}, ***)", self.event_id, self.event)
    }
}

/// The record of a delivery.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Version of this record's form.
    pub record_version: u32,
    /// The delivery's identifier: always the same for the same event and subscription.
    pub id: DeliveryId,
    /// The owner of the subscription.
    pub account_id: AccountId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// What is sent.
    pub payload: Payload,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Fencing number: how often it was tried.
    pub attempts: u32,
    /// Fencing number beside the attempts: how often its owner had it sent again.
    #[serde(default)]
    pub round: u32,
    /// How often it had been tried when the present round of attempts began.
    #[serde(default)]
    pub attempts_before: u32,
    /// When the next attempt is due; `None` during an attempt and at the end.
    pub next_attempt_at: Option<Timestamp>,
    /// When the attempt that is being made counts as lost.
    pub held_until: Option<Timestamp>,
    /// What the receiver answered last.
    pub response_status: Option<u16>,
    /// Why it did not answer.
    pub fault: Option<DeliveryFault>,
    /// When the event reached the subscription.
    pub created_at: Timestamp,
    /// When the record last changed.
    pub updated_at: Timestamp,
    /// When the record is deleted.
    pub expires_at: Timestamp,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver answered.
    Answered {
        /// With this status.
        status: u16,
        /// And asked to be left alone for so long.
        retry_after: Option<Duration>,
    },
    /// It did not.
    NoAnswer(DeliveryFault),
}

impl Outcome {
    /// Whether the receiver took it: any status of 200 to 299, and no redirect.
    #[must_use]
    pub fn is_success(self) -> bool {
        matches!(self, Self::Answered { status, .. } if (200..300).contains(&status))
    }

    /// Whether the receiver said that it is gone for good.
    #[must_use]
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Answered { status: 410, .. })
    }

    /// The receiver's status, if it answered.
    #[must_use]
    pub fn status(self) -> Option<u16> {
        match self {
            Self::Answered { status, .. } => Some(status),
            Self::NoAnswer(_) => None,
        }
    }
}

/// A move of a delivery. It is stale, and nothing is written, unless the record still has the status, round and number of
/// attempts that were seen.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryChange {
    /// The delivery as it will be.
    pub delivery: Delivery,
    /// The status that was seen.
    pub seen_status: DeliveryStatus,
    /// The round of attempts that was seen.
    pub seen_round: u32,
    /// The number of attempts that was seen.
    pub seen_attempts: u32,
    /// From when on `sweep` sends its ticket; `None` when it has ended.
    pub due: Option<Timestamp>,
    /// How long the queue holds the ticket back that is sent at once; `None` when none is.
    pub queue_delay: Option<Duration>,
}

impl Delivery {
    /// The present form of the record.
    pub const RECORD_VERSION: u32 = 1;

    /// The delivery of `payload` to a subscription, due at once and on record until `expires_at`.
    #[must_use]
    pub fn new(
        subscription: &Subscription,
        payload: Payload,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Self {
        let name = format!("{}/{}", subscription.id, payload.event_id);
        Self {
            record_version: Self::RECORD_VERSION,
            id: DeliveryId::derive(payload.event_id.moment(), &name),
            account_id: subscription.account_id.clone(),
            subscription_id: subscription.id.clone(),
            payload,
            status: DeliveryStatus::Pending,
            attempts: 0,
            round: 0,
            attempts_before: 0,
            next_attempt_at: Some(now),
            held_until: None,
            response_status: None,
            fault: None,
            created_at: now,
            updated_at: now,
            expires_at,
        }
    }

    /// When `sweep` takes up a new delivery whose ticket went astray.
    #[must_use]
    pub fn first_due(&self) -> Timestamp {
        self.created_at.plus(RESEND_AFTER)
    }

    /// The message that it is due, for receivers that answer at once.
    #[must_use]
    pub fn ticket(&self) -> DeliveryTicket {
        DeliveryTicket {
            version: DELIVERY_TICKET_VERSION,
            account_id: self.account_id.clone(),
            subscription_id: self.subscription_id.clone(),
            delivery_id: self.id.clone(),
            lane: Lane::Ready,
        }
    }

    /// Whether something is to be done at `now`: it waited for its attempt until then, or the one that was made is lost.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        let due = self.held_until.or(self.next_attempt_at);
        let passed = due.is_some_and(|due| due <= now.plus(CLOCK_TOLERANCE));
        passed && self.status == DeliveryStatus::Pending
    }

    /// The beginning of an attempt; `None` when none is due: it has ended, is held by another worker, waits, or is to be given
    /// up.
    #[must_use]
    pub fn claim(&self, now: Timestamp) -> Option<DeliveryChange> {
        (self.is_due(now) && !self.is_spent()).then(|| {
            let mut change = self.become_status(DeliveryStatus::Pending, now);
            let lease = now.plus(LEASE);
            change.delivery.attempts += 1;
            change.delivery.held_until = Some(lease);
            change.due = Some(lease);
            change
        })
    }

    /// The end of the present attempt. `random`, 0 to 1, spreads the next one.
    #[must_use]
    pub fn end(&self, outcome: Outcome, now: Timestamp, random: f64) -> DeliveryChange {
        let (status, pause) = self.judge(outcome, random);
        let mut change = self.become_status(status, now);
        change.delivery.response_status = outcome.status();
        change.delivery.fault = match outcome {
            Outcome::Answered { .. } => None,
            Outcome::NoAnswer(fault) => Some(fault),
        };
        match pause {
            Some(pause) => change.wait(now, pause),
            None => change,
        }
    }

    /// The end of one whose last attempt is lost: whoever made it is gone. `None` when another attempt is left or none is lost.
    #[must_use]
    pub fn give_up(&self, now: Timestamp) -> Option<DeliveryChange> {
        let lost = self.is_due(now) && self.is_spent();
        lost.then(|| self.become_status(DeliveryStatus::Failed, now))
    }

    /// It is not sent any more. `None` when it has ended already.
    #[must_use]
    pub fn skip(&self, now: Timestamp) -> Option<DeliveryChange> {
        let pending = self.status == DeliveryStatus::Pending;
        pending.then(|| self.become_status(DeliveryStatus::Skipped, now))
    }

    /// The owner wants it sent again: a new round of attempts begins at once, on record until `expires_at` at least. The end
    /// of an attempt that is being made is stale from then on.
    #[must_use]
    pub fn send_again(&self, now: Timestamp, expires_at: Timestamp) -> DeliveryChange {
        let mut change = self.become_status(DeliveryStatus::Pending, now);
        change.delivery.round += 1;
        change.delivery.attempts_before = self.attempts;
        change.delivery.expires_at = self.expires_at.max(expires_at);
        change.wait(now, Duration::ZERO)
    }

    /// What an outcome makes of it, and how long it waits then.
    fn judge(&self, outcome: Outcome, random: f64) -> (DeliveryStatus, Option<Duration>) {
        let retry_after = match outcome {
            Outcome::Answered { retry_after, .. } => retry_after,
            Outcome::NoAnswer(_) => None,
        };
        match pause_after(self.in_this_round(), retry_after, random) {
            _ if outcome.is_success() => (DeliveryStatus::Delivered, None),
            _ if outcome.is_gone() => (DeliveryStatus::Failed, None),
            None => (DeliveryStatus::Failed, None),
            pause => (DeliveryStatus::Pending, pause),
        }
    }

    /// Whether the last attempt of its round has begun.
    fn is_spent(&self) -> bool {
        self.in_this_round() >= ATTEMPTS
    }

    fn in_this_round(&self) -> u32 {
        self.attempts.saturating_sub(self.attempts_before)
    }

    fn become_status(&self, status: DeliveryStatus, now: Timestamp) -> DeliveryChange {
        let mut delivery = self.clone();
        delivery.status = status;
        delivery.updated_at = now;
        delivery.next_attempt_at = None;
        delivery.held_until = None;
        DeliveryChange {
            delivery,
            seen_status: self.status,
            seen_round: self.round,
            seen_attempts: self.attempts,
            due: None,
            queue_delay: None,
        }
    }
}

impl DeliveryChange {
    /// The next attempt is due after `pause`: a queue brings it, or `sweep` where no queue holds a message back so long.
    fn wait(mut self, now: Timestamp, pause: Duration) -> Self {
        let next = now.plus(pause);
        self.delivery.next_attempt_at = Some(next);
        if pause <= LONGEST_QUEUE_DELAY {
            self.queue_delay = Some(pause);
            self.due = Some(next.plus(RESEND_AFTER));
        } else {
            self.due = Some(next);
        }
        self
    }
}

#[cfg(test)]
#[path = "delivery_tests.rs"]
pub(super) mod tests;
