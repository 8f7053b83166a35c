//! The delivery of one event to one subscription, and its state machine. Each change is a value: the new record, the write
//! condition, and the due time.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::delivery_ticket::{DELIVERY_TICKET_VERSION, DeliveryTicket};
use super::lane::Lane;
use super::record::{Subscription, SubscriptionId};
use super::schedule::{
    ATTEMPTS, DeliveryFailure, LEASE, MAX_QUEUE_DELAY, RESEND_AFTER, retry_delay,
};
use crate::id::{AccountId, DeliveryId, EventId};
use crate::retry::CLOCK_TOLERANCE;
use crate::timestamp::Timestamp;

/// The status of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// An attempt is running or scheduled.
    Pending,
    /// The receiver accepted the event.
    Delivered,
    /// No attempt is left, or the receiver responded 410 Gone.
    Failed,
    /// Not sent any more: the subscription was removed or disabled, or its plan no longer includes it.
    Skipped,
}

/// The payload of a delivery, the same in every attempt. `Debug` omits the body.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// The event; sent as `webhook-id`.
    pub event_id: EventId,
    /// Name of the event.
    pub event: String,
    /// The exact body.
    pub body: String,
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload({}, {}, ***)", self.event_id, self.event)
    }
}

/// A delivery record.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Version of the record format.
    pub record_version: u32,
    /// Identifier, derived from the event and the subscription.
    pub id: DeliveryId,
    /// Owner of the subscription.
    pub account_id: AccountId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The payload.
    pub payload: Payload,
    /// Status.
    pub status: DeliveryStatus,
    /// Number of attempts so far; part of the fencing token.
    pub attempts: u32,
    /// Number of manual resends; part of the fencing token.
    #[serde(default)]
    pub round: u32,
    /// Number of attempts before the current round.
    #[serde(default)]
    pub attempts_before: u32,
    /// Time of the next attempt; `None` during an attempt and after the last.
    pub next_attempt_at: Option<Timestamp>,
    /// End of the lease of the running attempt.
    #[serde(rename = "heldUntil")]
    pub lease_until: Option<Timestamp>,
    /// HTTP status of the last response.
    pub response_status: Option<u16>,
    /// Why the last attempt received no response.
    pub fault: Option<DeliveryFailure>,
    /// Time at which the delivery was created for the event.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Time at which the record is deleted.
    pub expires_at: Timestamp,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The receiver responded.
    Responded {
        /// HTTP status.
        status: u16,
        /// Value of `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// There was no response.
    NoResponse(DeliveryFailure),
}

impl DeliveryOutcome {
    /// Whether the receiver accepted the event: a status of 200 to 299. Redirects are not followed.
    #[must_use]
    pub fn is_success(self) -> bool {
        matches!(self, Self::Responded { status, .. } if (200..300).contains(&status))
    }

    /// Whether the receiver responded 410 Gone.
    #[must_use]
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Responded { status: 410, .. })
    }

    /// Returns the HTTP status, if there was a response.
    #[must_use]
    pub fn status(self) -> Option<u16> {
        match self {
            Self::Responded { status, .. } => Some(status),
            Self::NoResponse(_) => None,
        }
    }
}

/// A change of a delivery. It is stale, and nothing is written, unless the record still has the expected status, round and
/// number of attempts.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryChange {
    /// The delivery after the change.
    pub delivery: Delivery,
    /// Expected status.
    pub expected_status: DeliveryStatus,
    /// Expected round.
    pub expected_round: u32,
    /// Expected number of attempts.
    pub expected_attempts: u32,
    /// Time from which `sweep` sends the ticket; `None` if the delivery has finished.
    pub due: Option<Timestamp>,
    /// Delay of the queue message that is sent at once; `None` if no message is sent.
    pub queue_delay: Option<Duration>,
}

impl Delivery {
    /// The current version of the record format.
    pub const RECORD_VERSION: u32 = 1;

