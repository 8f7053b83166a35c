//! Slow receivers are marked, and their tickets use the slow lane.

use async_trait::async_trait;
use domain::source::SourceUrl;
use domain::subscription::{Lane, RESEND_AFTER};
use testkit::fakes::SentDelivery;

use super::*;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// A receiver that responds after a delay.
struct Slow {
    takes: Duration,
    outcome: DeliveryOutcome,
    fakes: Arc<Fakes>,
    subscription: Subscription,
    /// Its slow mark just before it responds.
    seen: std::sync::Mutex<Option<Timestamp>>,
}

impl Slow {
    fn of(scene: &Scene, takes: Duration, outcome: DeliveryOutcome) -> Arc<Self> {
        Arc::new(Self {
            takes,
            outcome,
            fakes: Arc::clone(&scene.fakes),
            subscription: scene.subscription.clone(),
            seen: std::sync::Mutex::default(),
        })
    }
}

#[async_trait]
impl CallReceivers for Slow {
    async fn call_receiver(
        &self,
        _: &SourceUrl,
        _: &[(&'static str, String)],
        _: &str,
    ) -> DeliveryOutcome {
        tokio::time::sleep(self.takes).await;
        let (account, id) = (&self.subscription.account_id, &self.subscription.id);
        let subscription = self.fakes.subscription(account, id).await.unwrap().unwrap();
        *self.seen.lock().unwrap() = subscription.slow_until;
        self.outcome
    }
}

impl Scene {
    fn ticket_in(&self, lane: Lane) -> DeliveryTicket {
        self.delivery.ticket().in_lane(lane)
    }

    fn mark(&self, slow_until: Timestamp) {
        self.fakes.put_subscription(Subscription {
            slow_until: Some(slow_until),
            ..self.subscription.clone()
        });
    }

    /// The lanes of the sent tickets.
    fn lanes(&self) -> Vec<Lane> {
        let sent = self.fakes.sent_deliveries().into_iter();
        sent.map(|one| one.ticket.lane).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_takes_two_seconds_is_marked_during_the_attempt() {
    for (takes, is_slow) in [(1_900, false), (2_100, true), (14_000, true)] {
        for response in [status(200), status(500)] {
            let scene = Scene::webhook().await;
            let receiver = Slow::of(&scene, Duration::from_millis(takes), response);
            let receivers = Arc::clone(&receiver) as Arc<dyn CallReceivers>;
            let ticket = scene.ticket_in(Lane::Ready);
            scene.deliver_to(receivers, &ticket).await.unwrap();
            let until = is_slow.then(|| scene.now().plus(MINUTE * 15));
            assert_eq!(*receiver.seen.lock().unwrap(), until, "{takes} ms");
            assert_eq!(
                scene.subscription_now().await.slow_until,
                until,
                "{takes} ms"
            );
            let next = match (response.is_success(), is_slow) {
                (true, _) => vec![],
                (false, true) => vec![Lane::Slow],
                (false, false) => vec![Lane::Ready],
            };
            assert_eq!(scene.lanes(), next, "{takes} ms");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_mark_that_is_valid_for_ten_more_minutes_is_not_renewed() {
    for (left, is_renewed) in [(MINUTE * 10, false), (MINUTE * 10 - SECOND, true)] {
        let scene = Scene::webhook().await;
        scene.mark(scene.now().plus(left));
        // The first health update fails: the mark, or the success if no mark is written.
        scene.fakes.fail(Call::UpdateHealth, Fault::Unavailable, 1);
        let receivers = Slow::of(&scene, SECOND * 3, status(200));
        let ticket = scene.ticket_in(Lane::Slow);
        scene.deliver_to(receivers, &ticket).await.unwrap();
        let recorded = scene.subscription_now().await.last_success_at.is_some();
        assert_eq!(recorded, is_renewed, "{left:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_mark_does_not_fail_the_delivery() {
    let scene = Scene::webhook().await;
    scene.fakes.fail(Call::UpdateHealth, Fault::Unavailable, 1);
    let receivers = Slow::of(&scene, SECOND * 3, status(500));
    let ticket = scene.ticket_in(Lane::Ready);
    scene.deliver_to(receivers, &ticket).await.unwrap();
    assert_eq!(scene.subscription_now().await.slow_until, None);
    assert_eq!(
        (scene.stored().attempts, scene.lanes()),
        (1, vec![Lane::Slow])
    );
}

#[tokio::test]
async fn a_ticket_of_a_slow_receiver_is_forwarded_before_any_claim() {
    let scene = Scene::webhook().await;
    scene.mark(scene.now().plus(SECOND));
    // Sweep has resent the ticket once; its back-off grows.
    let shard = domain::outbox::delivery_shard(&scene.subscription.id);
    let due = scene.now().plus(RESEND_AFTER);
    let page = scene
        .fakes
        .due_deliveries(shard, due, None, 9)
        .await
        .unwrap();
    let later = due.plus(MINUTE * 2);
    let postponed = scene.fakes.postpone_delivery(&page.deliveries[0], later);
    postponed.await.unwrap();
    scene.deliver().await.unwrap();
    assert_eq!(
        (scene.stored(), scene.calls()),
        (scene.delivery.clone(), vec![])
    );
    assert_eq!(scene.fakes.delivery_due(&scene.delivery), Some(later));
    let forwarded = SentDelivery {
        ticket: scene.ticket_in(Lane::Slow),
        delay: Duration::ZERO,
    };
    assert_eq!(
        scene.fakes.sent_deliveries(),
        std::slice::from_ref(&forwarded)
    );
    let receivers = Arc::clone(&scene.fakes) as Arc<dyn CallReceivers>;
    let attempt = scene.deliver_to(receivers, &forwarded.ticket);
    attempt.await.unwrap();
    assert_eq!(scene.stored().status, DeliveryStatus::Delivered);
    // A ticket in the slow lane is not forwarded again.
    scene.deliver().await.unwrap();
    assert_eq!((scene.calls().len(), scene.lanes().len()), (1, 1));
}

#[tokio::test]
async fn a_ticket_that_cannot_be_forwarded_stays_in_its_queue() {
    for rejects in [true, false] {
        let scene = Scene::webhook().await;
        scene.mark(scene.now().plus(SECOND));
        match rejects {
            true => scene.fakes.reject_tickets_of(&scene.subscription.id),
            false => scene
                .fakes
                .fail(Call::SendDeliveries, Fault::Unavailable, 1),
        }
        assert!(scene.deliver().await.is_err());
        assert_eq!(
            (scene.stored(), scene.calls()),
            (scene.delivery.clone(), vec![])
        );
    }
}

#[tokio::test]
async fn a_slow_mark_expires() {
    let scene = Scene::webhook().await;
    scene.mark(scene.now());
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 1, None));
    assert_eq!(scene.fakes.sent_deliveries(), []);
}

#[tokio::test]
async fn a_retry_uses_the_lane_that_the_receiver_has_when_it_is_due() {
    for (left, lane) in [(5, Lane::Ready), (6, Lane::Slow)] {
        let scene = Scene::webhook().await;
        scene.mark(scene.now().plus(SECOND * left));
        scene.set_outcomes([status(500)]);
        let receivers = Arc::clone(&scene.fakes) as Arc<dyn CallReceivers>;
        let ticket = scene.ticket_in(Lane::Slow);
        scene.deliver_to(receivers, &ticket).await.unwrap();
        assert_eq!(scene.lanes(), [lane]);
    }
}
