//! Accepting jobs.

use std::time::Duration;

use domain::account::Account;
use domain::plan::{Plan, Unit};
use domain::ports::{Accepted, Earlier};
use domain::timestamp::{Timestamp, days};
use domain::usage::{Spent, Used};
use futures::future::join_all;

use super::customer;
use crate::sample;
use crate::world::{Ports, World};

/// One idempotency key, one job, one charge, within the plan.
pub async fn acceptance<P: Ports, W: World>(ports: &P, world: &W) {
    a_job_reads_back_as_it_was_accepted(ports, world).await;
    a_repetition_is_answered_with_the_job_of_then(ports, world).await;
    fifty_at_once_with_one_key_are_one_job(ports, world).await;
    thirty_at_once_get_what_is_left(ports, world).await;
    a_spent_plan_says_until_when(ports, world).await;
    credits_are_counted_whole(ports, world).await;
    a_plan_without_limits_counts_nothing(ports, world).await;
    a_key_lives_as_long_as_its_job(ports, world).await;
}

async fn used<P: Ports, W: World>(ports: &P, world: &W, account: &Account) -> Used {
    ports.used(&account.id, world.now().period()).await.unwrap()
}

async fn a_job_reads_back_as_it_was_accepted<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let acceptance = sample::acceptance(world, &account, &sample::fingerprint(world));
    assert_eq!(ports.accept(&acceptance).await.unwrap(), Accepted::New);
    let job = ports.job(&acceptance.job.id).await.unwrap().unwrap();
    assert_eq!(job, acceptance.job);
    let as_text = |job: &domain::job::Job| job.metadata.as_ref().map(ToString::to_string);
    assert_eq!(
        as_text(&job),
        as_text(&acceptance.job),
        "members changed places"
    );
    let expected = Used {
        today: 1,
        this_month: 1,
    };
    assert_eq!(used(ports, world, &account).await, expected);
    assert_eq!(
        ports.accept(&acceptance).await.unwrap(),
        Accepted::New,
        "the very same write, made twice"
    );
    assert_eq!(used(ports, world, &account).await, expected);
    let unknown = sample::job(world, &account, world.now());
    assert_eq!(ports.job(&unknown.id).await.unwrap(), None);
}

async fn a_repetition_is_answered_with_the_job_of_then<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let fingerprint = sample::fingerprint(world);
    let first = sample::acceptance(world, &account, &fingerprint);
    let now = world.now();
    assert_eq!(ports.replay(&fingerprint, "body", now).await.unwrap(), None);
    assert_eq!(ports.accept(&first).await.unwrap(), Accepted::New);
    let period = now.period();
    ports
        .set_used(&account.id, period, Some(10), Some(100))
        .await
        .unwrap();
    let replayed = Earlier::Replayed(Box::new(first.job.clone()));
    let again = sample::acceptance(world, &account, &fingerprint);
    assert_eq!(
        ports.accept(&again).await.unwrap(),
        Accepted::Earlier(replayed.clone()),
        "with nothing left"
    );
    assert_eq!(
        ports.replay(&fingerprint, "body", now).await.unwrap(),
        Some(replayed)
    );
    let mut other = sample::acceptance(world, &account, &fingerprint);
    other.body_hash = "another body".to_owned();
    assert_eq!(
        ports.accept(&other).await.unwrap(),
        Accepted::Earlier(Earlier::KeyReused)
    );
    assert_eq!(
        ports
            .replay(&fingerprint, "another body", now)
            .await
            .unwrap(),
        Some(Earlier::KeyReused)
    );
    for refused in [again, other] {
        assert_eq!(ports.job(&refused.job.id).await.unwrap(), None);
    }
}

async fn fifty_at_once_with_one_key_are_one_job<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let fingerprint = sample::fingerprint(world);
    let all: Vec<_> = (0..50)
        .map(|_| sample::acceptance(world, &account, &fingerprint))
        .collect();
    let answers = join_all(all.iter().map(|acceptance| ports.accept(acceptance))).await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    let new: Vec<_> = all
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| **answer == Accepted::New)
        .collect();
    assert_eq!(new.len(), 1);
    let replayed = Accepted::Earlier(Earlier::Replayed(Box::new(new[0].0.job.clone())));
    assert_eq!(
        answers.iter().filter(|answer| **answer == replayed).count(),
        49
    );
    assert_eq!(
        used(ports, world, &account).await.this_month,
        2,
        "charged more than once"
    );
    let page = ports.jobs(&account.id, None, None, 100).await.unwrap();
    assert_eq!(page.jobs.len(), 1);
}

