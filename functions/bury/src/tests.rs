//! What becomes of jobs whose tickets nobody could deal with.

use std::time::Duration;

use domain::event::EventType;
use domain::job::{Job, JobErrorCode, JobStatus};
use domain::outbox::shard;
use domain::plan::Plan;
use domain::ports::{Jobs as _, Outbox as _, PortError, Usage as _};
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use serde_json::json;
use testkit::{Call, Fakes, Fault, World as _, logs, sample};
use tracing::Level;

/// An accepted job that has come to be as `change` makes it.
async fn accepted(change: impl FnOnce(&mut Job, Timestamp)) -> (Fakes, Job) {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Free);
    let acceptance = sample::acceptance(&fakes, &account, "fingerprint");
    fakes.accept(&acceptance).await.unwrap();
    let mut job = acceptance.job;
    change(&mut job, fakes.now());
    fakes.put_job(job.clone());
    (fakes, job)
}

async fn bury(fakes: &Fakes, job: &Job) -> Result<(), PortError> {
    crate::bury(fakes, &Ticket::for_job(job), fakes.now()).await
}

async fn assert_buried(fakes: &Fakes, before: &Job) {
    let job = fakes.job(&before.id).await.unwrap().unwrap();
    let code = job.error.map(|error| error.code);
    assert_eq!(
        (job.status, code),
        (JobStatus::DeadLetter, Some(JobErrorCode::InternalError))
    );
    assert_eq!(fakes.refund(&job.id), Some(job.charge));
    let used = fakes.used(&job.account_id, fakes.now().period()).await;
    assert_eq!(used.unwrap().today, 0);
    let kinds: Vec<_> = fakes
        .published()
        .iter()
        .map(|event| event.event_type)
        .collect();
    assert_eq!(kinds, [EventType::JobDeadLetter]);
    // The event of its creation is not this function's to publish, and no ticket is left.
    let page = fakes.due(shard(&job.id), Timestamp(i64::MAX), None, 9);
    assert_eq!(page.await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn a_job_that_waits_becomes_a_dead_letter_with_refund_and_event() {
    for status in [JobStatus::Queued, JobStatus::Retrying] {
        let (fakes, job) = accepted(|job, _| job.status = status).await;
        bury(&fakes, &job).await.unwrap();
        assert_buried(&fakes, &job).await;
    }
}

#[tokio::test]
async fn a_job_whose_worker_is_gone_becomes_a_dead_letter() {
    let (fakes, job) = accepted(|job, now| {
        job.status = JobStatus::Processing;
        job.lease_until = Some(Timestamp(now.0 - 1));
    })
    .await;
    bury(&fakes, &job).await.unwrap();
    assert_buried(&fakes, &job).await;
}

#[tokio::test]
async fn a_job_that_has_ended_is_left_as_it_is() {
    for status in [
        JobStatus::Completed,
        JobStatus::Failed,
        JobStatus::DeadLetter,
    ] {
        let (fakes, job) = accepted(|job, _| job.status = status).await;
        bury(&fakes, &job).await.unwrap();
        assert_eq!(fakes.job(&job.id).await.unwrap(), Some(job));
        assert_eq!(fakes.published(), []);
    }
}

#[tokio::test]
async fn a_job_that_a_worker_holds_is_left_to_it() {
    let (fakes, job) = accepted(|job, now| {
        job.status = JobStatus::Processing;
        job.lease_until = Some(now.plus(Duration::from_secs(9)));
    })
    .await;
    bury(&fakes, &job).await.unwrap();
    assert_eq!(fakes.job(&job.id).await.unwrap(), Some(job));
    assert_eq!(fakes.published(), []);
}

#[tokio::test]
async fn the_ticket_of_an_unknown_job_is_done_with() {
    let (fakes, job) = accepted(|_, _| {}).await;
    fakes.remove_job(&job.id);
    bury(&fakes, &job).await.unwrap();
    assert_eq!(fakes.published(), []);
}

#[tokio::test]
async fn what_is_said_about_a_job_carries_its_identifiers_at_every_level() {
    for level in [Level::INFO, Level::ERROR] {
        let (fakes, job) = accepted(|job, _| job.attempt = 3).await;
        let (buried, lines) = logs::of(level, bury(&fakes, &job)).await;
        buried.unwrap();
        let expected = json!({
            "name": "job",
            "job_id": job.id,
            "account_id": job.account_id,
            "attempt": 3,
            "traceparent": job.traceparent,
        });
        assert!(lines.iter().any(|line| line["span"] == expected));
    }
}

#[tokio::test]
async fn the_ticket_of_an_unknown_job_is_told_of_with_its_trace() {
    let (fakes, job) = accepted(|_, _| {}).await;
    fakes.remove_job(&job.id);
    let (_, lines) = logs::of(Level::INFO, bury(&fakes, &job)).await;
    let expected = json!({"name": "job", "job_id": job.id, "traceparent": job.traceparent});
    assert_eq!(lines[0]["span"], expected, "{lines:?}");
}

#[tokio::test]
async fn what_cannot_be_read_or_written_leaves_the_ticket_in_its_queue() {
    for call in [Call::ReadJob, Call::Apply] {
        let (fakes, job) = accepted(|_, _| {}).await;
        fakes.fail(call, Fault::Contended, 1);
        let result = bury(&fakes, &job).await;
        assert!(matches!(result, Err(PortError::Contended)), "{call:?}");
        assert_eq!((fakes.refund(&job.id), fakes.published()), (None, vec![]));
        bury(&fakes, &job).await.unwrap();
        assert_buried(&fakes, &job).await;
    }
}
