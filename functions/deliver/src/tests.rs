//! Lifecycle of deliveries with in-memory ports and a fixed clock.

mod lanes;
mod receivers;
mod signing;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::account::Account;
use domain::plan::Plan;
use domain::ports::{Accounts as _, CallReceivers, Deliveries as _, PortError, Subscriptions as _};
use domain::subscription::{
    Delivery, DeliveryFailure, DeliveryOutcome, DeliveryStatus, DeliveryTicket, DisabledReason,
    LastDelivery, SigningSecret, Subscription, Trigger,
};
use domain::timestamp::Timestamp;
use testkit::fakes::ReceiverCall;
use testkit::{Call, Environment as _, Fakes, Fault, sample};

use crate::DeliveryWorker;

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A subscription with one due delivery.
struct Scene {
    fakes: Arc<Fakes>,
    account: Account,
    subscription: Subscription,
    secret: SigningSecret,
    delivery: Delivery,
    clock: Arc<AtomicI64>,
}

impl Scene {
    async fn webhook() -> Self {
        Self::of(Plan::Pro, sample::subscription::webhook).await
    }

    async fn hook(trigger: Trigger) -> Self {
        Self::of(Plan::Pro, |fakes, account| {
            sample::subscription::hook(fakes, account, trigger)
        })
        .await
    }

    async fn of(plan: Plan, make: impl FnOnce(&Fakes, &Account) -> Subscription) -> Self {
        let fakes = Arc::new(Fakes::new());
        let account = sample::account(fakes.as_ref(), plan);
        fakes.create_account(&account).await.unwrap();
        let subscription = make(&fakes, &account);
        let sealed = sample::subscription::sealed(fakes.as_ref(), fakes.as_ref(), subscription);
        let (subscription, secret) = sealed.await;
        fakes.put_subscription(subscription.clone());
        let now = fakes.now();
        let delivery = sample::subscription::delivery(fakes.as_ref(), &subscription, now);
        fakes.put_delivery(delivery.clone(), Some(delivery.first_due()));
        Self {
            fakes,
            account,
            subscription,
            secret,
            delivery,
            clock: Arc::new(AtomicI64::new(now.milliseconds())),
        }
    }

    fn set_outcomes(&self, outcomes: impl IntoIterator<Item = DeliveryOutcome>) {
        self.fakes
            .set_receiver_outcomes(self.subscription.url.reveal(), outcomes);
    }

    async fn deliver(&self) -> Result<(), PortError> {
        let receivers = Arc::clone(&self.fakes) as Arc<dyn CallReceivers>;
        self.deliver_to(receivers, &self.delivery.ticket()).await
    }

    async fn deliver_to(
        &self,
        receivers: Arc<dyn CallReceivers>,
        ticket: &DeliveryTicket,
    ) -> Result<(), PortError> {
        let clock = Arc::clone(&self.clock);
        let worker = DeliveryWorker::new(
            Arc::clone(&self.fakes),
            receivers,
            move || Timestamp(clock.load(Ordering::Relaxed)),
            || 0.5,
        );
        worker.deliver(ticket).await
    }

    fn now(&self) -> Timestamp {
        Timestamp(self.clock.load(Ordering::Relaxed))
    }

    fn days_ago(&self, days: i64) -> Timestamp {
        Timestamp(self.now().milliseconds() - days * 86_400_000)
    }

    fn turn_to(&self, moment: Timestamp) {
        self.clock.store(moment.milliseconds(), Ordering::Relaxed);
    }

    fn stored(&self) -> Delivery {
        self.fakes.all_deliveries().remove(0)
    }

    async fn subscription_now(&self) -> Subscription {
        let (account, id) = (&self.account.id, &self.subscription.id);
        self.fakes.subscription(account, id).await.unwrap().unwrap()
    }

    /// Makes an attempt; returns status, number of attempts and seconds until the next attempt.
    async fn attempt(&self) -> (DeliveryStatus, u32, Option<u64>) {
        self.deliver().await.unwrap();
        let stored = self.stored();
        let next = stored
            .next_attempt_at
            .map(|next| next.since(self.now()).as_secs());
        (stored.status, stored.attempts, next)
    }

    fn calls(&self) -> Vec<ReceiverCall> {
        self.fakes.receiver_calls()
    }
}

fn status(status: u16) -> DeliveryOutcome {
    DeliveryOutcome::Responded {
        status,
        retry_after: None,
    }
}

