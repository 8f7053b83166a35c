//! Acceptance of jobs.

use std::time::Duration;

use domain::account::Account;
use domain::plan::{Plan, Unit};
use domain::ports::{AcceptOutcome, PreviousRequest};
use domain::timestamp::{Timestamp, days};
use domain::usage::{QuotaExceeded, Used};
use futures::future::join_all;

use super::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;

/// One job and one charge per idempotency key, within the quotas of the plan.
pub async fn acceptance<P: Ports, W: Environment>(ports: &P, env: &W) {
    a_job_reads_back_as_it_was_accepted(ports, env).await;
    a_replay_returns_the_original_job(ports, env).await;
    fifty_concurrent_requests_with_one_key_create_one_job(ports, env).await;
    thirty_concurrent_requests_share_the_remaining_quota(ports, env).await;
    an_exhausted_quota_has_a_reset_time(ports, env).await;
    a_charge_of_several_credits_is_counted_completely(ports, env).await;
    a_plan_without_limits_counts_nothing(ports, env).await;
    an_idempotency_key_expires_with_its_job(ports, env).await;
}

async fn used<P: Ports, W: Environment>(ports: &P, env: &W, account: &Account) -> Used {
    ports.used(&account.id, env.now().period()).await.unwrap()
}

async fn a_job_reads_back_as_it_was_accepted<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let acceptance = sample::acceptance(env, &account, &sample::fingerprint(env));
    assert_eq!(ports.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
    let job = ports.job(&acceptance.job.id).await.unwrap().unwrap();
    assert_eq!(job, acceptance.job);
    let as_text = |job: &domain::job::Job| job.metadata.as_ref().map(ToString::to_string);
    assert_eq!(
        as_text(&job),
        as_text(&acceptance.job),
        "the order of members changed"
    );
    let expected = Used {
        today: 1,
        this_month: 1,
    };
    assert_eq!(used(ports, env, &account).await, expected);
    assert_eq!(
        ports.accept(&acceptance).await.unwrap(),
        AcceptOutcome::New,
        "the same write, repeated"
    );
    assert_eq!(used(ports, env, &account).await, expected);
    let unknown = sample::job(env, &account, env.now());
    assert_eq!(ports.job(&unknown.id).await.unwrap(), None);
}

async fn a_replay_returns_the_original_job<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let fingerprint = sample::fingerprint(env);
    let first = sample::acceptance(env, &account, &fingerprint);
    let now = env.now();
    assert_eq!(ports.replay(&fingerprint, "body", now).await.unwrap(), None);
    assert_eq!(ports.accept(&first).await.unwrap(), AcceptOutcome::New);
    let period = now.period();
    ports
        .set_used(&account.id, period, Some(10), Some(100))
        .await
        .unwrap();
    let replayed = PreviousRequest::Replayed(Box::new(first.job.clone()));
    let again = sample::acceptance(env, &account, &fingerprint);
    assert_eq!(
        ports.accept(&again).await.unwrap(),
        AcceptOutcome::PreviousRequest(replayed.clone()),
        "with exhausted quota"
    );
    assert_eq!(
        ports.replay(&fingerprint, "body", now).await.unwrap(),
        Some(replayed)
    );
    let mut other = sample::acceptance(env, &account, &fingerprint);
    other.body_hash = "another body".to_owned();
    assert_eq!(
        ports.accept(&other).await.unwrap(),
        AcceptOutcome::PreviousRequest(PreviousRequest::KeyReused)
    );
    assert_eq!(
        ports
            .replay(&fingerprint, "another body", now)
            .await
            .unwrap(),
        Some(PreviousRequest::KeyReused)
    );
    for refused in [again, other] {
        assert_eq!(ports.job(&refused.job.id).await.unwrap(), None);
    }
}

async fn fifty_concurrent_requests_with_one_key_create_one_job<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let fingerprint = sample::fingerprint(env);
    let all: Vec<_> = (0..50)
        .map(|_| sample::acceptance(env, &account, &fingerprint))
        .collect();
    let responses = join_all(all.iter().map(|acceptance| ports.accept(acceptance))).await;
    let responses: Vec<_> = responses.into_iter().map(Result::unwrap).collect();
    let new: Vec<_> = all
        .iter()
        .zip(&responses)
        .filter(|(_, response)| **response == AcceptOutcome::New)
        .collect();
    assert_eq!(new.len(), 1);
    let replayed =
        AcceptOutcome::PreviousRequest(PreviousRequest::Replayed(Box::new(new[0].0.job.clone())));
    assert_eq!(
        responses
            .iter()
            .filter(|response| **response == replayed)
            .count(),
        49
    );
    assert_eq!(
        used(ports, env, &account).await.this_month,
        2,
        "charged more than once"
    );
    let page = ports.jobs(&account.id, None, None, 100).await.unwrap();
    assert_eq!(page.jobs.len(), 1);
}

