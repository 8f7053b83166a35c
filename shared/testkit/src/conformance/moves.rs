//! Moves of jobs.

use std::time::Duration;

use domain::job::{Job, JobError, JobErrorCode, JobStatus, Warning};
use domain::plan::Plan;
use domain::ports::{Accepted, Earlier};
use domain::retry;
use domain::transition::Ending;
use domain::usage::Used;
use futures::future::join_all;

use super::{accepted, claim, claimed, customer};
use crate::sample;
use crate::world::{Ports, World};

/// Legal moves are written whole, stale ones not at all.
pub async fn moves<P: Ports, W: World>(ports: &P, world: &W) {
    a_job_is_worked_on_and_completed(ports, world).await;
    of_many_workers_one_gets_the_job(ports, world).await;
    a_stale_worker_changes_nothing(ports, world).await;
    a_retried_job_is_claimed_again(ports, world).await;
    a_heartbeat_voids_the_release(ports, world).await;
    a_failed_job_is_refunded_to_its_period(ports, world).await;
    a_redriven_job_is_refunded_once(ports, world).await;
    a_cancelled_job_is_not_claimed(ports, world).await;
}

async fn stored<P: Ports>(ports: &P, job: &Job) -> Job {
    ports.job(&job.id).await.unwrap().unwrap()
}

fn completed(job: &Job) -> Ending {
    Ending::Completed {
        output: Box::new(sample::output(job)),
        warnings: vec![Warning {
            code: "already_optimal".to_owned(),
            message: "as small as it gets".to_owned(),
        }],
        findings: None,
    }
}

async fn a_job_is_worked_on_and_completed<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let job = accepted(ports, world, &account).await;
    let job = claimed(ports, &job, world.now()).await;
    assert_eq!(stored(ports, &job).await, job);
    let until = world.now().plus(Duration::from_secs(45));
    assert!(ports.extend_lease(&job.id, 1, until, 40).await.unwrap());
    let alive = stored(ports, &job).await;
    assert_eq!((alive.lease_until, alive.progress), (Some(until), 40));
    let finish = alive.finish(completed(&job), world.now());
    assert!(ports.apply(&finish).await.unwrap());
    assert_eq!(stored(ports, &job).await, finish.job);
    assert!(!ports.apply(&finish).await.unwrap(), "finished twice");
    assert!(!ports.extend_lease(&job.id, 1, until, 50).await.unwrap());
    assert_eq!(stored(ports, &job).await, finish.job);
}

async fn of_many_workers_one_gets_the_job<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let job = accepted(ports, world, &account).await;
    // The very same claim from all of them: neither time nor content tells them apart.
    let claim = claim(&job, world.now());
    let answers = join_all((0..10).map(|_| ports.apply(&claim))).await;
    let won = answers
        .into_iter()
        .filter(|answer| *answer.as_ref().unwrap());
    assert_eq!(won.count(), 1);
}

async fn a_stale_worker_changes_nothing<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let job = accepted(ports, world, &account).await;
    let stale = claimed(ports, &job, world.now()).await;
    let late = world.now().plus(retry::LEASE + Duration::from_secs(1));
    let released = stale.release_expired_lease(late).unwrap();
    assert!(ports.apply(&released).await.unwrap());
    let second = claimed(ports, &released.job, late).await;
    let failure = JobError::new(JobErrorCode::InputCorrupt, "broken");
    for ending in [
        completed(&stale),
        Ending::Failed(failure),
        Ending::Interrupted("x".into()),
    ] {
        assert!(!ports.apply(&stale.finish(ending, late)).await.unwrap());
    }
    assert!(!ports.extend_lease(&job.id, 1, late, 99).await.unwrap());
    assert_eq!(stored(ports, &job).await, second);
    let period = world.now().period();
    let used = ports.used(&account.id, period).await.unwrap();
    assert_eq!(used.this_month, 2, "a stale failure was refunded");
}

