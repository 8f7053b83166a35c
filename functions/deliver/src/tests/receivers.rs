//! Receiver health after attempts.

use super::*;

#[tokio::test]
async fn any_success_completes_the_delivery_and_ends_a_series_of_failures() {
    for response in [200, 204, 299] {
        let scene = Scene::webhook().await;
        scene.set_outcomes([status(503), status(response)]);
        let began = scene.now();
        scene.deliver().await.unwrap();
        assert_eq!(scene.subscription_now().await.failing_since, Some(began));
        scene.turn_to(scene.stored().next_attempt_at.unwrap());
        assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 2, None));
        let works = Subscription {
            last_success_at: Some(scene.now()),
            ..scene.subscription.clone()
        };
        assert_eq!(scene.subscription_now().await, works);
    }
}

#[tokio::test]
async fn a_410_response_disables_the_subscription() {
    let scene = Scene::webhook().await;
    scene.set_outcomes([status(410)]);
    assert_eq!(scene.attempt().await, (DeliveryStatus::Failed, 1, None));
    let subscription = scene.subscription_now().await;
    assert_eq!(
        (subscription.is_active(), subscription.disabled_reason),
        (false, Some(DisabledReason::Gone))
    );
    assert_eq!(scene.fakes.sent_deliveries(), []);
}

#[tokio::test]
async fn a_410_response_disables_the_subscription_despite_a_crash() {
    for (call, passing, end) in [
        (Call::Disable, 0, (DeliveryStatus::Failed, 2, None)),
        (Call::ApplyDelivery, 1, (DeliveryStatus::Skipped, 1, None)),
    ] {
        let scene = Scene::webhook().await;
        scene.set_outcomes([status(410)]);
        scene.fakes.succeed_next(call, passing);
        scene.fakes.fail(call, Fault::Contended, 1);
        assert!(scene.deliver().await.is_err(), "{call:?}");
        scene.turn_to(scene.now().plus(Duration::from_secs(60)));
        assert_eq!(scene.attempt().await, end, "{call:?}");
        let subscription = scene.subscription_now().await;
        let reason = Some(DisabledReason::Gone);
        assert_eq!(
            (subscription.is_active(), subscription.disabled_reason),
            (false, reason)
        );
    }
}

#[tokio::test]
async fn five_days_without_success_disable_the_subscription() {
    for (failing_for, reason) in [
        (DAY * 5, Some(DisabledReason::Failing)),
        (DAY * 5 - Duration::from_millis(1), None),
    ] {
        let scene = Scene::webhook().await;
        let since =
            Timestamp(scene.now().milliseconds() - i64::try_from(failing_for.as_millis()).unwrap());
        let failing = Subscription {
            failing_since: Some(since),
            last_failure_at: Some(scene.days_ago(1)),
            ..scene.subscription.clone()
        };
        scene.fakes.put_subscription(failing);
        scene.set_outcomes([status(500)]);
        assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(5)));
        let subscription = scene.subscription_now().await;
        assert_eq!(
            (subscription.is_active(), subscription.disabled_reason),
            (reason.is_none(), reason)
        );
        assert_eq!(subscription.failing_since, Some(since));
        scene.turn_to(scene.stored().next_attempt_at.unwrap());
        let end = match reason {
            Some(_) => (DeliveryStatus::Skipped, 1, None),
            None => (DeliveryStatus::Pending, 2, Some(300)),
        };
        assert_eq!(scene.attempt().await, end);
    }
}

#[tokio::test]
async fn a_failure_long_after_the_others_starts_a_new_series() {
    let scene = Scene::webhook().await;
    let failed = Subscription {
        failing_since: Some(scene.days_ago(6)),
        last_failure_at: Some(scene.days_ago(5)),
        ..scene.subscription.clone()
    };
    scene.fakes.put_subscription(failed);
    scene.set_outcomes([status(503), status(200)]);
    let last_failure_at = scene.now();
    assert_eq!(scene.attempt().await, (DeliveryStatus::Pending, 1, Some(5)));
    let subscription = scene.subscription_now().await;
    assert_eq!(
        (subscription.is_active(), subscription.failing_since),
        (true, Some(last_failure_at))
    );
    scene.turn_to(scene.stored().next_attempt_at.unwrap());
    assert_eq!(scene.attempt().await, (DeliveryStatus::Delivered, 2, None));
    assert_eq!(scene.subscription_now().await.failing_since, None);
}

#[tokio::test]
async fn a_receiver_that_succeeds_meanwhile_is_not_disabled() {
    let scene = Scene::webhook().await;
    let failing = Subscription {
        failing_since: Some(scene.days_ago(6)),
        last_failure_at: Some(scene.days_ago(1)),
        ..scene.subscription.clone()
    };
    scene.fakes.put_subscription(failing.clone());
    scene.set_outcomes([status(503)]);
    scene.fakes.before(Call::Disable, 0, move |fakes| {
        fakes.put_subscription(Subscription {
            failing_since: None,
            ..failing
        });
    });
    scene.deliver().await.unwrap();
    assert!(scene.subscription_now().await.is_active());
}

#[tokio::test]
async fn a_hook_records_its_last_attempt() {
    let scene = Scene::hook(Trigger::OcrCompleted).await;
    scene.set_outcomes([
        DeliveryOutcome::NoResponse(DeliveryFailure::TimedOut),
        status(200),
    ]);
    for (delivered, status_code, attempts) in [(false, None, 1), (true, Some(200), 2)] {
        scene.deliver().await.unwrap();
        let expected = LastDelivery {
            delivered,
            status_code,
            attempts,
            at: scene.now(),
        };
        assert_eq!(scene.subscription_now().await.last_delivery, Some(expected));
        scene.turn_to(scene.stored().next_attempt_at.unwrap_or_default());
    }
}
