//! Tests of every change of a delivery.

use super::*;
use crate::event::EventType;
use crate::id::{AccountId, WebhookId};
use crate::source::SourceUrl;
use crate::subscription::{ATTEMPTS, Selector, SubscriptionStatus};

const NOW: Timestamp = Timestamp(1_795_000_000_000);
const LATER: Timestamp = Timestamp(1_799_000_000_000);

pub(in crate::subscription) fn subscription() -> Subscription {
    Subscription {
        record_version: Subscription::RECORD_VERSION,
        id: SubscriptionId::Webhook(WebhookId::mint(NOW, 1)),
        account_id: AccountId::mint(NOW, 1),
        url: SourceUrl::new("https://example.com/"),
        events: vec![Selector::One(EventType::JobCompleted)],
        trigger: None,
        status: SubscriptionStatus::Active,
        disabled_reason: None,
        secrets: Vec::new(),
        failing_since: None,
        last_failure_at: None,
        last_success_at: None,
        slow_until: None,
        last_delivery: None,
        created_at: NOW,
        revision: 1,
    }
}

fn payload(number: u128) -> Payload {
    Payload {
        event_id: EventId::mint(NOW, number),
        event: "job.completed".to_owned(),
        body: "{}".to_owned(),
    }
}

fn new() -> Delivery {
    Delivery::new(&subscription(), payload(1), NOW, LATER)
}

fn responded(status: u16) -> DeliveryOutcome {
    DeliveryOutcome::Responded {
        status,
        retry_after: None,
    }
}

/// Returns the delivery after its next attempt with `outcome`.
fn attempted(delivery: &Delivery, outcome: DeliveryOutcome) -> DeliveryChange {
    let at = delivery.next_attempt_at.unwrap();
    let leased = delivery.claim(at).unwrap().delivery;
    leased.finish(outcome, at.plus(Duration::from_secs(1)), 0.5)
}

#[test]
fn the_identifier_depends_on_event_and_subscription_only() {
    let one = new();
    assert_eq!(
        one.id,
        Delivery::new(&subscription(), payload(1), LATER, LATER).id
    );
    assert_ne!(
        one.id,
        Delivery::new(&subscription(), payload(2), NOW, LATER).id
    );
    let other = Subscription {
        id: SubscriptionId::Webhook(WebhookId::mint(NOW, 2)),
        ..subscription()
    };
    assert_ne!(one.id, Delivery::new(&other, payload(1), NOW, LATER).id);
    assert_eq!(one.id.timestamp(), NOW);
}

#[test]
fn an_attempt_is_leased_to_one_worker() {
    let claimed = new().claim(NOW).unwrap();
    let leased = &claimed.delivery;
    assert_eq!((leased.attempts, claimed.expected_attempts), (1, 0));
    assert_eq!(claimed.due, Some(NOW.plus(LEASE)));
    assert_eq!(
        (leased.next_attempt_at, leased.lease_until),
        (None, claimed.due),
        "no attempt follows until this one has failed"
    );
    assert_eq!(leased.claim(NOW.plus(LEASE / 2)), None);
    assert_eq!(leased.claim(NOW.plus(LEASE)).unwrap().delivery.attempts, 2);
}

#[test]
fn only_due_deliveries_are_claimed() {
    let waiting = attempted(&new(), responded(500)).delivery;
    let next = waiting.next_attempt_at.unwrap();
    assert_eq!(waiting.lease_until, None);
    assert_eq!(next, NOW.plus(Duration::from_secs(1 + 5)));
    assert_eq!(waiting.claim(Timestamp(next.milliseconds() - 2_000)), None);
    assert!(waiting.claim(next).is_some());
    let done = attempted(&new(), responded(204)).delivery;
    assert_eq!(
        (done.status, done.claim(LATER)),
        (DeliveryStatus::Delivered, None)
    );
}