async fn thirty_at_once_get_what_is_left<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let period = world.now().period();
    ports
        .set_used(&account.id, period, Some(0), Some(90))
        .await
        .unwrap();
    let all: Vec<_> = (0..30)
        .map(|_| sample::acceptance(world, &account, &sample::fingerprint(world)))
        .collect();
    let answers = join_all(all.iter().map(|acceptance| ports.accept(acceptance))).await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    let new = answers.iter().filter(|answer| **answer == Accepted::New);
    assert_eq!(new.count(), 10);
    let spent = |answer: &&Accepted| matches!(answer, Accepted::Spent(_));
    assert_eq!(answers.iter().filter(spent).count(), 20);
    let expected = Used {
        today: 10,
        this_month: 100,
    };
    assert_eq!(used(ports, world, &account).await, expected);
}

async fn a_spent_plan_says_until_when<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let period = world.now().period();
    for (today, month, resets_at) in [
        (10, 50, period.next_day()),
        (10, 100, period.next_month()),
        (0, 100, period.next_month()),
    ] {
        ports
            .set_used(&account.id, period, Some(today), Some(month))
            .await
            .unwrap();
        let acceptance = sample::acceptance(world, &account, &sample::fingerprint(world));
        let spent = Spent {
            unit: Unit::Requests,
            resets_at,
        };
        assert_eq!(
            ports.accept(&acceptance).await.unwrap(),
            Accepted::Spent(spent)
        );
        let replay = ports
            .replay(&acceptance.fingerprint, "body", world.now())
            .await;
        assert_eq!(replay.unwrap(), None, "a refusal used the key up");
    }
}

async fn credits_are_counted_whole<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Starter).await;
    let period = world.now().period();
    for (before, fits) in [(1_998, true), (1_999, false)] {
        ports
            .set_used(&account.id, period, None, Some(before))
            .await
            .unwrap();
        let acceptance = sample::acceptance(world, &account, &sample::fingerprint(world));
        let answer = ports.accept(&acceptance).await.unwrap();
        assert_eq!(answer == Accepted::New, fits, "{before}: {answer:?}");
    }
    let mut huge = sample::acceptance(world, &account, &sample::fingerprint(world));
    huge.job.charge.units = 2_001;
    let fresh = customer(ports, world, Plan::Starter).await;
    huge.job.account_id = fresh.id;
    let answer = ports.accept(&huge).await.unwrap();
    assert!(
        matches!(answer, Accepted::Spent(_)),
        "more than the whole plan: {answer:?}"
    );
}

async fn a_plan_without_limits_counts_nothing<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let acceptance = sample::acceptance(world, &account, &sample::fingerprint(world));
    assert_eq!(ports.accept(&acceptance).await.unwrap(), Accepted::New);
    assert_eq!(used(ports, world, &account).await, Used::default());
}

async fn a_key_lives_as_long_as_its_job<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let fingerprint = sample::fingerprint(world);
    let long_ago = Timestamp(world.now().milliseconds() - 30 * 86_400_000);
    let mut first = sample::accept_at(world, &account, &fingerprint, long_ago);
    // Expires this very moment, as the store may not have noticed yet.
    first.job.expires_at = long_ago.plus(days(30));
    assert_eq!(ports.accept(&first).await.unwrap(), Accepted::New);
    let just_before = Timestamp(first.job.expires_at.milliseconds() - 1);
    let replay = ports
        .replay(&fingerprint, "body", just_before)
        .await
        .unwrap();
    assert!(matches!(replay, Some(Earlier::Replayed(_))));
    let then = first.job.expires_at;
    assert_eq!(
        ports.replay(&fingerprint, "body", then).await.unwrap(),
        None
    );
    let later = then.plus(Duration::from_millis(1));
    let second = sample::accept_at(world, &account, &fingerprint, later);
    assert_eq!(ports.accept(&second).await.unwrap(), Accepted::New);
}
