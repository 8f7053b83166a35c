//! Transitions of jobs.

use std::time::Duration;

use domain::job::{Job, JobError, JobErrorCode, JobStatus, JobWarning};
use domain::plan::Plan;
use domain::ports::{AcceptOutcome, PreviousRequest};
use domain::retry;
use domain::transition::AttemptOutcome;
use domain::usage::Used;
use futures::future::join_all;

use super::{accepted, claim, claimed, stored_account};
use crate::environment::{Environment, Ports};
use crate::sample;

/// Valid transitions are written completely, stale ones not at all.
pub async fn transitions<P: Ports, W: Environment>(ports: &P, env: &W) {
    a_job_is_worked_on_and_completed(ports, env).await;
    one_of_many_workers_claims_the_job(ports, env).await;
    a_stale_worker_changes_nothing(ports, env).await;
    a_retried_job_is_claimed_again(ports, env).await;
    a_heartbeat_invalidates_a_concurrent_release(ports, env).await;
    a_failed_job_is_refunded_to_its_period(ports, env).await;
    a_redriven_job_is_refunded_once(ports, env).await;
    a_cancelled_job_is_not_claimed(ports, env).await;
}

async fn stored<P: Ports>(ports: &P, job: &Job) -> Job {
    ports.job(&job.id).await.unwrap().unwrap()
}

fn completed(job: &Job) -> AttemptOutcome {
    AttemptOutcome::Completed {
        output: Box::new(sample::output(job)),
        warnings: vec![JobWarning {
            code: "already_optimal".to_owned(),
            message: "already optimized".to_owned(),
            data: serde_json::Map::new(),
        }],
        findings: None,
        etag: "\"etag\"".to_owned(),
    }
}

async fn a_job_is_worked_on_and_completed<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let job = claimed(ports, &job, env.now()).await;
    assert_eq!(stored(ports, &job).await, job);
    let until = env.now().plus(Duration::from_secs(45));
    assert!(ports.extend_lease(&job.id, 1, until, 40).await.unwrap());
    let alive = stored(ports, &job).await;
    assert_eq!((alive.lease_until, alive.progress), (Some(until), 40));
    let finish = alive.finish(completed(&job), env.now());
    assert!(ports.apply(&finish).await.unwrap());
    assert_eq!(stored(ports, &job).await, finish.job);
    assert!(!ports.apply(&finish).await.unwrap(), "finished twice");
    assert!(!ports.extend_lease(&job.id, 1, until, 50).await.unwrap());
    assert_eq!(stored(ports, &job).await, finish.job);
}

async fn one_of_many_workers_claims_the_job<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    // The same claim by all workers: time and content are equal.
    let claim = claim(&job, env.now());
    let responses = join_all((0..10).map(|_| ports.apply(&claim))).await;
    let won = responses
        .into_iter()
        .filter(|response| *response.as_ref().unwrap());
    assert_eq!(won.count(), 1);
}

async fn a_stale_worker_changes_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let stale = claimed(ports, &job, env.now()).await;
    let late = env.now().plus(retry::LEASE + Duration::from_secs(1));
    let released = stale.release_expired_lease(late).unwrap();
    assert!(ports.apply(&released).await.unwrap());
    let second = claimed(ports, &released.job, late).await;
    let failure = JobError::new(JobErrorCode::InputCorrupt, "broken");
    for ending in [
        completed(&stale),
        AttemptOutcome::Failed(failure),
        AttemptOutcome::Interrupted("x".into()),
    ] {
        assert!(!ports.apply(&stale.finish(ending, late)).await.unwrap());
    }
    assert!(!ports.extend_lease(&job.id, 1, late, 99).await.unwrap());
    assert_eq!(stored(ports, &job).await, second);
    let period = env.now().period();
    let used = ports.used(&account.id, period).await.unwrap();
    assert_eq!(used.this_month, 2, "a stale failure was refunded");
}