    /// Creates the delivery of `payload` to a subscription, due at once and retained until `expires_at`.
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
            id: DeliveryId::derive(payload.event_id.timestamp(), &name),
            account_id: subscription.account_id.clone(),
            subscription_id: subscription.id.clone(),
            payload,
            status: DeliveryStatus::Pending,
            attempts: 0,
            round: 0,
            attempts_before: 0,
            next_attempt_at: Some(now),
            lease_until: None,
            response_status: None,
            fault: None,
            created_at: now,
            updated_at: now,
            expires_at,
        }
    }

    /// Returns the time at which `sweep` resends the ticket of a new delivery that was lost.
    #[must_use]
    pub fn first_due(&self) -> Timestamp {
        self.created_at.plus(RESEND_AFTER)
    }

    /// Returns the ticket of the delivery, for the queue of fast receivers.
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

    /// Whether an attempt is due at `now`, or the lease of the running one has expired.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        let due = self.lease_until.or(self.next_attempt_at);
        let passed = due.is_some_and(|due| due <= now.plus(CLOCK_TOLERANCE));
        passed && self.status == DeliveryStatus::Pending
    }

    /// Starts an attempt. `None` if none is due: the delivery has finished, is leased by another worker, is scheduled later,
    /// or has no attempt left.
    #[must_use]
    pub fn claim(&self, now: Timestamp) -> Option<DeliveryChange> {
        (self.is_due(now) && !self.has_no_attempt_left()).then(|| {
            let mut change = self.with_status(DeliveryStatus::Pending, now);
            let lease = now.plus(LEASE);
            change.delivery.attempts += 1;
            change.delivery.lease_until = Some(lease);
            change.due = Some(lease);
            change
        })
    }

    /// Finishes the current attempt. `random`, 0 to 1, is the jitter of the next one.
    #[must_use]
    pub fn finish(&self, outcome: DeliveryOutcome, now: Timestamp, random: f64) -> DeliveryChange {
        let (status, pause) = self.status_after(outcome, random);
        let mut change = self.with_status(status, now);
        change.delivery.response_status = outcome.status();
        change.delivery.fault = match outcome {
            DeliveryOutcome::Responded { .. } => None,
            DeliveryOutcome::NoResponse(error) => Some(error),
        };
        match pause {
            Some(pause) => change.wait(now, pause),
            None => change,
        }
    }

    /// Fails the delivery if the worker of its last attempt crashed. `None` if another attempt is left, or the last one is
    /// still leased.
    #[must_use]
    pub fn fail_lost_attempt(&self, now: Timestamp) -> Option<DeliveryChange> {
        let lost = self.is_due(now) && self.has_no_attempt_left();
        lost.then(|| self.with_status(DeliveryStatus::Failed, now))
    }

    /// Skips the delivery. `None` if it has finished.
    #[must_use]
    pub fn skip(&self, now: Timestamp) -> Option<DeliveryChange> {
        let pending = self.status == DeliveryStatus::Pending;
        pending.then(|| self.with_status(DeliveryStatus::Skipped, now))
    }

    /// Resends the delivery at the owner's request: a new round of attempts starts at once, retained until `expires_at` at
    /// least. The outcome of a running attempt becomes stale.
    #[must_use]
    pub fn resend(&self, now: Timestamp, expires_at: Timestamp) -> DeliveryChange {
        let mut change = self.with_status(DeliveryStatus::Pending, now);
        change.delivery.round += 1;
        change.delivery.attempts_before = self.attempts;
        change.delivery.expires_at = self.expires_at.max(expires_at);
        change.wait(now, Duration::ZERO)
    }

    /// Returns the status after an outcome, and the delay of the next attempt.
    fn status_after(
        &self,
        outcome: DeliveryOutcome,
        random: f64,
    ) -> (DeliveryStatus, Option<Duration>) {
        let retry_after = match outcome {
            DeliveryOutcome::Responded { retry_after, .. } => retry_after,
            DeliveryOutcome::NoResponse(_) => None,
        };
        match retry_delay(self.attempts_in_round(), retry_after, random) {
            _ if outcome.is_success() => (DeliveryStatus::Delivered, None),
            _ if outcome.is_gone() => (DeliveryStatus::Failed, None),
            None => (DeliveryStatus::Failed, None),
            pause => (DeliveryStatus::Pending, pause),
        }
    }

    /// Whether the last attempt of the round has started.
    fn has_no_attempt_left(&self) -> bool {
        self.attempts_in_round() >= ATTEMPTS
    }

    fn attempts_in_round(&self) -> u32 {
        self.attempts.saturating_sub(self.attempts_before)
    }

    fn with_status(&self, status: DeliveryStatus, now: Timestamp) -> DeliveryChange {
        let mut delivery = self.clone();
        delivery.status = status;
        delivery.updated_at = now;
        delivery.next_attempt_at = None;
        delivery.lease_until = None;
        DeliveryChange {
            delivery,
            expected_status: self.status,
            expected_round: self.round,
            expected_attempts: self.attempts,
            due: None,
            queue_delay: None,
        }
    }
}

impl DeliveryChange {
    /// Schedules the next attempt after `pause`: by a delayed queue message, or by `sweep` if the pause exceeds the maximum
    /// delay of the queue.
    fn wait(mut self, now: Timestamp, pause: Duration) -> Self {
        let next = now.plus(pause);
        self.delivery.next_attempt_at = Some(next);
        if pause <= MAX_QUEUE_DELAY {
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
