//! Each move of a delivery, and none besides.

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
        failed_at: None,
        worked_at: None,
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

fn answered(status: u16) -> Outcome {
    Outcome::Answered {
        status,
        retry_after: None,
    }
}

/// The delivery after `outcome` at its next attempt.
fn tried(delivery: &Delivery, outcome: Outcome) -> DeliveryChange {
    let at = delivery.next_attempt_at.unwrap();
    let held = delivery.claim(at).unwrap().delivery;
    held.end(outcome, at.plus(Duration::from_secs(1)), 0.5)
}

#[test]
fn a_delivery_is_the_same_for_the_same_event_and_subscription_alone() {
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
    assert_eq!(one.id.moment(), NOW);
}

#[test]
fn an_attempt_is_held_by_one_worker_until_it_ends_or_its_lease_does() {
    let claimed = new().claim(NOW).unwrap();
    let held = &claimed.delivery;
    assert_eq!((held.attempts, claimed.seen_attempts), (1, 0));
    assert_eq!(claimed.due, Some(NOW.plus(LEASE)));
    assert_eq!(
        (held.next_attempt_at, held.held_until),
        (None, claimed.due),
        "no attempt follows until this one has failed"
    );
    assert_eq!(held.claim(NOW.plus(LEASE / 2)), None);
    assert_eq!(held.claim(NOW.plus(LEASE)).unwrap().delivery.attempts, 2);
}

#[test]
fn only_what_waits_and_is_due_is_tried() {
    let waiting = tried(&new(), answered(500)).delivery;
    let next = waiting.next_attempt_at.unwrap();
    assert_eq!(waiting.held_until, None);
    assert_eq!(next, NOW.plus(Duration::from_secs(1 + 5)));
    assert_eq!(waiting.claim(Timestamp(next.milliseconds() - 2_000)), None);
    assert!(waiting.claim(next).is_some());
    let done = tried(&new(), answered(204)).delivery;
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
        delivery = tried(&delivery, answered(503)).delivery;
        assert_eq!(delivery.attempts, attempt);
    }
    assert_eq!(delivery.status, DeliveryStatus::Failed);
    assert_eq!(
        (delivery.next_attempt_at, delivery.response_status),
        (None, Some(503))
    );
}

#[test]
fn attempts_that_never_end_are_eight_as_well() {
    let mut delivery = new();
    let mut now = NOW;
    for _ in 0..ATTEMPTS {
        assert_eq!(delivery.give_up(now), None);
        delivery = delivery.claim(now).unwrap().delivery;
        assert_eq!(delivery.give_up(now), None, "it is being tried");
        now = now.plus(LEASE);
    }
    assert_eq!(delivery.claim(now), None);
    let given_up = delivery.give_up(now).unwrap();
    assert_eq!(given_up.delivery.status, DeliveryStatus::Failed);
    assert_eq!((given_up.due, given_up.delivery.attempts), (None, ATTEMPTS));
    let again = given_up.delivery.send_again(now, LATER).delivery;
    assert_eq!(
        (again.give_up(now), again.claim(now).is_some()),
        (None, true)
    );
}

#[test]
fn only_a_status_from_200_to_299_is_success() {
    let status = |status| tried(&new(), answered(status)).delivery.status;
    for success in [200, 204, 299] {
        assert_eq!(status(success), DeliveryStatus::Delivered, "{success}");
    }
    for failure in [100, 199, 300, 301, 307, 400, 404, 429, 500, 503] {
        assert_eq!(status(failure), DeliveryStatus::Pending, "{failure}");
    }
    assert_eq!(status(410), DeliveryStatus::Failed);
    let silent = tried(&new(), Outcome::NoAnswer(DeliveryFault::TimedOut)).delivery;
    assert_eq!(silent.status, DeliveryStatus::Pending);
    assert_eq!(
        (silent.response_status, silent.fault),
        (None, Some(DeliveryFault::TimedOut))
    );
}

#[test]
fn a_queue_brings_what_waits_a_quarter_of_an_hour_and_sweep_the_rest() {
    let asked = |seconds| Outcome::Answered {
        status: 429,
        retry_after: Some(Duration::from_secs(seconds)),
    };
    let short = tried(&new(), asked(900));
    let next = short.delivery.next_attempt_at.unwrap();
    assert_eq!(short.queue_delay, Some(Duration::from_secs(900)));
    assert_eq!(short.due, Some(next.plus(RESEND_AFTER)));
    let long = tried(&new(), asked(901));
    assert_eq!(long.queue_delay, None);
    assert_eq!(long.due, long.delivery.next_attempt_at);
}

#[test]
fn sending_again_begins_a_new_round_and_keeps_counting() {
    let mut delivery = new();
    for _ in 0..ATTEMPTS {
        delivery = tried(&delivery, answered(500)).delivery;
    }
    let again = delivery.send_again(LATER, LATER.plus(LEASE));
    assert_eq!(
        (again.seen_status, again.seen_attempts),
        (DeliveryStatus::Failed, 8)
    );
    assert_eq!((again.seen_round, again.delivery.round), (0, 1));
    assert_eq!(again.queue_delay, Some(Duration::ZERO));
    assert_eq!(again.delivery.expires_at, LATER.plus(LEASE));
    let failed = tried(&again.delivery, answered(500)).delivery;
    assert_eq!(
        (failed.status, failed.attempts),
        (DeliveryStatus::Pending, 9)
    );
}

#[test]
fn what_is_skipped_is_never_tried_and_what_has_ended_is_not_skipped() {
    let skipped = new().skip(NOW).unwrap();
    assert_eq!((skipped.due, skipped.delivery.claim(LATER)), (None, None));
    assert_eq!(skipped.delivery.skip(NOW), None);
}
