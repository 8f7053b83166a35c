//! What each attempt says of a receiver.

use super::super::delivery::tests::subscription;
use super::*;
use crate::subscription::DeliveryFault;

const NOW: Timestamp = Timestamp(1_795_000_000_000);
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);

const FAILS: Outcome = Outcome::NoAnswer(DeliveryFault::TimedOut);
const WORKS: Outcome = Outcome::Answered {
    status: 200,
    retry_after: None,
};

/// The subscription after `note`, as the table keeps it.
fn noted(before: &Subscription, note: Option<ReceiverNote>, now: Timestamp) -> Subscription {
    let (failing_since, failed_at, worked_at) = match note {
        Some(ReceiverNote::Working) => (None, None, Some(now)),
        Some(ReceiverNote::Failing(failure)) => {
            (Some(failure.since), Some(failure.at), before.worked_at)
        }
        _ => return before.clone(),
    };
    Subscription {
        failing_since,
        failed_at,
        worked_at,
        ..before.clone()
    }
}

/// How long after [`NOW`] a receiver is given up whose attempts fail at these hours.
fn given_up_after(hours: impl IntoIterator<Item = u32>) -> Option<u32> {
    let mut receiver = subscription();
    hours.into_iter().find(|hour| {
        let now = NOW.plus(HOUR * *hour);
        let note = receiver.judge_receiver(FAILS, now);
        receiver = noted(&receiver, note, now);
        matches!(note, Some(ReceiverNote::GivenUp { .. }))
    })
}

#[test]
fn five_days_of_attempts_that_all_fail_are_the_end() {
    assert_eq!(given_up_after(0..200), Some(120));
    assert_eq!(given_up_after((0..200).step_by(25)), Some(125));
    let failing = Subscription {
        failing_since: Some(NOW),
        failed_at: Some(NOW.plus(HOUR * 110)),
        ..subscription()
    };
    let moment = NOW.plus(HOUR * 120);
    assert_eq!(
        failing.judge_receiver(FAILS, moment),
        Some(ReceiverNote::GivenUp { failing_since: NOW })
    );
    let early = Timestamp(moment.milliseconds() - 1);
    let note = failing.judge_receiver(FAILS, early);
    assert!(matches!(note, Some(ReceiverNote::Failing(_))), "{note:?}");
}

#[test]
fn days_on_which_nothing_was_sent_are_not_days_of_failure() {
    let first_day = [0, 1, 3, 8, 18, 28];
    assert_eq!(given_up_after(first_day.into_iter().chain([144])), None);
    assert_eq!(given_up_after((0..400).step_by(26)), None);
    // What follows the silence is a row of its own.
    let second = 144..400;
    assert_eq!(
        given_up_after(first_day.into_iter().chain(second)),
        Some(264)
    );
}

#[test]
fn any_success_ends_a_row_of_failures() {
    let failing = Subscription {
        failing_since: Some(NOW),
        failed_at: Some(NOW),
        ..subscription()
    };
    let now = NOW.plus(HOUR);
    let note = failing.judge_receiver(WORKS, now);
    assert_eq!(note, Some(ReceiverNote::Working));
    let works = noted(&failing, note, now);
    let later = now.plus(HOUR);
    let expected = FailedAttempt {
        seen_since: None,
        since: later,
        at: later,
    };
    assert_eq!(
        works.judge_receiver(FAILS, later),
        Some(ReceiverNote::Failing(expected))
    );
}

#[test]
fn what_was_noted_a_moment_ago_is_not_noted_again() {
    let works = Subscription {
        worked_at: Some(NOW),
        ..subscription()
    };
    assert_eq!(works.judge_receiver(WORKS, NOW.plus(SECOND * 59)), None);
    let note = works.judge_receiver(WORKS, NOW.plus(NOTED_FOR));
    assert_eq!(note, Some(ReceiverNote::Working));
    let fails = Subscription {
        failing_since: Some(NOW),
        failed_at: Some(NOW),
        ..subscription()
    };
    assert_eq!(fails.judge_receiver(FAILS, NOW.plus(SECOND * 59)), None);
    let now = NOW.plus(NOTED_FOR);
    let expected = FailedAttempt {
        seen_since: Some(NOW),
        since: NOW,
        at: now,
    };
    assert_eq!(
        fails.judge_receiver(FAILS, now),
        Some(ReceiverNote::Failing(expected))
    );
    assert_eq!(expected.outweighed_from(), NOW);
}