#[tokio::test]
async fn a_delivery_is_retried_on_schedule_until_it_fails_for_every_kind_of_failure() {
    for (outcome, answered, fault) in [
        (status(500), Some(500), None),
        (status(404), Some(404), None),
        (status(301), Some(301), None),
        (status(199), Some(199), None),
        (status(300), Some(300), None),
        (
            DeliveryOutcome::NoResponse(DeliveryFailure::TimedOut),
            None,
            Some(DeliveryFailure::TimedOut),
        ),
        (
            DeliveryOutcome::NoResponse(DeliveryFailure::UrlBlocked),
            None,
            Some(DeliveryFailure::UrlBlocked),
        ),
        (
            DeliveryOutcome::NoResponse(DeliveryFailure::ConnectionFailed),
            None,
            Some(DeliveryFailure::ConnectionFailed),
        ),
    ] {
        let scene = Scene::webhook().await;
        scene.set_outcomes([outcome]);
        let pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
        for (attempt, pause) in (1..).zip(pauses) {
            let expected = (DeliveryStatus::Pending, attempt, Some(pause));
            assert_eq!(scene.attempt().await, expected, "{outcome:?}");
            // Before the delivery is due, its ticket does nothing.
            assert_eq!(scene.attempt().await, expected);
            let stored = scene.stored();
            assert_eq!((stored.response_status, stored.fault), (answered, fault));
            scene.turn_to(stored.next_attempt_at.unwrap());
        }
        assert_eq!(
            scene.attempt().await,
            (DeliveryStatus::Failed, 8, None),
            "{outcome:?}"
        );
        assert_eq!(scene.attempt().await, (DeliveryStatus::Failed, 8, None));
        let stored = scene.stored();
        assert_eq!((stored.response_status, stored.fault), (answered, fault));
        assert_eq!(
            (scene.calls().len(), scene.fakes.delivery_due(&stored)),
            (8, None)
        );
        // Delays within the limit of SQS use the queue; longer ones are due in the table.
        let delays: Vec<_> = scene
            .fakes
            .sent_deliveries()
            .iter()
            .map(|one| one.delay.as_secs())
            .collect();
        assert_eq!(delays, [5, 300]);
    }
}

#[tokio::test]
async fn a_delay_beyond_the_limit_of_sqs_is_due_in_the_table() {
    let scene = Scene::webhook().await;
    let asked = |seconds| DeliveryOutcome::Responded {
        status: 429,
        retry_after: Some(Duration::from_secs(seconds)),
    };
    scene.set_outcomes([asked(120), asked(3_600), asked(1_000_000)]);
    assert_eq!(
        scene.attempt().await,
        (DeliveryStatus::Pending, 1, Some(120))
    );
    let next = scene.stored().next_attempt_at.unwrap();
    assert_eq!(
        scene.fakes.delivery_due(&scene.delivery),
        Some(next.plus(Duration::from_secs(60)))
    );
    scene.turn_to(next);
    assert_eq!(
        scene.attempt().await,
        (DeliveryStatus::Pending, 2, Some(3_600))
    );
    let next = scene.stored().next_attempt_at.unwrap();
    assert_eq!(scene.fakes.delivery_due(&scene.delivery), Some(next));
    let shard = domain::outbox::delivery_shard(&scene.subscription.id);
    let due = scene
        .fakes
        .due_deliveries(shard, next, None, 9)
        .await
        .unwrap();
    assert_eq!(due.deliveries[0].ticket, scene.delivery.ticket());
    scene.turn_to(next);
    assert_eq!(
        scene.attempt().await,
        (DeliveryStatus::Pending, 3, Some(86_400))
    );
}

#[tokio::test]
async fn a_delivery_of_an_ended_subscription_is_skipped() {
    let scene = Scene::webhook().await;
    let (account, id) = (&scene.account.id, &scene.subscription.id);
    assert!(
        scene
            .fakes
            .unsubscribe(account, id, scene.now())
            .await
            .unwrap()
    );
    assert_eq!(scene.attempt().await, (DeliveryStatus::Skipped, 0, None));
    assert_eq!(
        (scene.calls(), scene.fakes.delivery_due(&scene.delivery)),
        (vec![], None)
    );
}

#[tokio::test]
async fn a_hook_whose_plan_no_longer_includes_its_trigger_is_skipped() {
    for (plan, end) in [
        (Plan::Free, (DeliveryStatus::Skipped, 0, None)),
        (Plan::Pro, (DeliveryStatus::Delivered, 1, None)),
    ] {
        let make = |fakes: &Fakes, account: &Account| {
            sample::subscription::hook(fakes, account, Trigger::OcrCompleted)
        };
        let scene = Scene::of(plan, make).await;
        assert_eq!(scene.attempt().await, end, "{plan}");
    }
}

#[tokio::test]
async fn the_ticket_of_an_unknown_delivery_is_acknowledged() {
    let mut scene = Scene::webhook().await;
    scene.delivery =
        sample::subscription::delivery(scene.fakes.as_ref(), &scene.subscription, Timestamp(5));
    scene.deliver().await.unwrap();
    assert_eq!(scene.calls(), []);
}

