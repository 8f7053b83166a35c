//! What attempts make of their receivers.

use super::*;

#[tokio::test]
async fn any_success_ends_it_and_a_receiver_that_recovers_is_not_failing() {
    for answer in [200, 204, 299] {
        let scene = Scene::webhook().await;
        scene.answers([status(503), status(answer)]);
        let began = scene.now();
        scene.deliver().await.unwrap();
        assert_eq!(scene.known().await.failing_since, Some(began));
        scene.turn_to(scene.stored().next_attempt_at.unwrap());
        assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 2, None));
        let works = Subscription {
            worked_at: Some(scene.now()),
            ..scene.subscription.clone()
        };
        assert_eq!(scene.known().await, works);
    }
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_told_nothing_more() {
    let scene = Scene::webhook().await;
    scene.answers([status(410)]);
    assert_eq!(scene.attempt().await, (DeliveryStatus::Failed, 1, None));
    let known = scene.known().await;
    assert_eq!(
        (known.is_active(), known.disabled_reason),
        (false, Some(DisabledReason::Gone))
    );
    assert_eq!(scene.fakes.sent_deliveries(), []);
}

#[tokio::test]
async fn a_receiver_that_is_gone_stays_so_wherever_its_worker_dies() {
    for (call, passing, end) in [
        (Call::Disable, 0, (DeliveryStatus::Failed, 2, None)),
        (Call::ApplyDelivery, 1, (DeliveryStatus::Skipped, 1, None)),
    ] {
        let scene = Scene::webhook().await;
        scene.answers([status(410)]);
        scene.fakes.let_pass(call, passing);
        scene.fakes.fail(call, Fault::Contended, 1);
        assert!(scene.deliver().await.is_err(), "{call:?}");
        scene.turn_to(scene.now().plus(Duration::from_secs(60)));
        assert_eq!(scene.attempt().await, end, "{call:?}");
        let known = scene.known().await;
        let reason = Some(DisabledReason::Gone);
        assert_eq!((known.is_active(), known.disabled_reason), (false, reason));
    }
}

#[tokio::test]
async fn five_days_without_success_disable_and_not_a_moment_less() {
    for (failing_for, reason) in [
        (DAY * 5, Some(DisabledReason::Failing)),
        (DAY * 5 - Duration::from_millis(1), None),
    ] {
        let scene = Scene::webhook().await;
        let since =
            Timestamp(scene.now().milliseconds() - i64::try_from(failing_for.as_millis()).unwrap());
        let failing = Subscription {
            failing_since: Some(since),
            failed_at: Some(scene.days_ago(1)),
            ..scene.subscription.clone()
        };
        scene.fakes.put_subscription(failing);
        scene.answers([status(500)]);
        assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(5)));
        let known = scene.known().await;
        assert_eq!(
            (known.is_active(), known.disabled_reason),
            (reason.is_none(), reason)
        );
        assert_eq!(known.failing_since, Some(since));
        scene.turn_to(scene.stored().next_attempt_at.unwrap());
        let end = match reason {
            Some(_) => (DeliveryStatus::Skipped, 1, None),
            None => (DeliveryStatus::Pending, 2, Some(300)),
        };
        assert_eq!(scene.attempt().await, end);
    }
}

#[tokio::test]
async fn a_failure_long_after_the_others_is_the_first_of_its_own() {
    let scene = Scene::webhook().await;
    let failed = Subscription {
        failing_since: Some(scene.days_ago(6)),
        failed_at: Some(scene.days_ago(5)),
        ..scene.subscription.clone()
    };
    scene.fakes.put_subscription(failed);
    scene.answers([status(503), status(200)]);
    let failed_at = scene.now();
    assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(5)));
    let known = scene.known().await;
    assert_eq!(
        (known.is_active(), known.failing_since),
        (true, Some(failed_at))
    );
    scene.turn_to(scene.stored().next_attempt_at.unwrap());
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 2, None));
    assert_eq!(scene.known().await.failing_since, None);
}

#[tokio::test]
async fn a_receiver_that_works_meanwhile_is_not_given_up() {
    let scene = Scene::webhook().await;
    let failing = Subscription {
        failing_since: Some(scene.days_ago(6)),
        failed_at: Some(scene.days_ago(1)),
        ..scene.subscription.clone()
    };
    scene.fakes.put_subscription(failing.clone());
    scene.answers([status(503)]);
    scene.fakes.before(Call::Disable, 0, move |fakes| {
        fakes.put_subscription(Subscription {
            failing_since: None,
            ..failing
        });
    });
    scene.deliver().await.unwrap();
    assert!(scene.known().await.is_active());
}

#[tokio::test]
async fn a_hook_remembers_how_its_newest_attempt_went() {
    let scene = Scene::hook(Trigger::OcrCompleted).await;
    scene.answers([Outcome::NoAnswer(DeliveryFault::TimedOut), status(200)]);
    for (delivered, status_code, attempts) in [(false, None, 1), (true, Some(200), 2)] {
        scene.deliver().await.unwrap();
        let expected = LastDelivery {
            delivered,
            status_code,
            attempts,
            at: scene.now(),
        };
        assert_eq!(scene.known().await.last_delivery, Some(expected));
        scene.turn_to(scene.stored().next_attempt_at.unwrap_or_default());
    }
}
