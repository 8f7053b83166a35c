//! Tests of the health of receivers.

use super::super::delivery::tests::subscription;
use super::*;
use crate::subscription::DeliveryFailure;

const NOW: Timestamp = Timestamp(1_795_000_000_000);
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);

const FAILURE: DeliveryOutcome = DeliveryOutcome::NoResponse(DeliveryFailure::TimedOut);
const SUCCESS: DeliveryOutcome = DeliveryOutcome::Responded {
    status: 200,
    retry_after: None,
};

/// Returns the subscription after `update`, as stored.
fn updated(before: &Subscription, update: Option<HealthUpdate>, now: Timestamp) -> Subscription {
    let (failing_since, last_failure_at, last_success_at) = match update {
        Some(HealthUpdate::Succeeded) => (None, None, Some(now)),
        Some(HealthUpdate::Failed(failure)) => (
            Some(failure.since),
            Some(failure.at),
            before.last_success_at,
        ),
        _ => return before.clone(),
    };
    Subscription {
        failing_since,
        last_failure_at,
        last_success_at,
        ..before.clone()
    }
}

/// Returns the time after [`NOW`] at which a receiver is disabled whose attempts fail at these hours.
fn disabled_after(hours: impl IntoIterator<Item = u32>) -> Option<u32> {
    let mut receiver = subscription();
    hours.into_iter().find(|hour| {
        let now = NOW.plus(HOUR * *hour);
        let update = receiver.health_update(FAILURE, now);
        receiver = updated(&receiver, update, now);
        matches!(update, Some(HealthUpdate::Disable { .. }))
    })
}

#[test]
fn five_days_of_failures_disable_the_receiver() {
    assert_eq!(disabled_after(0..200), Some(120));
    assert_eq!(disabled_after((0..200).step_by(25)), Some(125));
    let failing = Subscription {
        failing_since: Some(NOW),
        last_failure_at: Some(NOW.plus(HOUR * 110)),
        ..subscription()
    };
    let moment = NOW.plus(HOUR * 120);
    assert_eq!(
        failing.health_update(FAILURE, moment),
        Some(HealthUpdate::Disable { failing_since: NOW })
    );
    let early = Timestamp(moment.milliseconds() - 1);
    let update = failing.health_update(FAILURE, early);
    assert!(
        matches!(update, Some(HealthUpdate::Failed(_))),
        "{update:?}"
    );
}

#[test]
fn days_without_deliveries_start_a_new_series() {
    let first_day = [0, 1, 3, 8, 18, 28];
    assert_eq!(disabled_after(first_day.into_iter().chain([144])), None);
    assert_eq!(disabled_after((0..400).step_by(26)), None);
    // Failures after the gap form a new series.
    let second = 144..400;
    assert_eq!(
        disabled_after(first_day.into_iter().chain(second)),
        Some(264)
    );
}

#[test]
fn any_success_ends_a_series_of_failures() {
    let failing = Subscription {
        failing_since: Some(NOW),
        last_failure_at: Some(NOW),
        ..subscription()
    };
    let now = NOW.plus(HOUR);
    let update = failing.health_update(SUCCESS, now);
    assert_eq!(update, Some(HealthUpdate::Succeeded));
    let succeeded = updated(&failing, update, now);
    let later = now.plus(HOUR);
    let expected = FailedAttempt {
        expected_since: None,
        since: later,
        at: later,
    };
    assert_eq!(
        succeeded.health_update(FAILURE, later),
        Some(HealthUpdate::Failed(expected))
    );
}

#[test]
fn the_same_health_is_not_written_again_at_once() {
    let succeeded = Subscription {
        last_success_at: Some(NOW),
        ..subscription()
    };
    assert_eq!(
        succeeded.health_update(SUCCESS, NOW.plus(SECOND * 59)),
        None
    );
    let update = succeeded.health_update(SUCCESS, NOW.plus(HEALTH_WRITE_INTERVAL));
    assert_eq!(update, Some(HealthUpdate::Succeeded));
    let failing = Subscription {
        failing_since: Some(NOW),
        last_failure_at: Some(NOW),
        ..subscription()
    };
    assert_eq!(failing.health_update(FAILURE, NOW.plus(SECOND * 59)), None);
    let now = NOW.plus(HEALTH_WRITE_INTERVAL);
    let expected = FailedAttempt {
        expected_since: Some(NOW),
        since: NOW,
        at: now,
    };
    assert_eq!(
        failing.health_update(FAILURE, now),
        Some(HealthUpdate::Failed(expected))
    );
    assert_eq!(expected.superseded_from(), NOW);
}