async fn thirty_concurrent_requests_share_the_remaining_quota<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Free).await;
    let period = env.now().period();
    ports
        .set_used(&account.id, period, Some(0), Some(90))
        .await
        .unwrap();
    let all: Vec<_> = (0..30)
        .map(|_| sample::acceptance(env, &account, &sample::fingerprint(env)))
        .collect();
    let responses = join_all(all.iter().map(|acceptance| ports.accept(acceptance))).await;
    let responses: Vec<_> = responses.into_iter().map(Result::unwrap).collect();
    let new = responses
        .iter()
        .filter(|response| **response == AcceptOutcome::New);
    assert_eq!(new.count(), 10);
    let spent = |response: &&AcceptOutcome| matches!(response, AcceptOutcome::QuotaExceeded(_));
    assert_eq!(responses.iter().filter(spent).count(), 20);
    let expected = Used {
        today: 10,
        this_month: 100,
    };
    assert_eq!(used(ports, env, &account).await, expected);
}

async fn an_exhausted_quota_has_a_reset_time<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let period = env.now().period();
    for (today, month, resets_at) in [
        (10, 50, period.next_day()),
        (10, 100, period.next_month()),
        (0, 100, period.next_month()),
    ] {
        ports
            .set_used(&account.id, period, Some(today), Some(month))
            .await
            .unwrap();
        let acceptance = sample::acceptance(env, &account, &sample::fingerprint(env));
        let spent = QuotaExceeded {
            unit: Unit::Requests,
            resets_at,
        };
        assert_eq!(
            ports.accept(&acceptance).await.unwrap(),
            AcceptOutcome::QuotaExceeded(spent)
        );
        let replay = ports
            .replay(&acceptance.fingerprint, "body", env.now())
            .await;
        assert_eq!(replay.unwrap(), None, "a rejected request used up the key");
    }
}

async fn a_charge_of_several_credits_is_counted_completely<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Starter).await;
    let period = env.now().period();
    for (before, fits) in [(1_998, true), (1_999, false)] {
        ports
            .set_used(&account.id, period, None, Some(before))
            .await
            .unwrap();
        let acceptance = sample::acceptance(env, &account, &sample::fingerprint(env));
        let response = ports.accept(&acceptance).await.unwrap();
        assert_eq!(
            response == AcceptOutcome::New,
            fits,
            "{before}: {response:?}"
        );
    }
    let mut huge = sample::acceptance(env, &account, &sample::fingerprint(env));
    huge.job.charge.units = 2_001;
    let fresh = stored_account(ports, env, Plan::Starter).await;
    huge.job.account_id = fresh.id;
    let response = ports.accept(&huge).await.unwrap();
    assert!(
        matches!(response, AcceptOutcome::QuotaExceeded(_)),
        "exceeds the whole plan: {response:?}"
    );
}

async fn a_plan_without_limits_counts_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let acceptance = sample::acceptance(env, &account, &sample::fingerprint(env));
    assert_eq!(ports.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
    assert_eq!(used(ports, env, &account).await, Used::default());
}

async fn an_idempotency_key_expires_with_its_job<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let fingerprint = sample::fingerprint(env);
    let long_ago = Timestamp(env.now().milliseconds() - 30 * 86_400_000);
    let mut first = sample::accept_at(env, &account, &fingerprint, long_ago);
    // Expires now; DynamoDB's TTL may not have deleted it yet.
    first.job.expires_at = long_ago.plus(days(30));
    assert_eq!(ports.accept(&first).await.unwrap(), AcceptOutcome::New);
    let just_before = Timestamp(first.job.expires_at.milliseconds() - 1);
    let replay = ports
        .replay(&fingerprint, "body", just_before)
        .await
        .unwrap();
    assert!(matches!(replay, Some(PreviousRequest::Replayed(_))));
    let then = first.job.expires_at;
    assert_eq!(
        ports.replay(&fingerprint, "body", then).await.unwrap(),
        None
    );
    let later = then.plus(Duration::from_millis(1));
    let second = sample::accept_at(env, &account, &fingerprint, later);
    assert_eq!(ports.accept(&second).await.unwrap(), AcceptOutcome::New);
}