async fn a_retried_job_is_claimed_again<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let job = accepted(ports, world, &account).await;
    let job = claimed(ports, &job, world.now()).await;
    let retry = job.finish(Ending::Interrupted("no engine".into()), world.now());
    assert!(ports.apply(&retry).await.unwrap());
    let waiting = stored(ports, &job).await;
    assert_eq!(waiting, retry.job);
    assert_eq!(
        (waiting.status, waiting.lease_until),
        (JobStatus::Retrying, None)
    );
    let later = world.now().plus(retry::backoff(1));
    let second = claimed(ports, &waiting, later).await;
    let second_stored = stored(ports, &job).await;
    assert_eq!(second_stored, second);
    assert_eq!((second_stored.attempt, second_stored.not_before), (2, None));
}

async fn a_heartbeat_voids_the_release<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let job = accepted(ports, world, &account).await;
    let job = claimed(ports, &job, world.now()).await;
    let late = world.now().plus(retry::LEASE + Duration::from_secs(1));
    let release = job.release_expired_lease(late).unwrap();
    let until = late.plus(retry::LEASE);
    assert!(ports.extend_lease(&job.id, 1, until, 10).await.unwrap());
    assert!(
        !ports.apply(&release).await.unwrap(),
        "released under the worker"
    );
    assert_eq!(stored(ports, &job).await.status, JobStatus::Processing);
}

async fn a_failed_job_is_refunded_to_its_period<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let job = accepted(ports, world, &account).await;
    accepted(ports, world, &account).await;
    let job = claimed(ports, &job, world.now()).await;
    let failure = JobError::new(JobErrorCode::PasswordRequired, "opens only with a password");
    // Ends in another month than it was charged in.
    let next_month = world.now().plus(Duration::from_secs(40 * 86_400));
    let finish = job.finish(Ending::Failed(failure), next_month);
    assert!(ports.apply(&finish).await.unwrap());
    assert_eq!(stored(ports, &job).await, finish.job);
    let charged = ports.used(&account.id, world.now().period()).await.unwrap();
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

async fn a_redriven_job_is_refunded_once<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let other = accepted(ports, world, &account).await;
    let job = accepted(ports, world, &account).await;
    let now = world.now();
    let used = || async {
        ports
            .used(&account.id, now.period())
            .await
            .unwrap()
            .this_month
    };
    let bury = job.give_up(now).unwrap();
    assert!(ports.apply(&bury).await.unwrap());
    assert_eq!(used().await, 2);
    assert!(!ports.apply(&bury).await.unwrap(), "buried twice");
    let redrive = bury.job.redrive(now).unwrap();
    assert!(ports.apply(&redrive).await.unwrap());
    assert_eq!(stored(ports, &job).await, redrive.job);
    let again = redrive.job.give_up(now).unwrap();
    assert!(
        ports.apply(&again).await.unwrap(),
        "the second burial must be written"
    );
    assert_eq!(stored(ports, &job).await.status, JobStatus::DeadLetter);
    assert_eq!(used().await, other.charge.units, "refunded twice");
}

async fn a_cancelled_job_is_not_claimed<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let fingerprint = sample::fingerprint(world);
    let acceptance = sample::acceptance(world, &account, &fingerprint);
    assert_eq!(ports.accept(&acceptance).await.unwrap(), Accepted::New);
    let job = &acceptance.job;
    let cancel = job.cancel(world.now()).unwrap();
    assert!(ports.apply(&cancel).await.unwrap());
    assert!(!ports.apply(&claim(job, world.now())).await.unwrap());
    assert_eq!(stored(ports, job).await, cancel.job);
    let again = sample::acceptance(world, &account, &fingerprint);
    let replayed = Accepted::Earlier(Earlier::Replayed(Box::new(cancel.job)));
    assert_eq!(
        ports.accept(&again).await.unwrap(),
        replayed,
        "the job as it is now"
    );
}