#[tokio::test]
async fn after_a_crash_the_delivery_is_attempted_again() {
    for (call, passing) in [
        (Call::ReadDeliveries, 0),
        (Call::ReadSubscriptions, 0),
        (Call::Plan, 0),
        (Call::Open, 0),
        (Call::ApplyDelivery, 0),
        (Call::ApplyDelivery, 1),
    ] {
        for fault in [Fault::Contended, Fault::ResponseLost] {
            let scene = Scene::hook(Trigger::OcrCompleted).await;
            scene.fakes.succeed_next(call, passing);
            scene.fakes.fail(call, fault, 1);
            assert!(scene.deliver().await.is_err(), "{call:?}");
            // A claim leases the delivery for a minute; it is due in the table when the lease ends.
            let due = scene.fakes.delivery_due(&scene.stored());
            let ended = scene.stored().status == DeliveryStatus::Delivered;
            assert!(ended || due.unwrap() <= scene.now().plus(Duration::from_secs(60)));
            scene.turn_to(scene.now().plus(Duration::from_secs(60)));
            scene.deliver().await.unwrap();
            assert_eq!(
                scene.stored().status,
                DeliveryStatus::Delivered,
                "{call:?} {fault:?}"
            );
            assert!((1..=2).contains(&scene.calls().len()));
        }
    }
}

#[tokio::test]
async fn a_failed_health_update_or_ticket_does_not_fail_the_delivery() {
    for call in [Call::UpdateHealth, Call::SendDeliveries] {
        let scene = Scene::webhook().await;
        scene.set_outcomes([status(500)]);
        scene.fakes.fail(call, Fault::Unavailable, 1);
        assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(5)));
        let next = scene.stored().next_attempt_at.unwrap();
        let due = scene.fakes.delivery_due(&scene.delivery);
        assert_eq!(due, Some(next.plus(Duration::from_secs(60))), "{call:?}");
        let sent = usize::from(call == Call::UpdateHealth);
        assert_eq!(scene.fakes.sent_deliveries().len(), sent);
    }
}

#[tokio::test]
async fn a_redelivery_requested_during_an_attempt_is_sent() {
    let scene = Scene::webhook().await;
    scene.set_outcomes([status(200)]);
    let now = scene.now();
    // Just before the outcome of the first attempt is written.
    scene.fakes.before(Call::ApplyDelivery, 1, move |fakes| {
        let held = fakes.all_deliveries().remove(0);
        let again = held.resend(now, now);
        fakes.put_delivery(again.delivery, again.due);
    });
    assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(0)));
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 2, None));
    assert_eq!(scene.calls().len(), 2);
}

#[tokio::test]
async fn a_delivery_whose_attempts_all_crash_fails() {
    let scene = Scene::webhook().await;
    for attempt in 1..=8 {
        scene.fakes.succeed_next(Call::ApplyDelivery, 1);
        scene.fakes.fail(Call::ApplyDelivery, Fault::Contended, 1);
        assert!(scene.deliver().await.is_err());
        assert_eq!(scene.stored().attempts, attempt);
        scene.turn_to(scene.now().plus(Duration::from_secs(60)));
    }
    assert_eq!(scene.attempt().await, (DeliveryStatus::Failed, 8, None));
    assert_eq!(scene.fakes.delivery_due(&scene.delivery), None);
    assert_eq!(scene.calls().len(), 8);
}

#[tokio::test]
async fn the_lease_starts_at_the_claim() {
    let scene = Scene::webhook().await;
    let later = scene.now().plus(Duration::from_secs(50));
    let clock = Arc::clone(&scene.clock);
    scene.fakes.before(Call::Open, 0, move |_| {
        clock.store(later.milliseconds(), Ordering::Relaxed);
    });
    scene.fakes.succeed_next(Call::ApplyDelivery, 1);
    scene.fakes.fail(Call::ApplyDelivery, Fault::Contended, 1);
    assert!(scene.deliver().await.is_err());
    let lease = later.plus(Duration::from_secs(60));
    assert_eq!(scene.stored().lease_until, Some(lease));
    assert_eq!(scene.fakes.delivery_due(&scene.delivery), Some(lease));
}

#[tokio::test]
async fn two_workers_with_the_same_ticket_make_one_attempt() {
    let scene = Scene::webhook().await;
    let delivery = scene.delivery.clone();
    let now = scene.now();
    scene.fakes.before(Call::ApplyDelivery, 0, move |fakes| {
        let claimed = delivery.claim(now).unwrap();
        fakes.put_delivery(claimed.delivery, claimed.due);
    });
    scene.deliver().await.unwrap();
    assert_eq!((scene.calls(), scene.stored().attempts), (vec![], 1));
}