#[test]
fn eight_attempts_are_made_and_no_more() {
    let mut delivery = new();
    for attempt in 1..=ATTEMPTS {
        assert_eq!(delivery.status, DeliveryStatus::Pending);
        delivery = attempted(&delivery, responded(503)).delivery;
        assert_eq!(delivery.attempts, attempt);
    }
    assert_eq!(delivery.status, DeliveryStatus::Failed);
    assert_eq!(
        (delivery.next_attempt_at, delivery.response_status),
        (None, Some(503))
    );
}

#[test]
fn lost_attempts_count_towards_the_maximum() {
    let mut delivery = new();
    let mut now = NOW;
    for _ in 0..ATTEMPTS {
        assert_eq!(delivery.fail_lost_attempt(now), None);
        delivery = delivery.claim(now).unwrap().delivery;
        assert_eq!(
            delivery.fail_lost_attempt(now),
            None,
            "the lease has not expired"
        );
        now = now.plus(LEASE);
    }
    assert_eq!(delivery.claim(now), None);
    let failed = delivery.fail_lost_attempt(now).unwrap();
    assert_eq!(failed.delivery.status, DeliveryStatus::Failed);
    assert_eq!((failed.due, failed.delivery.attempts), (None, ATTEMPTS));
    let again = failed.delivery.resend(now, LATER).delivery;
    assert_eq!(
        (again.fail_lost_attempt(now), again.claim(now).is_some()),
        (None, true)
    );
}

#[test]
fn only_a_status_from_200_to_299_is_success() {
    let status = |status| attempted(&new(), responded(status)).delivery.status;
    for success in [200, 204, 299] {
        assert_eq!(status(success), DeliveryStatus::Delivered, "{success}");
    }
    for failure in [100, 199, 300, 301, 307, 400, 404, 429, 500, 503] {
        assert_eq!(status(failure), DeliveryStatus::Pending, "{failure}");
    }
    assert_eq!(status(410), DeliveryStatus::Failed);
    let silent = attempted(
        &new(),
        DeliveryOutcome::NoResponse(DeliveryFailure::TimedOut),
    )
    .delivery;
    assert_eq!(silent.status, DeliveryStatus::Pending);
    assert_eq!(
        (silent.response_status, silent.fault),
        (None, Some(DeliveryFailure::TimedOut))
    );
}

#[test]
fn delays_over_15_minutes_are_left_to_sweep() {
    let with_retry_after = |seconds| DeliveryOutcome::Responded {
        status: 429,
        retry_after: Some(Duration::from_secs(seconds)),
    };
    let short = attempted(&new(), with_retry_after(900));
    let next = short.delivery.next_attempt_at.unwrap();
    assert_eq!(short.queue_delay, Some(Duration::from_secs(900)));
    assert_eq!(short.due, Some(next.plus(RESEND_AFTER)));
    let long = attempted(&new(), with_retry_after(901));
    assert_eq!(long.queue_delay, None);
    assert_eq!(long.due, long.delivery.next_attempt_at);
}

#[test]
fn resending_starts_a_new_round_and_keeps_the_attempt_count() {
    let mut delivery = new();
    for _ in 0..ATTEMPTS {
        delivery = attempted(&delivery, responded(500)).delivery;
    }
    let again = delivery.resend(LATER, LATER.plus(LEASE));
    assert_eq!(
        (again.expected_status, again.expected_attempts),
        (DeliveryStatus::Failed, 8)
    );
    assert_eq!((again.expected_round, again.delivery.round), (0, 1));
    assert_eq!(again.queue_delay, Some(Duration::ZERO));
    assert_eq!(again.delivery.expires_at, LATER.plus(LEASE));
    let failed = attempted(&again.delivery, responded(500)).delivery;
    assert_eq!(
        (failed.status, failed.attempts),
        (DeliveryStatus::Pending, 9)
    );
}

#[test]
fn skipped_deliveries_are_not_claimed_and_finished_ones_not_skipped() {
    let skipped = new().skip(NOW).unwrap();
    assert_eq!((skipped.due, skipped.delivery.claim(LATER)), (None, None));
    assert_eq!(skipped.delivery.skip(NOW), None);
}