async fn a_retried_job_is_claimed_again<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let job = claimed(ports, &job, env.now()).await;
    let retry = job.finish(AttemptOutcome::Interrupted("no engine".into()), env.now());
    assert!(ports.apply(&retry).await.unwrap());
    let waiting = stored(ports, &job).await;
    assert_eq!(waiting, retry.job);
    assert_eq!(
        (waiting.status, waiting.lease_until),
        (JobStatus::Retrying, None)
    );
    let later = env.now().plus(retry::backoff(1));
    let second = claimed(ports, &waiting, later).await;
    let second_stored = stored(ports, &job).await;
    assert_eq!(second_stored, second);
    assert_eq!((second_stored.attempt, second_stored.not_before), (2, None));
}

async fn a_heartbeat_invalidates_a_concurrent_release<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let job = claimed(ports, &job, env.now()).await;
    let late = env.now().plus(retry::LEASE + Duration::from_secs(1));
    let release = job.release_expired_lease(late).unwrap();
    let until = late.plus(retry::LEASE);
    assert!(ports.extend_lease(&job.id, 1, until, 10).await.unwrap());
    assert!(
        !ports.apply(&release).await.unwrap(),
        "released despite the heartbeat"
    );
    assert_eq!(stored(ports, &job).await.status, JobStatus::Processing);
}

async fn a_failed_job_is_refunded_to_its_period<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let job = accepted(ports, env, &account).await;
    accepted(ports, env, &account).await;
    let job = claimed(ports, &job, env.now()).await;
    let failure = JobError::new(JobErrorCode::PasswordRequired, "opens only with a password");
    // Fails in another month than it was charged in.
    let next_month = env.now().plus(Duration::from_secs(40 * 86_400));
    let finish = job.finish(AttemptOutcome::Failed(failure), next_month);
    assert!(ports.apply(&finish).await.unwrap());
    assert_eq!(stored(ports, &job).await, finish.job);
    let charged = ports.used(&account.id, env.now().period()).await.unwrap();
    assert_eq!(
        charged,
        Used {
            today: 1,
            this_month: 1
        }
    );
    let after = ports.used(&account.id, next_month.period()).await.unwrap();
    assert_eq!(after, Used::default());
}

async fn a_redriven_job_is_refunded_once<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let other = accepted(ports, env, &account).await;
    let job = accepted(ports, env, &account).await;
    let now = env.now();
    let used = || async {
        ports
            .used(&account.id, now.period())
            .await
            .unwrap()
            .this_month
    };
    let dead_letter = job.dead_letter(now).unwrap();
    assert!(ports.apply(&dead_letter).await.unwrap());
    assert_eq!(used().await, 2);
    assert!(
        !ports.apply(&dead_letter).await.unwrap(),
        "dead-lettered twice"
    );
    let redrive = dead_letter.job.redrive(now).unwrap();
    assert!(ports.apply(&redrive).await.unwrap());
    assert_eq!(stored(ports, &job).await, redrive.job);
    let again = redrive.job.dead_letter(now).unwrap();
    assert!(
        ports.apply(&again).await.unwrap(),
        "the second dead-lettering is not written"
    );
    assert_eq!(stored(ports, &job).await.status, JobStatus::DeadLetter);
    assert_eq!(used().await, other.charge.units, "refunded twice");
}

async fn a_cancelled_job_is_not_claimed<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let fingerprint = sample::fingerprint(env);
    let acceptance = sample::acceptance(env, &account, &fingerprint);
    assert_eq!(ports.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
    let job = &acceptance.job;
    let cancel = job.cancel(env.now()).unwrap();
    assert!(ports.apply(&cancel).await.unwrap());
    assert!(!ports.apply(&claim(job, env.now())).await.unwrap());
    assert_eq!(stored(ports, job).await, cancel.job);
    let again = sample::acceptance(env, &account, &fingerprint);
    let replayed = AcceptOutcome::PreviousRequest(PreviousRequest::Replayed(Box::new(cancel.job)));
    assert_eq!(
        ports.accept(&again).await.unwrap(),
        replayed,
        "the current job"
    );
}
