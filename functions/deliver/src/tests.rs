//! The whole life of deliveries over ports in memory and a clock that stands still.

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
    Delivery, DeliveryFault, DeliveryStatus, DeliveryTicket, DisabledReason, LastDelivery, Outcome,
    SigningSecret, Subscription, Trigger,
};
use domain::timestamp::Timestamp;
use testkit::fakes::ReceiverCall;
use testkit::{Call, Fakes, Fault, World as _, sample};

use crate::Courier;

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A subscription with one delivery that is due.
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

    fn answers(&self, outcomes: impl IntoIterator<Item = Outcome>) {
        self.fakes
            .receiver_answers(self.subscription.url.reveal(), outcomes);
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
        let courier = Courier::new(
            Arc::clone(&self.fakes),
            receivers,
            move || Timestamp(clock.load(Ordering::Relaxed)),
            || 0.5,
        );
        courier.deliver(ticket).await
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

    async fn known(&self) -> Subscription {
        let (account, id) = (&self.account.id, &self.subscription.id);
        self.fakes.subscription(account, id).await.unwrap().unwrap()
    }

    /// Delivers and says what came of it: status, attempts, and seconds until the next attempt.
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

fn status(status: u16) -> Outcome {
    Outcome::Answered {
        status,
        retry_after: None,
    }
}

#[tokio::test]
async fn the_schedule_is_gone_through_to_its_end_whatever_goes_wrong() {
    for (outcome, answered, fault) in [
        (status(500), Some(500), None),
        (status(404), Some(404), None),
        (status(301), Some(301), None),
        (status(199), Some(199), None),
        (status(300), Some(300), None),
        (
            Outcome::NoAnswer(DeliveryFault::TimedOut),
            None,
            Some(DeliveryFault::TimedOut),
        ),
        (
            Outcome::NoAnswer(DeliveryFault::UrlBlocked),
            None,
            Some(DeliveryFault::UrlBlocked),
        ),
        (
            Outcome::NoAnswer(DeliveryFault::ConnectionFailed),
            None,
            Some(DeliveryFault::ConnectionFailed),
        ),
    ] {
        let scene = Scene::webhook().await;
        scene.answers([outcome]);
        let pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
        for (attempt, pause) in (1..).zip(pauses) {
            let expected = (DeliveryStatus::Pending, attempt, Some(pause));
            assert_eq!(scene.attempt().await, expected, "{outcome:?}");
            // Before it is due, its ticket does nothing.
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
        // A queue brings what it can hold back for so long; the table keeps the rest until then.
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
async fn a_pause_that_no_queue_holds_is_due_in_the_table_at_its_end() {
    let scene = Scene::webhook().await;
    let asked = |seconds| Outcome::Answered {
        status: 429,
        retry_after: Some(Duration::from_secs(seconds)),
    };
    scene.answers([asked(120), asked(3_600), asked(1_000_000)]);
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
async fn what_waits_for_a_subscription_that_ended_is_skipped() {
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
async fn a_ticket_of_nothing_is_done_with() {
    let mut scene = Scene::webhook().await;
    scene.delivery =
        sample::subscription::delivery(scene.fakes.as_ref(), &scene.subscription, Timestamp(5));
    scene.deliver().await.unwrap();
    assert_eq!(scene.calls(), []);
}

#[tokio::test]
async fn a_crash_anywhere_leaves_the_delivery_to_another_attempt() {
    for (call, passing) in [
        (Call::ReadDeliveries, 0),
        (Call::ReadSubscriptions, 0),
        (Call::Plan, 0),
        (Call::Open, 0),
        (Call::ApplyDelivery, 0),
        (Call::ApplyDelivery, 1),
    ] {
        for fault in [Fault::Contended, Fault::AnswerLost] {
            let scene = Scene::hook(Trigger::OcrCompleted).await;
            scene.fakes.let_pass(call, passing);
            scene.fakes.fail(call, fault, 1);
            assert!(scene.deliver().await.is_err(), "{call:?}");
            // A claim holds it for a minute, and the table knows when that is over.
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
async fn what_cannot_be_noted_or_queued_stops_nothing() {
    for call in [Call::Note, Call::SendDeliveries] {
        let scene = Scene::webhook().await;
        scene.answers([status(500)]);
        scene.fakes.fail(call, Fault::Unavailable, 1);
        assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(5)));
        let next = scene.stored().next_attempt_at.unwrap();
        let due = scene.fakes.delivery_due(&scene.delivery);
        assert_eq!(due, Some(next.plus(Duration::from_secs(60))), "{call:?}");
        let sent = usize::from(call == Call::Note);
        assert_eq!(scene.fakes.sent_deliveries().len(), sent);
    }
}

#[tokio::test]
async fn what_its_owner_wants_sent_again_during_an_attempt_is_sent_again() {
    let scene = Scene::webhook().await;
    scene.answers([status(200)]);
    let now = scene.now();
    // Just before the end of the first attempt is written.
    scene.fakes.before(Call::ApplyDelivery, 1, move |fakes| {
        let held = fakes.all_deliveries().remove(0);
        let again = held.send_again(now, now);
        fakes.put_delivery(again.delivery, again.due);
    });
    assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(0)));
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 2, None));
    assert_eq!(scene.calls().len(), 2);
}

#[tokio::test]
async fn a_delivery_that_kills_whoever_tries_it_is_given_up() {
    let scene = Scene::webhook().await;
    for attempt in 1..=8 {
        scene.fakes.let_pass(Call::ApplyDelivery, 1);
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
async fn the_lease_begins_with_the_claim_whatever_took_long_before() {
    let scene = Scene::webhook().await;
    let later = scene.now().plus(Duration::from_secs(50));
    let clock = Arc::clone(&scene.clock);
    scene.fakes.before(Call::Open, 0, move |_| {
        clock.store(later.milliseconds(), Ordering::Relaxed);
    });
    scene.fakes.let_pass(Call::ApplyDelivery, 1);
    scene.fakes.fail(Call::ApplyDelivery, Fault::Contended, 1);
    assert!(scene.deliver().await.is_err());
    let lease = later.plus(Duration::from_secs(60));
    assert_eq!(scene.stored().held_until, Some(lease));
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
